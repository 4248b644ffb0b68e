import { sheetRows } from "../csv.ts";
import { baseOf, fileNamed, type Input, type Place, type Problem, type Row } from "../form.ts";
import { NamedOnce, personRef, personRow } from "../persons.ts";

// Sheets of any origin: posts, and beside them comments and votes. docs/moving.md#from-sheets.

type Cells = Record<string, string>;

/** The id by which comments and votes name a post: its own, or its title. */
function refOf({ source_id, id, title }: Cells): string | undefined {
  return source_id || id || title;
}

function* postRows({ place, cells }: { place: Place; cells: Cells }, once: NamedOnce): Generator<Row | Problem> {
  const { title, content, description, status, board, author_name, author_email, created_at, tags } = cells;
  yield* personRow(place, author_email, author_name);
  yield* once.row("board", place, board);
  yield* once.row("status", place, status);
  const author = personRef(author_email, author_name);
  const body = content ?? description;
  const fields = { ref: refOf(cells), title, body, author, board, status, at: created_at, slug: cells.slug };
  yield { kind: "post", place, fields };
  if (tags) yield { place, field: "tags", what: `“${tags.slice(0, 60)}”: there are no tags here, left out` };
}

function* commentRows({ place, cells }: { place: Place; cells: Cells }): Generator<Row> {
  const { body, content, author_name, author_email, created_at, is_internal, parent_id } = cells;
  yield* personRow(place, author_email, author_name);
  const fields = {
    ref: cells.source_id || cells.id || `row ${place.row}`,
    post: cells.post_source_id || cells.post_id,
    author: personRef(author_email, author_name),
    body: body ?? content,
    internal: is_internal,
    parent: parent_id,
    at: created_at,
  };
  yield { kind: "comment", place, fields };
}

function* voteRows({ place, cells }: { place: Place; cells: Cells }): Generator<Row> {
  const { email, voter_email, name, created_at } = cells;
  const address = email ?? voter_email;
  yield* personRow(place, address, address ? name : undefined);
  const post = cells.post_source_id || cells.post_id;
  yield { kind: "vote", place, fields: { post, voter: personRef(address, undefined), at: created_at } };
}

export async function* csv(input: Input): AsyncGenerator<Row | Problem> {
  const sheets = input.names.filter((name) => name.toLowerCase().endsWith(".csv"));
  const posts = fileNamed(input, "posts.csv") ?? (sheets.length === 1 ? sheets[0] : undefined);
  if (posts === undefined) throw new Error("There is no posts.csv: docs/moving.md says which files are read");
  const once = new NamedOnce();
  let counted = 0;
  for await (const row of sheetRows(posts, await input.open(posts))) {
    yield* postRows(row, once);
    counted += Number(row.cells.vote_count) || 0;
  }
  if (counted > 0) {
    const what = `counts ${counted} votes: only those of votes.csv come in, which say whose they are`;
    yield { place: { file: posts, row: 1 }, field: "vote_count", what };
  }
  for (const name of sheets.filter((each) => each !== posts)) {
    const rowsOf = { "comments.csv": commentRows, "votes.csv": voteRows }[baseOf(name)];
    if (rowsOf) for await (const row of sheetRows(name, await input.open(name))) yield* rowsOf(row);
    else yield { place: { file: name, row: 0 }, field: "file", what: "is not read" };
  }
}
