import { LONGEST_TAG_NAME, MAX_TAGS_OF_POST } from "../../lib/catalogue/tags.ts";
import { Email, LONGEST_NAME } from "../../lib/http/account-inputs.ts";
import { Color, CommentBody, Line, LongText, MAX_COMMENT } from "../../lib/http/text-inputs.ts";
import { Slug } from "../../lib/moving/form.ts";
import { isVisible, searchedWords } from "../../lib/values/characters.ts";
import { LONGEST_STATUS_NAME, type StatusKind, statusKinds } from "../../lib/values/statuses.ts";
import { BoardUrl, RoadmapUrl } from "../../lib/values/urls.ts";
import { isOneOfTwoDays, readTime } from "./dates.ts";
import type { Columns, Kind, Place, Problem, Row } from "./form.ts";
import { cut, markdownOf, type Size, split, withoutControls } from "./texts.ts";

// A row is checked field by field. What a field cannot have here is changed or left out, and named; a row is refused if
// nothing is left without the field. Every text that passes has passed the validator of the API.

export type Account = { ref: string; email?: string; name?: string; at?: number; blocked: boolean };
export type Board = { ref: string; name: string; description?: string; url?: string; color?: string; display: boolean };
export type Roadmap = { ref: string; name: string; url?: string; color?: string; display: boolean };
export type Status = { ref: string; name: string; color?: string; category?: StatusKind };
export type Tag = { ref: string; name: string; color?: string };
export type Post = {
  ref: string;
  title: string;
  /** The text in pieces: what does not fit into the post follows as comments of its author. */
  body: string[];
  author?: string;
  board?: string;
  roadmap?: string;
  status?: string;
  at?: number;
  slug?: string;
  mergedInto?: string;
  response?: string;
  responseAt?: number;
  /** The refs of its tags. */
  tags?: string[];
};
export type Vote = { post: string; voter: string; at?: number };
export type Comment = {
  ref: string;
  post: string;
  author?: string;
  /** A text that is too long for one comment has several pieces. */
  body: string[];
  parent?: string;
  internal: boolean;
  at?: number;
};

type Checked = {
  account: Account;
  board: Board;
  roadmap: Roadmap;
  status: Status;
  tag: Tag;
  post: Post;
  vote: Vote;
  comment: Comment;
};
export type CheckedRow = {
  [K in Kind]: { kind: K; place: Place; value: Checked[K]; columns?: Columns | undefined };
}[Kind];

/** What a source calls a field. */
export function columnOf(field: string, columns: Columns | undefined): string {
  return columns?.[field] ?? WORDS[field] ?? field;
}

// What to call a field for which a source has no name.
const WORDS: Record<string, string> = { ref: "id", body: "text", at: "time", mergedInto: "merged into" };

const LONGEST_TITLE = 255;
const POST: Size = { units: 20_000, bytes: 20_000 };
/** What a comment, or a response, has room for. */
export const COMMENT: Size = { units: MAX_COMMENT, bytes: 20_000 };

// The longest id or name by which a row names another one.
const LONGEST_REF = 500;

/** Whether a cell says yes, as databases and programs for sheets write it. */
export function isYes(text = ""): boolean {
  return /^(true|t|yes|y|1)$/i.test(text.trim());
}

/** Reads the fields of a row. A field without a value is undefined, whatever the source writes for it. */
class Fields {
  readonly #row: Row;
  readonly #report: (problem: Problem) => void;

  constructor(row: Row, report: (problem: Problem) => void) {
    this.#row = row;
    this.#report = report;
  }

  problem(field: string, what: string, value?: string): undefined {
    this.#report({ place: this.#row.place, field: columnOf(field, this.#row.columns), value, what });
  }

  /** The text of a field, without blanks at its ends. */
  text(field: string): string | undefined {
    const value = this.#row.fields[field];
    if (value === undefined || value === null) return undefined;
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return text.trim() === "" ? undefined : text.trim();
  }

  ref(field: string): string | undefined {
    const ref = this.text(field);
    if (ref === undefined || ref.length <= LONGEST_REF) return ref;
    return this.problem(field, `is longer than ${LONGEST_REF} characters: left out`);
  }

  /** The refs in a list, each once, up to a number of them; undefined for none. */
  refs(field: string, most: number): string[] | undefined {
    const value = this.#row.fields[field];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) return this.problem(field, "is no list: left out");
    const refs = new Set(value.map((each) => String(each).trim()).filter((ref) => ref !== ""));
    if (refs.size > most) this.problem(field, `are ${refs.size}: only the first ${most} come in`);
    return refs.size > 0 ? [...refs].slice(0, most) : undefined;
  }

  flag(field: string): boolean {
    return isYes(this.text(field));
  }

  /** A slug as an export can hold it: a restore reads it again. */
  slug(field: string): string | undefined {
    const text = this.text(field);
    if (text === undefined || Slug.safeParse(text).data === text) return text;
    return this.problem(field, "can be no slug here: left out", text);
  }

