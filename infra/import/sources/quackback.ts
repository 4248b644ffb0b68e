import { namesIn } from "../formats/cell-values.ts";
import { columnsOf, fieldsOf, readSheet, type Sheet } from "../formats/columns.ts";
import { baseOf, type Input, type Problem, type Row } from "../formats/form.ts";
import { personRef } from "../formats/person-refs.ts";
import { NamedOnce, personRow } from "./person-rows.ts";

// The ZIP that Quackback exports, or its folder. docs/moving.md#from-quackback.

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

const USERS = columnsOf("name", "email", "joined_at");
const BOARDS = columnsOf("name", "slug", "description");
const STATUSES = columnsOf("name", "color", "category");
const POSTS = columnsOf(
  "id",
  "title",
  "content",
  "status",
  "tags",
  "board",
  "author_name",
  "author_email",
  "created_at",
);
const COMMENTS = columnsOf(
  "id",
  "post_id",
  "parent_id",
  "author_name",
  "author_email",
  "is_private",
  "moderation_state",
  "content",
  "created_at",
);
const VOTES = columnsOf("post_id", "voter_email", "created_at");

const AUTHOR = { email: "author_email", name: "author_name" } as const;

/**
 * What Quackback calls the meaning of a status. "active" is every one that is not at its end, from "Open" to "In
 * Progress": the name says more.
 */
const kinds: Record<string, string> = { complete: "completed", closed: "declined" };

type ReadSheet = (input: Input, file: string) => AsyncGenerator<Row | Problem>;

function reader<F extends string>(sheet: Sheet<F>): ReadSheet {
  return (input, file) => readSheet(input, file, sheet);
}

const sheets = (boards: Boards, once = new NamedOnce()): Record<string, ReadSheet> => ({
  "users.csv": reader({
    columns: USERS,
    fieldColumns: { account: { at: "joined_at" } },
    *rows(row) {
      const { name, email, joined_at } = fieldsOf(USERS, row);
      yield* personRow(row.place, email, name, { at: joined_at });
    },
  }),

  "boards.csv": reader({
    columns: BOARDS,
    fieldColumns: { board: { ref: "slug", url: "slug" } },
    *rows(row) {
      const { name, slug, description } = fieldsOf(BOARDS, row);
      boards.add(slug, name);
      yield { kind: "board", place: row.place, fields: { ref: slug, name, url: slug, description } };
    },
  }),

  "statuses.csv": reader({
    columns: STATUSES,
    fieldColumns: { status: { ref: "name" } },
    *rows(row) {
      const { name, color, category = "" } = fieldsOf(STATUSES, row);
      yield { kind: "status", place: row.place, fields: { ref: name, name, color, category: kinds[category] } };
    },
  }),

  "posts.csv": reader({
    columns: POSTS,
    fieldColumns: {
      account: AUTHOR,
      post: { ref: "id", body: "content", author: "author_email", at: "created_at" },
    },
    needed: ["id"],
    *rows(row) {
      const { place } = row;
      const { id, title, content, status, tags, board, author_name, author_email, created_at } = fieldsOf(POSTS, row);
      yield* personRow(place, author_email, author_name);
      const author = personRef(author_email, author_name);
      const named = namesIn(tags);
      for (const tag of named) yield* once.row("tag", place, tag);
      const fields = {
        ref: id,
        title,
        body: content,
        author,
        board: boards.refOf(board),
        status,
        tags: named,
        at: created_at,
      };
      yield { kind: "post", place, fields };
    },
  }),

  "post_comments.csv": reader({
    columns: COMMENTS,
    fieldColumns: {
      account: AUTHOR,
      comment: {
        ref: "id",
        post: "post_id",
        parent: "parent_id",
        author: "author_email",
        body: "content",
        internal: "is_private",
        at: "created_at",
      },
    },
    needed: ["post_id"],
    *rows(row) {
      const { place } = row;
      const { id, post_id, parent_id, author_name, author_email, ...more } = fieldsOf(COMMENTS, row);
      const { is_private, moderation_state: state, content, created_at } = more;
      if (state && !/^(approved|published|visible)$/i.test(state)) {
        const what = "is not public: the comment is left out";
        yield { place, field: "moderation_state", value: state, what };
        return;
      }
      yield* personRow(place, author_email, author_name);
      const fields = {
        ref: id,
        post: post_id,
        parent: parent_id,
        author: personRef(author_email, author_name),
        body: content,
        internal: is_private,
        at: created_at,
      };
      yield { kind: "comment", place, fields };
    },
  }),

  "post_votes.csv": reader({
    columns: VOTES,
    fieldColumns: {
      account: { email: "voter_email" },
      vote: { post: "post_id", voter: "voter_email", at: "created_at" },
    },
    needed: ["post_id"],
    *rows(row) {
      const { place } = row;
      const { post_id, voter_email, created_at } = fieldsOf(VOTES, row);
      yield* personRow(place, voter_email);
      const voter = personRef(voter_email, undefined);
      yield { kind: "vote", place, fields: { post: post_id, voter, at: created_at } };
    },
  }),
});

export async function* quackback(input: Input): AsyncGenerator<Row | Problem> {
  if (!input.names.some((name) => baseOf(name) === "posts.csv"))
    throw new Error(
      "There is no posts.csv: give the ZIP that Quackback exports, or its folder; its database is not read",
    );
  const known = sheets(new Boards());
  // In the order of their names boards come before posts.
  for (const name of input.names) {
    const sheet = known[baseOf(name)];
    if (sheet) yield* sheet(input, name);
    else if (name.endsWith(".csv")) yield { place: { file: name, row: 0 }, field: "file", what: "has no place here" };
  }
}
