import { sheetRows } from "../csv.ts";
import { baseOf, type Input, type Place, type Problem, type Row } from "../form.ts";
import { personRef, personRow } from "../persons.ts";

// The ZIP that Quackback exports, or its folder. docs/moving.md#from-quackback.

type Sheet = (given: { place: Place; cells: Record<string, string> }) => Generator<Row | Problem>;

const sheets: Record<string, Sheet> = {
  *"users.csv"({ place, cells: { name, email, joined_at } }) {
    yield* personRow(place, email, name, { at: joined_at });
  },

  *"boards.csv"({ place, cells: { name, slug, description } }) {
    // Posts name their board by its name.
    yield { kind: "board", place, fields: { ref: name, name, url: slug, description } };
  },

  *"statuses.csv"({ place, cells: { name, color, category } }) {
    yield { kind: "status", place, fields: { ref: name, name, color, category: kinds[category ?? ""] } };
  },

  *"posts.csv"({ place, cells }) {
    const { id, title, content, status, tags, board, author_name, author_email, created_at } = cells;
    yield* personRow(place, author_email, author_name);
    const author = personRef(author_email, author_name);
    yield { kind: "post", place, fields: { ref: id, title, body: content, author, board, status, at: created_at } };
    if (tags) yield { place, field: "tags", what: `“${tags.slice(0, 60)}”: there are no tags here, left out` };
  },

  *"post_comments.csv"({ place, cells }) {
    const { id, post_id, parent_id, author_name, author_email, is_private, content, created_at } = cells;
    if (cells.moderation_state && !/^(approved|published|visible)$/i.test(cells.moderation_state)) {
      yield { place, field: "moderation_state", what: `is ${cells.moderation_state}: the comment is left out` };
      return;
    }
    yield* personRow(place, author_email, author_name);
    const author = personRef(author_email, author_name);
    const fields = {
      ref: id,
      post: post_id,
      parent: parent_id,
      author,
      body: content,
      internal: is_private,
      at: created_at,
    };
    yield { kind: "comment", place, fields };
  },

  *"post_votes.csv"({ place, cells: { post_id, voter_email, created_at } }) {
    yield* personRow(place, voter_email);
    yield { kind: "vote", place, fields: { post: post_id, voter: personRef(voter_email, undefined), at: created_at } };
  },
};

/** What Quackback calls the meaning of a status. */
const kinds: Record<string, string> = {
  active: "started",
  complete: "completed",
  closed: "declined",
  open: "open",
  planned: "planned",
};

export async function* quackback(input: Input): AsyncGenerator<Row | Problem> {
  if (!input.names.some((name) => baseOf(name) === "posts.csv"))
    throw new Error("There is no posts.csv: give the ZIP that Quackback exports, or its folder");
  for (const name of input.names) {
    const sheet = sheets[baseOf(name)];
    if (sheet) for await (const row of sheetRows(name, await input.open(name))) yield* sheet(row);
    else if (name.endsWith(".csv")) yield { place: { file: name, row: 0 }, field: "file", what: "has no place here" };
  }
}