  time(field: string): number | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const why = isOneOfTwoDays(text)
      ? "is one of two days (write it as 2024-01-31)"
      : "is no time between 2010 and now";
    return readTime(text) ?? this.problem(field, `${why}: left out`, text);
  }

  /** A line of visible characters, cut at a word. */
  line(field: string, max: number): string | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const clean = searchedWords(text, text.length);
    if (!isVisible(clean)) return this.problem(field, "has no visible character: left out");
    const [line, rest] = cut(clean, { units: max, bytes: 4 * max });
    if (rest !== "") this.problem(field, `has ${clean.length} characters: cut to ${line.length}`);
    return Line(max).parse(line);
  }

  email(field: string): string | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const read = Email.safeParse(text);
    return read.success ? read.data : this.problem(field, "is no address: left out", text);
  }

  /** A value of the form of a schema; any other is left out in silence, because something is made up for it. */
  valid(field: string, schema: typeof Color | typeof BoardUrl): string | undefined {
    return schema.safeParse(this.text(field)?.replace(/^#/, "")).data;
  }

  /** Markdown, perhaps below a heading, in pieces of at most these sizes. */
  pieces(field: string, first: Size, further: Size, heading = ""): string[] {
    const text = withoutControls(markdownOf(this.text(field) ?? "")).trim();
    const whole = isVisible(text) ? `${heading}\n\n${text}` : heading;
    return whole === "" ? [] : split(whole.trim(), first, further);
  }

  color(field: string): string | undefined {
    return this.valid(field, Color);
  }
}

/** Leaves out the fields without a value. */
function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function named(fields: Fields, longest = 100): { ref: string; name: string } | undefined {
  const ref = fields.ref("ref");
  const name = fields.line("name", longest);
  if (ref === undefined) return fields.problem("ref", "is missing: the row is left out");
  if (name === undefined) return fields.problem("name", "is missing: the row is left out");
  return { ref, name };
}

const checks: { [K in Kind]: (fields: Fields) => Checked[K] | undefined } = {
  account: (fields) => {
    const ref = fields.ref("ref");
    if (ref === undefined) return fields.problem("ref", "is missing: the account is left out");
    return defined<Account>({
      ref,
      email: fields.email("email"),
      name: fields.line("name", LONGEST_NAME),
      at: fields.time("at"),
      blocked: fields.flag("blocked"),
    });
  },

  board: (fields) => {
    const entry = named(fields);
    return (
      entry &&
      defined<Board>({
        ...entry,
        description: fields.line("description", 500),
        url: fields.valid("url", BoardUrl),
        color: fields.color("color"),
        display: fields.text("display") === undefined || fields.flag("display"),
      })
    );
  },

  roadmap: (fields) => {
    const entry = named(fields);
    return (
      entry &&
      defined<Roadmap>({
        ...entry,
        url: fields.valid("url", RoadmapUrl),
        color: fields.color("color"),
        display: fields.text("display") === undefined || fields.flag("display"),
      })
    );
  },

  status: (fields) => {
    const entry = named(fields, LONGEST_STATUS_NAME);
    const category = statusKinds.find((kind) => kind === fields.text("category")?.toLowerCase());
    return entry && defined<Status>({ ...entry, color: fields.color("color"), category });
  },

  tag: (fields) => {
    const entry = named(fields, LONGEST_TAG_NAME);
    return entry && defined<Tag>({ ...entry, color: fields.color("color") });
  },

  post: (fields) => {
    const ref = fields.ref("ref");
    if (ref === undefined) return fields.problem("ref", "is missing: the post is left out");
    const given = fields.text("title") ?? "";
    const whole = searchedWords(given, given.length);
    if (!isVisible(whole)) return fields.problem("title", "is missing: the post is left out");
    const [title, rest] = cut(whole, { units: LONGEST_TITLE, bytes: 4 * LONGEST_TITLE });
    if (rest !== "")
      fields.problem("title", `has ${whole.length} characters: cut to ${title.length}, and the whole is in the text`);
    const [first, ...further] = fields.pieces("body", POST, COMMENT, rest === "" ? "" : whole);
    if (further.length > 0) fields.problem("body", `is too long: its end follows in ${further.length} comments`);
    return defined<Post>({
      ref,
      title: Line(LONGEST_TITLE).parse(title),
      body: first === undefined ? [] : [LongText.parse(first), ...further],
      author: fields.ref("author"),
      board: fields.ref("board"),
      roadmap: fields.ref("roadmap"),
      status: fields.ref("status"),
      at: fields.time("at"),
      slug: fields.slug("slug"),
      mergedInto: fields.ref("mergedInto"),
      response: response(fields),
      responseAt: fields.time("responseAt"),
      tags: fields.refs("tags", MAX_TAGS_OF_POST),
    });
  },

  vote: (fields) => {
    const post = fields.ref("post");
    const voter = fields.ref("voter");
    if (post === undefined) return fields.problem("post", "is missing: the vote is left out");
    if (voter === undefined) return fields.problem("voter", "is missing: the vote is left out");
    return defined<Vote>({ post, voter, at: fields.time("at") });
  },

  comment: (fields) => {
    const ref = fields.ref("ref");
    const post = fields.ref("post");
    if (ref === undefined) return fields.problem("ref", "is missing: the comment is left out");
    if (post === undefined) return fields.problem("post", "is missing: the comment is left out");
    const body = fields.pieces("body", COMMENT, COMMENT);
    if (body.length === 0) return fields.problem("body", "is empty: the comment is left out");
    if (body.length > 1) fields.problem("body", `is too long: it becomes ${body.length} comments`);
    return defined<Comment>({
      ref,
      post,
      author: fields.ref("author"),
      body: body.map((piece) => CommentBody.parse(piece) as string),
      parent: fields.ref("parent"),
      internal: fields.flag("internal"),
      at: fields.time("at"),
    });
  },
};

function response(fields: Fields): string | undefined {
  const [text, ...rest] = fields.pieces("response", COMMENT, COMMENT);
  if (rest.length > 0) fields.problem("response", `is too long: cut to ${text?.length} characters`);
  return text;
}

/** Checks a row, and reports what it cannot have here; undefined if the row is left out. */
export function check(row: Row, report: (problem: Problem) => void): CheckedRow | undefined {
  const value = checks[row.kind](new Fields(row, report));
  return value && ({ kind: row.kind, place: row.place, value, columns: row.columns } as CheckedRow);
}
