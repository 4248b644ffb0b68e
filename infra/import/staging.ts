import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Account, Board, CheckedRow, Comment, Post, Roadmap, Status, Tag, Vote } from "./checked.ts";
import { type FieldNames, type Kind, nameOf, type Place, type Problem } from "./formats/form.ts";

// A source has its rows in any order, and more of them than memory has room for. The checked rows wait in a file of
// SQLite until all that belongs to a post can be taken out together.

const TABLES = `
  PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000; PRAGMA temp_store = FILE;
  CREATE TABLE catalogue (n INTEGER PRIMARY KEY, kind TEXT, ref TEXT, value TEXT, file INTEGER, row INTEGER,
    UNIQUE (kind, ref));
  CREATE TABLE accounts (ref TEXT PRIMARY KEY, email TEXT, name TEXT, at INTEGER, blocked INTEGER, file INTEGER,
    row INTEGER) WITHOUT ROWID;
  CREATE TABLE people (email TEXT PRIMARY KEY, name TEXT, at INTEGER, blocked INTEGER, userId TEXT) WITHOUT ROWID;
  CREATE TABLE posts (n INTEGER PRIMARY KEY, ref TEXT UNIQUE, author TEXT, at INTEGER, target TEXT, value TEXT,
    file INTEGER, row INTEGER);
  CREATE INDEX posts_of ON posts (target);
  CREATE TABLE votes (post TEXT, voter TEXT, at INTEGER, file INTEGER, row INTEGER, PRIMARY KEY (post, voter))
    WITHOUT ROWID;
  CREATE TABLE comments (n INTEGER PRIMARY KEY, ref TEXT UNIQUE, post TEXT, author TEXT, at INTEGER, value TEXT,
    file INTEGER, row INTEGER);
  CREATE INDEX comments_on ON comments (post);
  CREATE TABLE done (id BLOB PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE found (ownId TEXT PRIMARY KEY, userId TEXT) WITHOUT ROWID;
`;

// Rows that are written to the file together.
const BATCH = 5000;

export type Counts = Record<
  "people" | "boards" | "roadmaps" | "statuses" | "tags" | "posts" | "votes" | "comments",
  number
>;

/** A board, roadmap, status or tag with its place in the source. */
export type Placed<T> = T & { n: number; place: Place };

export class Staging {
  // Without a name it is a file that only this process can open, and that is gone with it, even after a kill.
  readonly #database = new DatabaseSync("");
  readonly #statements = new Map<string, StatementSync>();
  /** The files, by the numbers that rows have of them, and the numbers by the names. */
  readonly #files: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** What each file calls the fields of the rows of each kind. */
  readonly #names = new Map<string, Map<Kind, FieldNames>>();
  #inBatch = 0;

  constructor() {
    this.#database.exec(TABLES);
    this.#database.exec("BEGIN");
  }

