import { text } from "node:stream/consumers";
import { baseOf, type Input, type Place, type Problem, type Row } from "../form.ts";
import { NamedOnce, personRef, personRow } from "../persons.ts";

// The pages of Canny's API that save-canny keeps in a folder. docs/moving.md#from-canny.

type Person = { id?: string; email?: string; name?: string } | null | undefined;
type Fields = Record<string, unknown>;
type Named = { id?: string; name?: string } | null | undefined;

function of<T>(row: Fields, field: string): T {
  return row[field] as T;
}

function* person(place: Place, given: Person): Generator<Row> {
  yield* personRow(place, given?.email, given?.name);
}

function refOf(given: Person): string | undefined {
  return personRef(given?.email, given?.name);
}

/** The slug at the end of a post's address: https://feedback.example/b/ideas/p/dark-mode. */
function slugIn(url: unknown): string | undefined {
  return typeof url === "string" ? /\/p\/([^/?#]+)/.exec(url)?.[1] : undefined;
}

class Pages {
  readonly #once = new NamedOnce();

  *board(place: Place, row: Fields): Generator<Row> {
    yield { kind: "board", place, fields: { ref: row.id, name: row.name, display: row.isPrivate !== true } };
  }

  *post(place: Place, row: Fields): Generator<Row | Problem> {
    const status = row.status === undefined ? undefined : String(row.status);
    yield* person(place, of(row, "author"));
    yield* this.#once.row("status", place, status);
    // A category is one more tag.
    const words = [of<Named>(row, "category"), ...(of<Named[] | undefined>(row, "tags") ?? [])];
    const tags = words.map((word) => word?.name?.trim()).filter((name) => name !== undefined);
    for (const tag of tags) yield* this.#once.row("tag", place, tag);
    const fields = {
      ref: row.id,
      title: row.title,
      body: row.details,
      author: refOf(of(row, "author")),
      board: of<Named>(row, "board")?.id,
      status,
      at: row.created,
      slug: slugIn(row.url),
      tags,
    };
    yield { kind: "post", place, fields };
    yield* this.#mergedPosts(place, row);
    const pictures = of<unknown[] | undefined>(row, "imageURLs")?.length ?? 0;
    if (pictures > 0)
      yield { place, field: "imageURLs", what: `has ${pictures} pictures, which stay at Canny: left out` };
  }

  /** Canny keeps a merged post only in the history of the other one. */
  *#mergedPosts(place: Place, row: Fields): Generator<Row> {
    for (const { post, created } of of<{ post?: Fields; created?: string }[] | undefined>(row, "mergeHistory") ?? []) {
      if (!post?.id || post.id === row.id) continue;
      yield* person(place, of(post, "author"));
      const fields = {
        title: post.title,
        body: post.details,
        author: refOf(of(post, "author")),
        slug: slugIn(post.url),
      };
      yield {
        kind: "post",
        place,
        fields: { ref: post.id, ...fields, at: post.created ?? created, mergedInto: row.id },
      };
    }
  }

  *vote(place: Place, row: Fields): Generator<Row> {
    const voter = of<Person>(row, "voter");
    yield* person(place, voter);
    const post = of<Named>(row, "post")?.id;
    yield { kind: "vote", place, fields: { post, voter: refOf(voter), at: row.created } };
  }

  *comment(place: Place, row: Fields): Generator<Row> {
    const author = of<Person>(row, "author");
    yield* person(place, author);
    const fields = {
      ref: row.id,
      post: of<Named>(row, "post")?.id,
      author: refOf(author),
      body: row.value,
      parent: row.parentID,
      internal: row.internal === true || row.private === true,
      at: row.created,
    };
    yield { kind: "comment", place, fields };
  }
}

// A page has at most 100 rows.
const LONGEST_PAGE = 20_000_000;

export async function* canny(input: Input): AsyncGenerator<Row | Problem> {
  const pages = new Pages();
  let found = 0;
  for (const file of input.names.filter((name) => name.endsWith(".json"))) {
    const page = await text(await input.open(file));
    if (page.length > LONGEST_PAGE) throw new Error(`${file} is no page of Canny's API: it is too long`);
    const lists = listsIn(file, page);
    if (Object.keys(lists).length === 0) yield { place: { file, row: 0 }, field: "file", what: "is not read" };
    const { boards = [], posts = [], votes = [], comments = [], items = [] } = lists;
    const isOfComments = /comment/i.test(file);
    const rows: [Fields[], (place: Place, row: Fields) => Generator<Row | Problem>][] = [
      [boards, (place, row) => pages.board(place, row)],
      [posts, (place, row) => pages.post(place, row)],
      [votes, (place, row) => pages.vote(place, row)],
      [isOfComments ? [...comments, ...items] : comments, (place, row) => pages.comment(place, row)],
    ];
    for (const [list, rowsOf] of rows) {
      found += list.length;
      for (const [n, row] of list.entries()) yield* rowsOf({ file, row: n + 1 }, row);
    }
  }
  if (found === 0 && input.names.some((name) => /\.csv$/i.test(name)))
    throw new Error("A sheet of Canny does not say who voted: save-canny asks its API, and import csv reads sheets");
  if (found === 0)
    throw new Error("There is no page of Canny's API: npm run operate -- save-canny <folder> saves them");
}

const LISTS = ["boards", "posts", "votes", "comments", "items"];

/** The lists of a page. A list without a page around it is what its file is called. */
function listsIn(file: string, page: string): Record<string, Fields[] | undefined> {
  const value = parsed(file, page);
  if (Array.isArray(value)) {
    const name = LISTS.find((list) => baseOf(file).includes(list.slice(0, -1)));
    return name === undefined ? {} : { [name]: value };
  }
  const lists = Object.entries(value ?? {}).filter(([name, list]) => LISTS.includes(name) && Array.isArray(list));
  return Object.fromEntries(lists) as Record<string, Fields[]>;
}

function parsed(file: string, page: string): object | null {
  try {
    return JSON.parse(page) as object | null;
  } catch {
    throw new Error(`${file} is no JSON`);
  }
}
