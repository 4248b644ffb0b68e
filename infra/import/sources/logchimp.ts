import { mayBeYes } from "../formats/cell-values.ts";
import { needColumn, unheadedCells } from "../formats/columns.ts";
import { sheetRows } from "../formats/csv.ts";
import {
  baseOf,
  type Input,
  isProblem,
  type NamesByKind,
  named,
  type Place,
  type Problem,
  type Row,
} from "../formats/form.ts";
import { OneSchema, type TableRow, tableRows } from "../formats/sql.ts";
import { type SecretColumns, UnreadNamed, type UnreadTables } from "./unread.ts";

// A plain dump of LogChimp's database by pg_dump, or a sheet of each table. docs/moving.md#from-logchimp.

type Fields = Record<string, string | undefined>;
type Table = (place: Place, row: Fields) => Iterable<Row | Problem>;

type Activity = { post: string; author: string | undefined };

type Waiting = { place: Place; row: Fields };

/** Reads the tables. A comment has its post and its author in another table, in the activity that it is. */
class Tables {
  readonly #activities = new Map<string, Activity>();
  /** Comments that came before their activity: a dump has the tables in any order. */
  readonly #comments: Waiting[] = [];
  /** The roadmaps, which have their order in a column. */
  readonly #roadmaps: Waiting[] = [];

  readonly tables: Record<string, Table> = {
    *users(place, { userId, email, name, isBlocked, createdAt }) {
      yield { kind: "account", place, fields: { ref: userId, email, name, blocked: isBlocked, at: createdAt } };
    },
    *boards(place, { boardId, name, url, color, display }) {
      yield { kind: "board", place, fields: { ref: boardId, name, url, color, display } };
    },
    roadmaps: (place, row) => {
      this.#roadmaps.push({ place, row });
      return [];
    },
    *posts(place, { postId, title, contentMarkdown, userId, boardId, roadmap_id, slug, createdAt }) {
      const fields = {
        ref: postId,
        title,
        body: contentMarkdown,
        author: userId,
        board: boardId,
        roadmap: roadmap_id,
        slug,
        at: createdAt,
      };
      yield { kind: "post", place, fields };
    },
    *votes(place, { postId, userId, createdAt }) {
      yield { kind: "vote", place, fields: { post: postId, voter: userId, at: createdAt } };
    },
    posts_activity: (_, row) => this.#noteActivity(row),
    posts_comments: (place, row) => this.#comment(place, row),
  };

  #noteActivity({ id, post_id: post, author_id: author }: Fields): Row[] {
    if (id !== undefined && post !== undefined) this.#activities.set(id, { post, author });
    return [];
  }

  *#comment(place: Place, row: Fields): Generator<Row | Problem> {
    if (mayBeYes(row.is_spam)) {
      yield { place, field: "is_spam", what: "is set: the comment is left out" };
      return;
    }
    const activity = this.#activityOf(row);
    if (activity) yield commentRow(place, row, activity);
    else this.#comments.push({ place, row });
  }

  #activityOf({ activity_id = "" }: Fields): Activity | undefined {
    return this.#activities.get(activity_id);
  }

  /** What waited until all tables were read. */
  *rest(): Generator<Row> {
    const roadmaps = this.#roadmaps.toSorted((a, b) => Number(a.row.index) - Number(b.row.index));
    for (const { place, row } of roadmaps) yield roadmapRow(place, row);
    for (const { place, row } of this.#comments) yield commentRow(place, row, this.#activityOf(row));
  }
}

function roadmapRow(place: Place, { id, name, url, color, display }: Fields): Row {
  return { kind: "roadmap", place, fields: { ref: id, name, url, color, display } };
}

function commentRow(place: Place, row: Fields, activity: Activity | undefined): Row {
  const { id, parent_id, body, is_internal, created_at } = row;
  const { post, author } = activity ?? {};
  const fields = { ref: id, post, author, parent: parent_id, body, internal: is_internal, at: created_at };
  return { kind: "comment", place, fields };
}

