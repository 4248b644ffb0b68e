import { type SheetRow, sheetRows } from "../csv.ts";
import { baseOf, type Input, type Problem, type Row } from "../form.ts";
import { namesIn } from "../names-in.ts";
import { NamedOnce, personRef, personRow } from "../persons.ts";

// The full export of UserVoice: a row for each idea and each of its voters, and sheets of comments and notes.
// docs/moving.md#from-uservoice.

type Cells = Record<string, string>;

/** The cell under the first of some headings that has one. */
function cellOf(cells: Cells, ...headings: string[]): string | undefined {
  return headings.map((heading) => cells[heading]).find((cell) => cell !== undefined && cell !== "");
}

/** The headings of an address in exports that write dots. */
function addressOf(person: string): string[] {
  return [`${person}.email`, `${person}.email_address`];
}

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

  *rows({ place, cells }: SheetRow): Generator<Row | Problem> {
    const ref = cellOf(cells, "idea_id", "suggestion.id", "id");
    if (ref === undefined || !this.#seen.has(ref)) yield* this.#idea(ref, { place, cells });
    if (ref !== undefined) this.#seen.add(ref);
    const email = cellOf(cells, "user_email_address", ...addressOf("user"));
    if (email === undefined) return;
    yield* personRow(place, email, cellOf(cells, "user_name", "user.name"));
    const at = cellOf(cells, "linked_idea_creation_date");
    yield { kind: "vote", place, fields: { post: ref, voter: personRef(email, undefined), at } };
  }

  *#idea(ref: string | undefined, { place, cells }: SheetRow): Generator<Row | Problem> {
    const state = cellOf(cells, "moderation_state", "suggestion.state") ?? "open";
    if (NOT_PUBLIC.test(state)) {
      yield { place, field: "moderation state", what: `is ${state}: the idea is left out` };
      return;
    }
    if (!PUBLIC.test(state))
      yield { place, field: "moderation state", what: `is ${state}: the idea comes in all the same, look at it` };
    const name = cellOf(cells, "idea_creator_name", "suggestion.creator.name");
    const email = cellOf(cells, "idea_creator_email_address", ...addressOf("suggestion.creator"));
    const board = cellOf(cells, "forum_name", "suggestion.forum.name");
    const status = cellOf(cells, "public_status_name", "suggestion.status.name");
    yield* personRow(place, email, name);
    yield* this.#once.row("board", place, board);
    yield* this.#once.row("status", place, status);
    const labels = namesIn(cellOf(cells, "labels", "suggestion.labels.name"));
    for (const label of labels) yield* this.#once.row("tag", place, label);
    const fields = {
      ref,
      // Links to an idea have its number.
      slug: ref,
      title: decoded(cellOf(cells, "idea_title", "suggestion.title", "title")),
      body: htmlOf(cellOf(cells, "idea_description", "suggestion.body", "body")),
      author: personRef(email, name),
      board,
      status,
      at: cellOf(cells, "created_timestamp", "suggestion.created_timestamp"),
      mergedInto: cellOf(cells, "suggestion.parent.id"),
      response: htmlOf(cellOf(cells, "public_status_update_message")),
      responseAt: cellOf(cells, "public_status_updated_timestamp"),
      tags: labels,
    };
    yield { kind: "post", place, fields };
    const category = cellOf(cells, "category_name", "suggestion.category.name");
    if (category) yield { place, field: "category", what: `“${category}”: there are no categories here, left out` };
  }
}

function* commentRows(row: SheetRow, internal: boolean): Generator<Row> {
  const { place, cells } = row;
  const email = cellOf(cells, "useremail", "user_email", "user_email_address", ...addressOf("user"));
  const name = cellOf(cells, "username", "user_name", "user.name");
  yield* personRow(place, email, name);
  const fields = {
    ref: `${place.file} ${place.row}`,
    post: cellOf(cells, "suggestionid", "suggestion_id", "suggestion.id", "idea_id", "id"),
    author: personRef(email, name),
    body: htmlOf(cellOf(cells, "text", "body")),
    internal,
    at: cellOf(cells, "createdat", "created_at", "created_timestamp"),
  };
  yield { kind: "comment", place, fields };
}

const TITLES = ["idea_title", "suggestion.title", "title"];
const TEXTS = ["text", "body"];

/** The rows of a sheet, if its first one has a heading of those that such a sheet has. */
async function* rowsOf(
  input: Input,
  name: string,
  headings: string[],
  read: (row: SheetRow) => Iterable<Row | Problem>,
): AsyncGenerator<Row | Problem> {
  for await (const row of sheetRows(name, await input.open(name))) {
    if (headings.every((heading) => row.cells[heading] === undefined)) {
      yield { place: { file: name, row: 0 }, field: "file", what: `is not read: it has no column ${headings[0]}` };
      return;
    }
    yield* read(row);
  }
}

export async function* uservoice(input: Input): AsyncGenerator<Row | Problem> {
  const sheets = input.names.filter((name) => name.toLowerCase().endsWith(".csv"));
  if (sheets.length === 0) throw new Error("There is no sheet (.csv): docs/moving.md says which files are read");
  const ideas = new Ideas();
  for (const name of sheets) {
    const [of] = /comment|note/.exec(baseOf(name)) ?? [];
    if (of === undefined) yield* rowsOf(input, name, TITLES, (row) => ideas.rows(row));
    else yield* rowsOf(input, name, TEXTS, (row) => commentRows(row, of === "note"));
  }
}
