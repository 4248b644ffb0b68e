import { namesIn } from "../formats/cell-values.ts";
import { type Columns, type FieldColumns, fieldsOf, headingOf, readSheet } from "../formats/columns.ts";
import type { SheetRow } from "../formats/csv.ts";
import { baseOf, type Input, type Problem, type Row } from "../formats/form.ts";
import { personRef } from "../formats/person-refs.ts";
import { MadeRefs } from "./made-refs.ts";
import { NamedOnce, personRow } from "./person-rows.ts";

// The full export of UserVoice: a row for each idea and each of its voters, and sheets of comments and notes.
// docs/moving.md#from-uservoice.

const IDEAS = {
  id: ["idea_id", "suggestion.id", "id"],
  title: ["idea_title", "suggestion.title", "title"],
  body: ["idea_description", "suggestion.body", "body", "description"],
  // Exports before 2016 name no voter, and the creator as the user.
  creatorName: ["idea_creator_name", "suggestion.creator.name", "user_name"],
  creatorEmail: [
    "idea_creator_email_address",
    "suggestion.creator.email",
    "suggestion.creator.email_address",
    "user_email",
  ],
  forum: ["forum_name", "suggestion.forum.name"],
  category: ["category_name", "suggestion.category.name", "category"],
  status: ["public_status_name", "suggestion.status.name", "response_status"],
  state: ["moderation_state", "suggestion.state"],
  labels: ["labels", "suggestion.labels.name"],
  at: ["created_timestamp", "suggestion.created_timestamp", "created_at"],
  parent: ["suggestion.parent.id"],
  response: ["public_status_update_message", "response_text"],
  responseAt: ["public_status_updated_timestamp", "response_created_at"],
  voterName: ["user_name", "user.name"],
  voterEmail: ["user_email_address", "user.email", "user.email_address"],
  votedAt: ["linked_idea_creation_date"],
  votes: ["votes"],
} as const satisfies Columns<string>;

const COMMENTS = {
  post: ["suggestionid", "suggestion_id", "suggestion.id", "idea_id", "id"],
  body: ["text", "body"],
  name: ["username", "user_name", "user.name"],
  email: ["useremail", "user_email", "user_email_address", "user.email", "user.email_address"],
  at: ["createdat", "created_at", "created_timestamp"],
} as const satisfies Columns<string>;

const OF_IDEAS: FieldColumns<keyof typeof IDEAS> = {
  account: { email: "creatorEmail", name: "creatorName" },
  post: {
    ref: "id",
    title: "title",
    body: "body",
    author: "creatorEmail",
    board: "forum",
    status: "status",
    at: "at",
    mergedInto: "parent",
    response: "response",
    responseAt: "responseAt",
    tags: "labels",
  },
  vote: { post: "id", voter: "voterEmail", at: "votedAt" },
};
const OF_COMMENTS: FieldColumns<keyof typeof COMMENTS> = {
  account: { email: "email", name: "name" },
  comment: { post: "post", body: "body", author: "email", at: "at" },
};

const CHARACTERS: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Whether a number is of a character, and not half of one. */
function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/** A text without elements, as people wrote it: UserVoice writes some characters by their names or numbers. */
function decoded(text: string | undefined): string | undefined {
  return text?.replace(
    /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name, decimal, hex) => {
      if (name !== undefined) return CHARACTERS[name.toLowerCase()] ?? whole;
      const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return isCharacter(code) ? String.fromCodePoint(code) : whole;
    },
  );
}

/** HTML in one element, whose beginning shows that it is HTML: UserVoice also writes `one<br>two`. */
function htmlOf(text: string | undefined): string | undefined {
  const isHtml = text !== undefined && /<br\s*\/?>|<\/[a-z][a-z1-6]*>/i.test(text);
  return isHtml ? `<div>${text}</div>` : decoded(text);
}

const PUBLIC = /^(approved|published|open|closed)$/i;
const NOT_PUBLIC = /^(pending|unapproved|unmoderated|awaiting.*|spam|rejected|hidden|deleted|archived)$/i;