  close(): void {
    this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  run(sql: string, ...values: (string | number | null | Uint8Array)[]): number {
    if (++this.#inBatch % BATCH === 0) this.#database.exec("COMMIT; BEGIN");
    return Number(this.#prepared(sql).run(...values).changes);
  }

  all<T>(sql: string, ...values: (string | number | Uint8Array)[]): T[] {
    return this.#prepared(sql).all(...values) as T[];
  }

  /** The rows of a query, one by one: there may be as many as in the source. Nothing may be written meanwhile. */
  each<T>(sql: string, ...values: (string | number)[]): Iterable<T> {
    return this.#database.prepare(sql).iterate(...values) as Iterable<T>;
  }

  #numberOf(file: string): number {
    const known = this.#numbers.get(file);
    if (known !== undefined) return known;
    const number = this.#files.push(file) - 1;
    this.#numbers.set(file, number);
    return number;
  }

  /** The place of a stored row; of a row that the source does not have, none. */
  placeOf({ file, row }: { file: number | null; row: number | null }): Place {
    return { file: this.#files[file ?? -1] ?? "", row: row ?? 0 };
  }

  /** Adds a checked row. A row whose id another row has had is reported, and left out. */
  add({ kind, place, value, names }: CheckedRow, report: (problem: Problem) => void): void {
    if (names) this.#noteNames(kind, place, names);
    const isNew = this.#adders[kind](value as never, place);
    if (isNew) return;
    const what = kind === "vote" ? "is the second vote of a person for a post" : "has the id of an earlier row";
    const field = nameOf(kind === "vote" ? "voter" : "ref", names);
    report({ place, field, what: `${what}: left out` });
  }

  #noteNames(kind: Kind, { file }: Place, names: FieldNames): void {
    const ofFile = this.#names.get(file) ?? new Map<Kind, FieldNames>();
    if (!ofFile.has(kind)) this.#names.set(file, ofFile.set(kind, names));
  }

  /** What the source calls a field of a stored row. */
  nameOf(field: string, kind: Kind, { file }: Place): string {
    return nameOf(field, this.#names.get(file)?.get(kind));
  }

  readonly #adders: { [K in Kind]: (value: never, place: Place) => boolean } = {
    account: ({ ref, email, name, at, blocked }: Account, place) => {
      // Many sources name a person in each of their rows: the first name and the earliest time stay.
      this.run(
        `INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ref) DO UPDATE SET
           email = coalesce(email, excluded.email), name = coalesce(name, excluded.name),
           blocked = max(blocked, excluded.blocked), at = min(coalesce(at, excluded.at), coalesce(excluded.at, at))`,
        ref,
        email ?? null,
        name ?? null,
        at ?? null,
        Number(blocked),
        ...this.#at(place),
      );
      return true;
    },
    board: (value: Board, place) => this.#addToCatalogue("board", value, place),
    roadmap: (value: Roadmap, place) => this.#addToCatalogue("roadmap", value, place),
    status: (value: Status, place) => this.#addToCatalogue("status", value, place),
    tag: (value: Tag, place) => this.#addToCatalogue("tag", value, place),
    post: (value: Post, place) =>
      this.#insert("posts (ref, author, at, target, value, file, row)", [
        value.ref,
        value.author ?? null,
        value.at ?? null,
        value.ref,
        JSON.stringify(value),
        ...this.#at(place),
      ]),
    vote: ({ post, voter, at }: Vote, place) =>
      this.#insert("votes (post, voter, at, file, row)", [post, voter, at ?? null, ...this.#at(place)]),
    comment: (value: Comment, place) =>
      this.#insert("comments (ref, post, author, at, value, file, row)", [
        value.ref,
        value.post,
        value.author ?? null,
        value.at ?? null,
        JSON.stringify(value),
        ...this.#at(place),
      ]),
  };

  #at({ file, row }: Place): [number, number] {
    return [this.#numberOf(file), row];
  }

  #insert(into: string, values: (string | number | null)[]): boolean {
    return this.run(`INSERT OR IGNORE INTO ${into} VALUES (${values.map(() => "?").join(", ")})`, ...values) === 1;
  }

  #addToCatalogue(kind: string, value: { ref: string }, place: Place): boolean {
    const values = [kind, value.ref, JSON.stringify(value), ...this.#at(place)];
    return this.#insert("catalogue (kind, ref, value, file, row)", values);
  }

  /** The boards, roadmaps, statuses or tags of the source, in its order. */
  catalogue<T>(kind: Kind): Placed<T>[] {
    type Entry = { value: string; file: number; row: number };
    const rows = this.all<Entry>("SELECT value, file, row FROM catalogue WHERE kind = ? ORDER BY n", kind);
    return rows.map(({ value, ...at }, n) => ({ ...(JSON.parse(value) as T), n, place: this.placeOf(at) }));
  }

  counts(): Counts {
    const count = (from: string) => Number(this.all<{ n: number }>(`SELECT count(*) AS n FROM ${from}`)[0]?.n);
    return {
      people: count("people"),
      boards: count("catalogue WHERE kind = 'board'"),
      roadmaps: count("catalogue WHERE kind = 'roadmap'"),
      statuses: count("catalogue WHERE kind = 'status'"),
      tags: count("catalogue WHERE kind = 'tag'"),
      posts: count("posts WHERE target = ref"),
      votes: count("votes"),
      comments: count("comments"),
    };
  }

  /** Notes what an earlier run has made. */
  markDone(id: Uint8Array): void {
    this.run("INSERT OR IGNORE INTO done VALUES (?)", id);
  }

  isDone(id: Uint8Array): boolean {
    return this.all("SELECT 1 FROM done WHERE id = ?", id).length > 0;
  }

  /** Notes which account an earlier run has found in place of one of its own. */
  markFound(ownId: string, userId: string): void {
    this.run("INSERT OR REPLACE INTO found VALUES (?, ?)", ownId, userId);
  }

  foundAs(ownId: string): string | undefined {
    return this.all<{ userId: string }>("SELECT userId FROM found WHERE ownId = ?", ownId)[0]?.userId;
  }
}
