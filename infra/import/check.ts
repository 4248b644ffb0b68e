import { LONGEST_TAG_NAME, MAX_TAGS_OF_POST } from "../../lib/catalogue/tags.ts";
import { LONGEST_NAME } from "../../lib/http/account-inputs.ts";
import { CommentBody, Line, LongText } from "../../lib/http/text-inputs.ts";
import { isVisible, searchedWords } from "../../lib/values/characters.ts";
import { LONGEST_STATUS_NAME, statusKinds } from "../../lib/values/statuses.ts";
import { BoardUrl, RoadmapUrl } from "../../lib/values/urls.ts";
import type { Account, Board, Checked, CheckedRow, Comment, Post, Roadmap, Status, Tag, Vote } from "./checked.ts";
import { COMMENT, Fields, POST } from "./fields.ts";
import type { Kind, Problem, Row } from "./formats/form.ts";
import { cut } from "./texts.ts";

// A row is checked field by field. What a field cannot have here is changed or left out, and named; a row is refused if
// nothing is left without the field. Every text that passes has passed the validator of the API.

const LONGEST_TITLE = 255;

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
      // A neutral name of another site says nothing of the person: the account gets one of this site.
      name: fields.flag("unnamed") ? undefined : fields.line("name", LONGEST_NAME),
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
      // A note must not become public.
      internal: fields.flag("internal", true),
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
  return value && ({ kind: row.kind, place: row.place, value, names: row.names } as CheckedRow);
}
