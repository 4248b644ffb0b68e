import { needColumn } from "../columns.ts";
import { type SheetRow, sheetRows } from "../csv.ts";
import { baseOf, type ColumnsByKind, type Input, named, type Problem, type Row } from "../form.ts";
import { namesIn } from "../names-in.ts";
import { NamedOnce, personRef, personRow } from "../persons.ts";

// The ZIP that Quackback exports, or its folder. docs/moving.md#from-quackback.

type Sheet = (row: SheetRow) => Generator<Row | Problem>;

/** The boards by their names and slugs: posts name their board by its slug, in earlier exports by its name. */
class Boards {
  readonly #slugs = new Map<string, string>();

  add(slug: string | undefined, name: string | undefined): void {
    if (slug && name) this.#slugs.set(name, slug);
  }

  refOf(named: string | undefined): string | undefined {
    return this.#slugs.get(named ?? "") ?? named;
  }
}

const sheets = (boards: Boards, once = new NamedOnce()): Record<string, Sheet> => ({
  *"users.csv"({ place, cells: { name, email, joined_at } }) {
    yield* personRow(place, email, name, { at: joined_at });
  },

  *"boards.csv"({ place, cells: { name, slug, description } }) {
    boards.add(slug, name);
    yield { kind: "board", place, fields: { ref: slug, name, url: slug, description } };
  },

  *"statuses.csv"({ place, cells: { name, color, category } }) {
    yield { kind: "status", place, fields: { ref: name, name, color, category: kinds[category ?? ""] } };
  },

  *"posts.csv"({ place, cells }) {
    const { id, title, content, status, tags, board, author_name, author_email, created_at } = cells;
    yield* personRow(place, author_email, author_name);
    const author = personRef(author_email, author_name);
    const named = namesIn(tags);
    for (const tag of named) yield* once.row("tag", place, tag);
    const links = { author, board: boards.refOf(board), status, tags: named };
    yield { kind: "post", place, fields: { ref: id, title, body: content, ...links, at: created_at } };
  },

  *"post_comments.csv"({ place, cells }) {
    const { id, post_id, parent_id, author_name, author_email, is_private, content, created_at } = cells;
    if (cells.moderation_state && !/^(approved|published|visible)$/i.test(cells.moderation_state)) {
      const what = "is not public: the comment is left out";
      yield { place, field: "moderation_state", value: cells.moderation_state, what };
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
});

/**
 * What Quackback calls the meaning of a status. "active" is every one that is not at its end, from "Open" to "In
 * Progress": the name says more.
 */
const kinds: Record<string, string> = { complete: "completed", closed: "declined" };

/** The heading by which a sheet is known to be of Quackback. */
const HEADINGS: Record<string, string> = {
  "posts.csv": "id",
  "post_comments.csv": "post_id",
  "post_votes.csv": "post_id",
};

const AUTHOR = { email: "author_email", name: "author_name" };

/** What the sheets call the fields of rows. */
const FIELDS: Record<string, ColumnsByKind> = {
  "users.csv": { account: { at: "joined_at" } },
  "boards.csv": { board: { ref: "slug", url: "slug" } },
  "statuses.csv": { status: { ref: "name" } },
  "posts.csv": { account: AUTHOR, post: { ref: "id", body: "content", author: "author_email", at: "created_at" } },
  "post_comments.csv": {
    account: AUTHOR,
    comment: { ref: "id", post: "post_id", parent: "parent_id", body: "content", at: "created_at" },
  },
  "post_votes.csv": {
    account: { email: "voter_email" },
    vote: { post: "post_id", voter: "voter_email", at: "created_at" },
  },
};

async function* rowsOf(input: Input, name: string, sheet: Sheet): AsyncGenerator<Row | Problem> {
  const heading = HEADINGS[baseOf(name)];
  for await (const row of sheetRows(name, await input.open(name))) {
    if (heading !== undefined) needColumn(row, [heading]);
    yield* named(sheet(row), FIELDS[baseOf(name)] ?? {});
  }
}

export async function* quackback(input: Input): AsyncGenerator<Row | Problem> {
  if (!input.names.some((name) => baseOf(name) === "posts.csv"))
    throw new Error(
      "There is no posts.csv: give the ZIP that Quackback exports, or its folder; its database is not read",
    );
  const known = sheets(new Boards());
  // In the order of their names boards come before posts.
  for (const name of input.names) {
    const sheet = known[baseOf(name)];
    if (sheet) yield* rowsOf(input, name, sheet);
    else if (name.endsWith(".csv")) yield { place: { file: name, row: 0 }, field: "file", what: "has no place here" };
  }
}