/** Reads the ideas: all rows of an idea repeat it, and each may name a voter. */
class Ideas {
  readonly #once = new NamedOnce();
  readonly #seen = new Set<string>();
  /** Votes that the ideas only count. */
  counted = 0;

  *rows(row: SheetRow): Generator<Row | Problem> {
    const { place } = row;
    const { id: ref, voterName, voterEmail, votedAt } = fieldsOf(IDEAS, row);
    if (ref === undefined || !this.#seen.has(ref)) yield* this.#idea(row);
    if (ref !== undefined) this.#seen.add(ref);
    if (voterEmail === undefined) return;
    yield* personRow(place, voterEmail, voterName);
    yield { kind: "vote", place, fields: { post: ref, voter: personRef(voterEmail, undefined), at: votedAt } };
  }

  *#idea(row: SheetRow): Generator<Row | Problem> {
    const { place, cells } = row;
    const { id: ref, title, body, creatorName, creatorEmail, forum, ...more } = fieldsOf(IDEAS, row);
    const { category, status, state = "open", labels, at, parent, response, responseAt, votes } = more;
    const inState = (what: string): Problem => {
      return { place, field: headingOf(IDEAS.state, "state", row), value: state, what };
    };
    if (NOT_PUBLIC.test(state)) {
      yield inState("is not public: the idea is left out");
      return;
    }
    if (!PUBLIC.test(state)) yield inState("is not known: the idea comes in all the same, look at it");
    if (cells.user_email !== undefined) this.counted += Number(votes) || 0;
    yield* personRow(place, creatorEmail, creatorName);
    yield* this.#once.row("board", place, forum);
    yield* this.#once.row("status", place, status);
    const tags = namesIn(labels);
    for (const label of tags) yield* this.#once.row("tag", place, label);
    const fields = {
      ref,
      // Links to an idea have its number.
      slug: ref,
      title: decoded(title),
      body: htmlOf(body),
      response: htmlOf(response),
      author: personRef(creatorEmail, creatorName),
      board: forum,
      status,
      mergedInto: parent,
      tags,
      at,
      responseAt,
    };
    yield { kind: "post", place, fields };
    if (category) {
      const what = "has no place here, where there are no categories: left out";
      yield { place, field: headingOf(IDEAS.category, "category", row), value: category, what };
    }
  }
}

function* commentRows(row: SheetRow, refs: MadeRefs, internal: boolean): Generator<Row> {
  const { place } = row;
  const { post, body, name, email, at } = fieldsOf(COMMENTS, row);
  yield* personRow(place, email, name);
  const author = personRef(email, name);
  const ref = refs.of(post, author, at, body, internal);
  const fields = { ref, post, author, body: htmlOf(body), internal, at };
  yield { kind: "comment", place, fields };
}

const OF_IDEA_SHEETS = { columns: IDEAS, fieldColumns: OF_IDEAS, needed: ["title"], isOptional: true } as const;
const OF_COMMENT_SHEETS = { columns: COMMENTS, fieldColumns: OF_COMMENTS, needed: ["body"], isOptional: true } as const;

export async function* uservoice(input: Input): AsyncGenerator<Row | Problem> {
  const sheets = input.names.filter((name) => name.toLowerCase().endsWith(".csv"));
  if (sheets.length === 0) throw new Error("There is no sheet (.csv): docs/moving.md says which files are read");
  const ideas = new Ideas();
  const refs = new MadeRefs();
  for (const name of sheets) {
    const [of] = /comment|note/.exec(baseOf(name)) ?? [];
    if (of === undefined) yield* readSheet(input, name, { ...OF_IDEA_SHEETS, rows: (row) => ideas.rows(row) });
    else
      yield* readSheet(input, name, {
        ...OF_COMMENT_SHEETS,
        rows: (row) => commentRows(row, refs, of === "note"),
      });
  }
  if (ideas.counted > 0) {
    const what = `count ${ideas.counted}, and the export does not say whose they are: left out`;
    yield { place: { file: sheets.join(", "), row: 0 }, field: "votes", what };
  }
}
