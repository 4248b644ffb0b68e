import { sheetRows } from "../csv.ts";
import type { Input, Place, Problem, Row } from "../form.ts";
import { NamedOnce, personRef, personRow } from "../persons.ts";

// The full export of UserVoice: a row for each idea and each of its voters, and a sheet of comments.
// docs/moving.md#from-uservoice.

type Cells = Record<string, string>;
type Given = { place: Place; cells: Cells };

/** The cell under the first of some headings that has one. */
function cellOf(cells: Cells, ...headings: string[]): string | undefined {
  return headings.map((heading) => cells[heading]).find((cell) => cell !== undefined && cell !== "");
}

/** Reads the ideas: all rows of an idea repeat it, and each may name a voter. */
class Ideas {
  readonly #once = new NamedOnce();
  readonly #seen = new Set<string>();

  *rows({ place, cells }: Given): Generator<Row | Problem> {
    const ref = cellOf(cells, "idea_id", "suggestion.id", "id");
    if (ref === undefined || !this.#seen.has(ref)) yield* this.#idea(ref, { place, cells });
    if (ref !== undefined) this.#seen.add(ref);
    const email = cellOf(cells, "user_email_address", "user.email");
    if (email === undefined) return;
    yield* personRow(place, email, cellOf(cells, "user_name", "user.name"));
    const at = cellOf(cells, "linked_idea_creation_date");
    yield { kind: "vote", place, fields: { post: ref, voter: personRef(email, undefined), at } };
  }

  *#idea(ref: string | undefined, { place, cells }: Given): Generator<Row | Problem> {
    const state = cellOf(cells, "moderation_state", "suggestion.state");
    if (state !== undefined && !/^(approved|published|open|closed)$/i.test(state))
      yield { place, field: "moderation state", what: `is ${state}: the idea comes in all the same, look at it` };
    const name = cellOf(cells, "idea_creator_name", "suggestion.creator.name");
    const email = cellOf(cells, "idea_creator_email_address", "suggestion.creator.email");
    const board = cellOf(cells, "forum_name", "suggestion.forum.name");
    const status = cellOf(cells, "public_status_name", "suggestion.status.name");
    yield* personRow(place, email, name);
    yield* this.#once.row("board", place, board);
    yield* this.#once.row("status", place, status);
    const fields = {
      ref,
      title: cellOf(cells, "idea_title", "suggestion.title", "title"),
      body: cellOf(cells, "idea_description", "suggestion.body", "body"),
      author: personRef(email, name),
      board,
      status,
      at: cellOf(cells, "created_timestamp", "suggestion.created_timestamp"),
      mergedInto: cellOf(cells, "suggestion.parent.id"),
      response: cellOf(cells, "public_status_update_message"),
      responseAt: cellOf(cells, "public_status_updated_timestamp"),
    };
    yield { kind: "post", place, fields };
    const labels = cellOf(cells, "labels", "suggestion.labels.name");
    if (labels && labels !== "[]")
      yield { place, field: "labels", what: `“${labels.slice(0, 60)}”: there are no tags here, left out` };
  }
}

function* commentRows({ place, cells }: Given): Generator<Row> {
  const email = cellOf(cells, "useremail", "user_email", "user_email_address");
  const name = cellOf(cells, "username", "user_name");
  yield* personRow(place, email, name);
  const fields = {
    ref: `${place.file} ${place.row}`,
    post: cellOf(cells, "suggestionid", "suggestion_id", "id"),
    author: personRef(email, name),
    body: cellOf(cells, "text", "body"),
    at: cellOf(cells, "createdat", "created_at"),
  };
  yield { kind: "comment", place, fields };
}

export async function* uservoice(input: Input): AsyncGenerator<Row | Problem> {
  const sheets = input.names.filter((name) => name.toLowerCase().endsWith(".csv"));
  if (sheets.length === 0) throw new Error("There is no sheet (.csv): docs/moving.md says which files are read");
  const ideas = new Ideas();
  for (const name of sheets) {
    const isOfComments = /comment/i.test(name);
    for await (const given of sheetRows(name, await input.open(name)))
      yield* isOfComments ? commentRows(given) : ideas.rows(given);
  }
}
