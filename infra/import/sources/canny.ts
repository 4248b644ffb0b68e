import { text as textOf } from "node:stream/consumers";
import { mayBeYes } from "../formats/cell-values.ts";
import { baseOf, type Input, type NamesByKind, named, type Place, type Problem, type Row } from "../formats/form.ts";
import { personRef } from "../formats/person-refs.ts";
import { NamedOnce, personRow } from "./person-rows.ts";

// The pages of Canny's API that save-canny keeps in a folder. docs/moving.md#from-canny.

type Fields = Record<string, unknown>;

/** The fields of an object; none of anything else. */
function fieldsIn(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function* person(place: Place, value: unknown): Generator<Row> {
  const { email, name } = fieldsIn(value);
  yield* personRow(place, textIn(email), textIn(name));
}

function refOf(value: unknown): string | undefined {
  const { email, name } = fieldsIn(value);
  return personRef(textIn(email), textIn(name));
}

/** What Canny calls the fields of rows. */
const NAMES: NamesByKind = {
  board: { ref: "id" },
  post: { ref: "id", body: "details", at: "created", mergedInto: "mergeHistory" },
  vote: { at: "created" },
  comment: { ref: "id", body: "value", parent: "parentID", at: "created" },
};

/** The id of what a row names, as an object or by its id alone. */
function idOf(value: unknown): unknown {
  return textIn(value) ?? fieldsIn(value).id;
}

function nameOf(value: unknown): string | undefined {
  return textIn(value) ?? textIn(fieldsIn(value).name);
}

/** The slug at the end of a post's address: https://feedback.example/b/ideas/p/dark-mode. */
function slugIn(url: unknown): string | undefined {
  return typeof url === "string" ? /\/p\/([^/?#]+)/.exec(url)?.[1] : undefined;
}

class Pages {
  readonly #once = new NamedOnce();
  readonly #boards = new Set<unknown>();

  /** A board, once: its own page has it, and each of its posts. */
  *board(place: Place, { id, name, isPrivate }: Fields): Generator<Row> {
    if (this.#boards.has(id) || name === undefined) return;
    this.#boards.add(id);
    yield { kind: "board", place, fields: { ref: id, name, display: !mayBeYes(isPrivate) } };
  }

  *post(place: Place, row: Fields): Generator<Row | Problem> {
    const status = nameOf(row.status);
    yield* person(place, row.author);
    yield* this.board(place, fieldsIn(row.board));
    yield* this.#once.row("status", place, status);
    // A category is one more tag.
    const words = [row.category, ...listIn(row.tags)];
    const tags = words.map((word) => nameOf(word)?.trim()).filter((name) => name !== undefined);
    for (const tag of tags) yield* this.#once.row("tag", place, tag);
    const fields = {
      ref: row.id,
      title: row.title,
      body: row.details,
      author: refOf(row.author),
      board: idOf(row.board),
      status,
      at: row.created,
      slug: slugIn(row.url),
      tags,
    };
    yield { kind: "post", place, fields };
    yield* this.#mergedPosts(place, row);
    yield* pictures(place, row);
  }

  /** Canny keeps a merged post only in the history of the other one. */
  *#mergedPosts(place: Place, row: Fields): Generator<Row | Problem> {
    for (const merge of listIn(row.mergeHistory).map(fieldsIn)) {
      const post = fieldsIn(merge.post);
      if (!post.id || post.id === row.id) continue;
      yield* person(place, post.author);
      const fields = {
        title: post.title,
        body: post.details,
        author: refOf(post.author),
        slug: slugIn(post.url),
      };
      yield {
        kind: "post",
        place,
        fields: { ref: post.id, ...fields, at: post.created ?? merge.created, mergedInto: row.id },
      };
      yield* pictures(place, post);
    }
  }

  *vote(place: Place, row: Fields): Generator<Row> {
    yield* person(place, row.voter);
    const post = idOf(row.post);
    yield { kind: "vote", place, fields: { post, voter: refOf(row.voter), at: row.created } };
  }

  *comment(place: Place, row: Fields): Generator<Row | Problem> {
    yield* person(place, row.author);
    const fields = {
      ref: row.id,
      post: idOf(row.post),
      author: refOf(row.author),
      body: row.value,
      parent: row.parentID,
      internal: mayBeYes(row.internal) || mayBeYes(row.private),
      at: row.created,
    };
    yield { kind: "comment", place, fields };
    yield* pictures(place, row);
  }
}

function* pictures(place: Place, row: Fields): Generator<Problem> {
  const count = listIn(row.imageURLs).length;
  if (count > 0) yield { place, field: "imageURLs", what: `has ${count} pictures, which stay at Canny: left out` };
}

// A page has at most 100 rows; a file may have many pages.
const LONGEST_FILE = 100_000_000;

export async function* canny(input: Input): AsyncGenerator<Row | Problem> {
  const pages = new Pages();
  const readers: Record<List, (place: Place, row: Fields) => Generator<Row | Problem>> = {
    boards: (place, row) => pages.board(place, row),
    posts: (place, row) => pages.post(place, row),
    votes: (place, row) => pages.vote(place, row),
    comments: (place, row) => pages.comment(place, row),
  };
  let found = 0;
  for (const file of input.names.filter((name) => /\.(json|jsonl|ndjson)$/i.test(name))) {
    const text = await textOf(await input.open(file));
    if (text.length > LONGEST_FILE) throw new Error(`${file} is too long for a page of Canny's API`);
    let n = 0;
    for (const [list, row] of rowsIn(file, parsed(file, text)))
      yield* named(readers[list]({ file, row: ++n }, row), NAMES);
    if (n === 0) yield { place: { file, row: 0 }, field: "file", what: "is not read" };
    found += n;
  }
  if (found === 0 && input.names.some((name) => /\.csv$/i.test(name)))
    throw new Error("A sheet of Canny does not say who voted: save-canny asks its API, and import csv reads sheets");
  if (found === 0)
    throw new Error("There is no page of Canny's API: npm run operate -- save-canny <folder> saves them");
}

const LISTS = ["boards", "posts", "votes", "comments"] as const;
type List = (typeof LISTS)[number];

/** The list that a row is of: what only its kind has says it, or else what the file is called. */
function listOf(file: string, row: Fields): List | undefined {
  if ("voter" in row) return "votes";
  if ("value" in row && "post" in row) return "comments";
  if ("title" in row && "details" in row) return "posts";
  return LISTS.find((list) => baseOf(file).includes(list.slice(0, -1)));
}

/** The rows of a page, of several pages, or of a bare list. The newer pages call each list "items". */
function* rowsIn(file: string, value: unknown): Generator<[List, Fields]> {
  for (const each of (Array.isArray(value) ? value : [value]).map(fieldsIn)) {
    const lists = Object.entries(each).filter(([name, list]) => isListed(name) && Array.isArray(list));
    const isRow = "id" in each || (lists.length === 0 && Array.isArray(value));
    const list = isRow ? listOf(file, each) : undefined;
    if (list) yield [list, each];
    if (isRow) continue;
    for (const [name, rows] of lists)
      for (const row of (rows as unknown[]).map(fieldsIn)) {
        const of = LISTS.find((known) => known === name) ?? listOf(file, row);
        if (of) yield [of, row];
      }
  }
}

function isListed(name: string): boolean {
  return name === "items" || LISTS.some((list) => list === name);
}

/** What a file says, as JSON or with a page in each line. */
function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    try {
      return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      throw new Error(`${file} is no JSON`);
    }
  }
}
