import { namesIn } from "../formats/cell-values.ts";
import { type Columns, type FieldColumns, fieldsOf, headingOf, readSheet } from "../formats/columns.ts";
import type { SheetRow } from "../formats/csv.ts";
import { baseOf, fileNamed, type Input, type Problem, type Row } from "../formats/form.ts";
import { personRef } from "../formats/person-refs.ts";
import { MadeRefs } from "./made-refs.ts";
import { NamedOnce, personRow } from "./person-rows.ts";

// Sheets of any origin: posts, and beside them comments and votes. docs/moving.md#from-sheets.

const POSTS = {
  id: ["source_id", "id", "post_id"],
  title: ["title", "name", "subject", "headline", "summary"],
  content: ["content", "description", "details", "body", "text"],
  status: ["status", "state"],
  board: ["board", "forum"],
  authorName: ["author_name", "author", "creator", "created_by"],
  authorEmail: ["author_email", "email", "creator_email", "user_email", "email_address"],
  at: ["created_at", "created", "created_on", "date"],
  slug: ["slug"],
  tags: ["tags", "labels"],
  votes: ["vote_count", "votes", "votes_count", "upvotes", "score"],
} as const satisfies Columns<string>;

const COMMENTS = {
  id: ["source_id", "id", "comment_id"],
  post: ["post_source_id", "post_id", "post", "post_title"],
  body: ["body", "content", "text", "comment"],
  authorName: ["author_name", "author", "user_name", "name"],
  authorEmail: ["author_email", "email", "user_email", "email_address"],
  internal: ["is_internal", "internal", "is_private", "private"],
  parent: ["parent_id", "parent"],
  at: ["created_at", "created", "created_on", "date"],
} as const satisfies Columns<string>;

const VOTES = {
  post: ["post_source_id", "post_id", "post", "post_title"],
  email: ["email", "voter_email", "user_email", "email_address", "voter"],
  name: ["name", "voter_name", "user_name"],
  at: ["created_at", "created", "created_on", "date"],
} as const satisfies Columns<string>;

const OF_POSTS: FieldColumns<keyof typeof POSTS> = {
  account: { email: "authorEmail", name: "authorName" },
  post: {
    ref: "id",
    title: "title",
    body: "content",
    author: "authorEmail",
    board: "board",
    status: "status",
    at: "at",
    slug: "slug",
    tags: "tags",
  },
};
const OF_COMMENTS: FieldColumns<keyof typeof COMMENTS> = {
  account: { email: "authorEmail", name: "authorName" },
  comment: {
    ref: "id",
    post: "post",
    body: "body",
    author: "authorEmail",
    internal: "internal",
    parent: "parent",
    at: "at",
  },
};
const OF_VOTES: FieldColumns<keyof typeof VOTES> = {
  account: { email: "email", name: "name" },
  vote: { post: "post", voter: "email", at: "at" },
};

