import type { Input, Place, Problem, Row } from "../form.ts";
import { linesOf } from "../lines.ts";

// A plain dump of LogChimp's database by pg_dump: its COPY blocks. docs/moving.md#from-logchimp.

type Fields = Record<string, string | undefined>;
type Table = (place: Place, row: Fields) => Iterable<Row | Problem>;

const COPY = /^COPY (?:"?public"?\.)?"?(\w+)"? \((.*)\) FROM stdin;$/;

const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

function unescaped(cell: string): string | undefined {
  if (cell === "\\N") return undefined;
  return cell.replace(/\\([0-7]{1,3}|x[\da-f]{1,2}|.)/gis, (_, code: string) => {
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    if (/^x./i.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return ESCAPES[code] ?? code;
  });
}

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
      const links = { author: userId, board: boardId, roadmap: roadmap_id };
      const fields = { ref: postId, title, body: contentMarkdown, ...links, slug, at: createdAt };
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
    if (/^t/.test(row.is_spam ?? "")) {
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

/** What is never read, and why. */
const unread: Record<string, string> = {
  roles: "roles do not come in: appoint the team here",
  roles_users: "roles do not come in: appoint the team here",
  emailVerification: "tokens do not come in",
  resetPassword: "tokens do not come in",
};

export async function* logchimp(input: Input): AsyncGenerator<Row | Problem> {
  const tables = new Tables();
  for (const file of input.names) {
    let open: { table: Table | undefined; columns: string[] } | undefined;
    for await (const { row, text, isCut } of linesOf(await input.open(file))) {
      const place = { file, row };
      if (!open) {
        const [, name = "", columns = ""] = COPY.exec(text) ?? [];
        if (name === "") continue;
        open = { table: tables.tables[name], columns: columns.split(", ").map((column) => column.replaceAll('"', "")) };
        if (unread[name]) yield { place, field: name, what: `is not read: ${unread[name]}` };
      } else if (text === "\\.") open = undefined;
      else if (isCut) yield { place, field: "row", what: "is too long: left out" };
      else if (open.table) {
        const cells = text.split("\t").map(unescaped);
        yield* open.table(place, Object.fromEntries(open.columns.map((column, n) => [column, cells[n]])));
      }
    }
  }
  yield* tables.rest();
}