/** What LogChimp calls the fields of rows. */
const NAMES: NamesByKind = {
  account: { ref: "userId", blocked: "isBlocked", at: "createdAt" },
  board: { ref: "boardId" },
  roadmap: { ref: "id" },
  post: {
    ref: "postId",
    body: "contentMarkdown",
    author: "userId",
    board: "boardId",
    roadmap: "roadmap_id",
    at: "createdAt",
  },
  vote: { post: "postId", voter: "userId", at: "createdAt" },
  comment: { ref: "id", post: "activity_id", author: "author_id", parent: "parent_id", at: "created_at" },
};

/** What is never read, and why. */
const UNREAD: UnreadTables = {
  roles: "roles do not come in: appoint the team here",
  roles_users: "roles do not come in: appoint the team here",
  emailVerification: "tokens do not come in",
  resetPassword: "tokens do not come in",
  auth_identities: "identities do not come in: people sign in with their address",
  settings: "name and colors of the site do not come in: enter them here",
};

const SECRETS: SecretColumns = { users: { password: "passwords do not come in, people sign in by a mail" } };

// The names of columns and tables that are not in lower case, as the headings of a sheet are.
const CASED = ["userId", "isBlocked", "createdAt", "boardId", "postId", "contentMarkdown"];
const CASED_BY_HEADING = new Map(CASED.map((name) => [name.toLowerCase(), name]));

/** The column by which a table, or the sheet of one, is known to be of LogChimp: other programs also have users. */
const COLUMNS: Record<string, string> = {
  users: "userId",
  boards: "boardId",
  roadmaps: "url",
  posts: "postId",
  votes: "postId",
  posts_activity: "post_id",
  posts_comments: "activity_id",
};

/** The rows of a table that a program for databases saved as a sheet, named after the table. */
async function* sheetOf(input: Input, file: string): AsyncGenerator<TableRow | Problem> {
  const tables = [...Object.keys(new Tables().tables), ...Object.keys(UNREAD)];
  const table = tables.find((each) => `${each.toLowerCase()}.csv` === baseOf(file).replace(/^public\./, ""));
  if (table === undefined) {
    yield { place: { file, row: 0 }, field: "file", what: "is not read: no table has its name" };
    return;
  }
  const heading = COLUMNS[table]?.toLowerCase();
  for await (const row of sheetRows(file, await input.open(file))) {
    if (heading !== undefined) needColumn(row, [heading]);
    yield* unheadedCells(row);
    const { place, cells, headings } = row;
    // An empty cell, and one behind the end of a short row, is what NULL is in a dump.
    const columns = Object.keys(headings).map((name) => [CASED_BY_HEADING.get(name) ?? name, cells[name] || undefined]);
    yield { place, schema: "", table, cells: Object.fromEntries(columns) };
  }
}

async function* rowsIn(input: Input): AsyncGenerator<TableRow | Problem> {
  for (const file of input.names) {
    if (/\.csv$/i.test(file)) yield* sheetOf(input, file);
    else yield* tableRows(file, await input.open(file));
  }
}

export async function* logchimp(input: Input): AsyncGenerator<Row | Problem> {
  const tables = new Tables();
  const schemas = new OneSchema();
  const unread = new UnreadNamed(UNREAD, SECRETS);
  for await (const given of rowsIn(input)) {
    if (isProblem(given)) {
      yield given;
      continue;
    }
    const { place, table, cells } = given;
    const column = COLUMNS[table];
    if (column !== undefined && column in cells) {
      schemas.expect(given);
      yield* named(tables.tables[table]?.(place, cells) ?? [], NAMES);
      yield* unread.secretsIn(place, table, cells);
    }
    yield* unread.table(place, table);
  }
  yield* named(tables.rest(), NAMES);
}