/** A number of votes, perhaps with a separator of thousands or as a decimal. */
function countIn(cell: string | undefined): number {
  const digits = /^(\d+|\d{1,3}(?:[.,'’\s]\d{3})+)(?:[.,]0+)?$/.exec(cell?.trim() ?? "")?.[1] ?? "";
  return Number(digits.replace(/\D/g, ""));
}

/** The row of a title that names a post, and the last number that another post of the same title got. */
type Titled = { row: number; number: number };

class Posts {
  readonly #once = new NamedOnce();
  /** The titles of posts without an id. */
  readonly #titles = new Map<string, Titled>();
  /** Votes that the posts only count, and the column that does it. */
  counted = 0;
  countedIn = "vote_count";

  *rows(row: SheetRow): Generator<Row | Problem> {
    const { place } = row;
    const { id, title, content, status, board, authorName, authorEmail, at, slug, tags, votes } = fieldsOf(POSTS, row);
    this.counted += countIn(votes);
    if (votes !== undefined) this.countedIn = headingOf(POSTS.votes, "vote_count", row);
    yield* personRow(place, authorEmail, authorName);
    yield* this.#once.row("board", place, board);
    yield* this.#once.row("status", place, status);
    const named = namesIn(tags);
    for (const tag of named) yield* this.#once.row("tag", place, tag);
    const ref = id ?? (yield* this.#titleAsId(row, title));
    const author = personRef(authorEmail, authorName);
    const fields = { ref, title, body: content, author, board, status, at, slug, tags: named };
    yield { kind: "post", place, fields };
  }

  /** Comments and votes name a post without an id by its title: the first post of that title. */
  *#titleAsId(row: SheetRow, title: string | undefined): Generator<Problem, string> {
    const { place } = row;
    if (title === undefined) return `row ${place.row}`;
    const first = this.#titles.get(title);
    const ref = first ? this.#numbered(title, first) : title;
    this.#titles.set(ref, { row: place.row, number: 1 });
    if (first) {
      const what = `is that of row ${first.row}, which gets all comments and votes of posts with this title`;
      yield { place, field: headingOf(POSTS.title, "title", row), what };
    }
    return ref;
  }

  /** The title with the next number that no other title ends with. */
  #numbered(title: string, first: Titled): string {
    do first.number++;
    while (this.#titles.has(`${title} (${first.number})`));
    return `${title} (${first.number})`;
  }
}

function* commentRows(row: SheetRow, refs: MadeRefs): Generator<Row> {
  const { place } = row;
  const { id, post, body, authorName, authorEmail, internal, parent, at } = fieldsOf(COMMENTS, row);
  yield* personRow(place, authorEmail, authorName);
  const author = personRef(authorEmail, authorName);
  const fields = { ref: id ?? refs.of(post, author, at, body), post, author, body, internal, parent, at };
  yield { kind: "comment", place, fields };
}

function* voteRows(row: SheetRow): Generator<Row> {
  const { place } = row;
  const { post, email, name, at } = fieldsOf(VOTES, row);
  yield* personRow(place, email, email ? name : undefined);
  yield { kind: "vote", place, fields: { post, voter: personRef(email, undefined), at } };
}

const COMMENTS_FILE = /^comments\.[ct]sv$/;
const VOTES_FILE = /^votes\.[ct]sv$/;
const POSTS_FILES = ["posts.csv", "posts.tsv"];

/** Names the comments and votes that lie beside the posts, if the sheet of these alone was given. */
function* sheetsBeside({ beside = [] }: Input, posts: string): Generator<Problem> {
  const advice = POSTS_FILES.includes(baseOf(posts))
    ? "give the folder"
    : "give the folder, with the posts as posts.csv";
  for (const file of beside) {
    if (![COMMENTS_FILE, VOTES_FILE].some((name) => name.test(baseOf(file)))) continue;
    yield { place: { file, row: 0 }, field: "file", what: `lies beside ${posts}, and is not read: ${advice}` };
  }
}

export async function* csv(input: Input): AsyncGenerator<Row | Problem> {
  const sheets = input.names.filter((name) => /\.(csv|tsv)$/i.test(name));
  const file = fileNamed(input, ...POSTS_FILES) ?? (sheets.length === 1 ? sheets[0] : undefined);
  if (file === undefined) throw new Error("There is no posts.csv: docs/moving.md says which files are read");
  yield* sheetsBeside(input, file);
  const posts = new Posts();
  const refs = new MadeRefs();
  yield* readSheet(input, file, {
    columns: POSTS,
    fieldColumns: OF_POSTS,
    needed: ["title"],
    rows: (row) => posts.rows(row),
  });
  if (posts.counted > 0) {
    const what = `counts ${posts.counted} votes: only those of votes.csv come in, which say whose they are`;
    yield { place: { file, row: 1 }, field: posts.countedIn, what };
  }
  for (const name of input.names.filter((each) => each !== file)) {
    if (COMMENTS_FILE.test(baseOf(name)))
      yield* readSheet(input, name, {
        columns: COMMENTS,
        fieldColumns: OF_COMMENTS,
        needed: ["post", "body"],
        rows: (row) => commentRows(row, refs),
      });
    else if (VOTES_FILE.test(baseOf(name)))
      yield* readSheet(input, name, {
        columns: VOTES,
        fieldColumns: OF_VOTES,
        needed: ["post", "email"],
        rows: voteRows,
      });
    else yield { place: { file: name, row: 0 }, field: "file", what: "is not read" };
  }
}
