import { flagIn } from "../formats/cell-values.ts";
import {
  fileNamed,
  type Input,
  isProblem,
  type NamesByKind,
  named,
  type Place,
  type Problem,
  type Row,
} from "../formats/form.ts";
import { objectsIn } from "../formats/json-array.ts";
import { OneSchema, tableRows } from "../formats/sql.ts";
import { type SecretColumns, UnreadNamed, type UnreadTables } from "./unread.ts";

// The backup of Fider's administration, a ZIP of JSON files, one for each table; or a plain dump of its database by
// pg_dump, which may have several sites. docs/moving.md#from-fider.

type Fields = Record<string, unknown>;
type TableRow = { place: Place; table: string; row: Fields };
type Table = (place: Place, row: Fields) => Generator<Row | Problem>;

/** The tables that are read, and a column by which one in a database is known to be of Fider. */
const TABLES: Record<string, string> = {
  tags: "is_public",
  statuses: "kind",
  users: "tenant_id",
  posts: "tenant_id",
  post_votes: "user_id",
  post_tags: "tag_id",
  comments: "content",
  tenants: "subdomain",
};

/** What tables and columns were called before 2019. */
const EARLIER: Record<string, string> = {
  ideas: "posts",
  idea_supporters: "post_votes",
  post_supporters: "post_votes",
  idea_tags: "post_tags",
  idea_id: "post_id",
  created_on: "created_at",
};

/** What Fider calls the fields of rows. */
const NAMES: NamesByKind = {
  account: { ref: "id", at: "created_at", blocked: "status" },
  tag: { ref: "id" },
  status: { ref: "slug", name: "label" },
  post: {
    ref: "id",
    body: "description",
    author: "user_id",
    at: "created_at",
    mergedInto: "original_id",
    responseAt: "response_date",
  },
  vote: { post: "post_id", voter: "user_id", at: "created_at" },
  comment: { ref: "id", post: "post_id", author: "user_id", body: "content", at: "created_at" },
};

/** What is never read, and why. */
const UNREAD: UnreadTables = {
  oauth_providers: "has secrets: enter the providers here anew",
  email_verifications: "has keys of mails: people ask for new ones",
  user_providers: "identities do not come in: people sign in with their address",
  webhooks: "may have secrets: enter the webhooks here anew",
  attachments: "there are no attachments here",
  post_subscribers: "people follow posts here themselves",
};

const SECRETS: SecretColumns = { users: { api_key: "keys do not come in, people make new ones" } };

// The statuses that every site has, by the numbers that posts had for them until 2026. Then posts have these words.
const STATUSES = ["Open", "Started", "Completed", "Declined", "Planned", "Duplicate", "Deleted"];
const CATEGORIES: Record<string, string> = {
  open: "open",
  planned: "planned",
  started: "started",
  completed: "completed",
  declined: "declined",
  "closed-completed": "completed",
  "closed-declined": "declined",
};
const BLOCKED = 3;

/** Markdown without what only Fider shows: its pictures, and the brackets around a mentioned name. */
function textOf(text: unknown): unknown {
  if (typeof text !== "string") return text;
  return text.replace(/!\[[^\]]*\]\(fider-image:[^)]*\)/g, "").replace(/@\[([^\]]+)\]/g, "@$1");
}

/** Whether a cell says no: a backup has `false`, a dump the text `f` or `false`. */
function isFalse(cell: unknown): boolean {
  return flagIn(String(cell)) === false;
}

/** What is not public in Fider, and why; undefined for everything else. */
function hiddenBy({ deleted_at, is_approved }: Fields): [field: string, what: string] | undefined {
  if (deleted_at) return ["deleted_at", "is set"];
  return isFalse(is_approved) ? ["is_approved", "is false"] : undefined;
}

/** The ids of the tags of posts, by the ids of these. */
type TagsOf = Map<unknown, unknown[]>;

/** The subdomains of the sites in a dump, by their ids. */
type Sites = Map<string, string>;

/** The word for the status of a post. */
function statusOf({ status_slug, status }: Fields): string {
  return String(status_slug ?? STATUSES[Number(status)]?.toLowerCase() ?? "open");
}

/** The statuses of a site: the usual ones, perhaps under names of its own, and others. */
class Statuses {
  readonly #own: Map<string, Fields>;
  readonly #seen = new Set(["duplicate", "deleted"]);

  constructor(rows: Fields[]) {
    this.#own = new Map(rows.map((row) => [String(row.slug), row]));
  }

  isDuplicate(slug: string): boolean {
    return (this.#own.get(slug)?.kind ?? slug) === "duplicate";
  }

  /** The row of a status, once. The backup does not list those that a site has besides the usual ones. */
  *row(place: Place, slug: string): Generator<Row> {
    if (this.#seen.has(slug) || this.isDuplicate(slug)) return;
    this.#seen.add(slug);
    const { label, kind } = this.#own.get(slug) ?? {};
    const name = label ?? slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll("-", " ");
    const category = CATEGORIES[slug] ?? CATEGORIES[String(kind)];
    yield { kind: "status", place, fields: { ref: slug, name, category } };
  }

  *all(place: Place): Generator<Row> {
    for (const name of STATUSES) yield* this.row(place, name.toLowerCase());
    for (const slug of this.#own.keys()) yield* this.row(place, slug);
  }
}

const tables = (tagsOf: TagsOf, statuses: Statuses): Record<string, Table> => ({
  *tags(place, { id, name, color, is_public }) {
    if (isFalse(is_public))
      yield { place, field: "name", value: String(name), what: "is a tag that is not public: left out" };
    else yield { kind: "tag", place, fields: { ref: id, name, color } };
  },

  *users(place, { id, name, email, created_at, status }) {
    yield {
      kind: "account",
      place,
      fields: { ref: id, name, email, at: created_at, blocked: Number(status) === BLOCKED },
    };
  },

  *posts(place, row) {
    const status = statusOf(row);
    if (status === "deleted") {
      yield { place, field: "status", what: "is deleted: the post is left out" };
      return;
    }
    const hidden = hiddenBy(row);
    if (hidden) {
      yield { place, field: hidden[0], what: `${hidden[1]}: the post is left out` };
      return;
    }
    yield* statuses.row(place, status);
    const isDuplicate = statuses.isDuplicate(status);
    const fields = {
      ref: row.id,
      title: row.title,
      body: textOf(row.description),
      author: row.user_id,
      status: isDuplicate ? undefined : status,
      at: row.created_at,
      // Links to a post have its number and its slug.
      slug: row.slug,
      mergedInto: isDuplicate ? row.original_id : undefined,
      response: textOf(row.response),
      responseAt: row.response_date,
      tags: tagsOf.get(row.id),
    };
    yield { kind: "post", place, fields };
  },

  *post_votes(place, { post_id, user_id, created_at }) {
    yield { kind: "vote", place, fields: { post: post_id, voter: user_id, at: created_at } };
  },

  *comments(place, row) {
    const hidden = hiddenBy(row);
    if (hidden) {
      yield { place, field: hidden[0], what: `${hidden[1]}: the comment is left out` };
      return;
    }
    const { id, post_id, user_id, content, created_at } = row;
    const fields = { ref: id, post: post_id, author: user_id, body: textOf(content), at: created_at };
    yield { kind: "comment", place, fields };
  },
});

function renamed(row: Fields): Fields {
  return Object.fromEntries(Object.entries(row).map(([column, cell]) => [EARLIER[column] ?? column, cell]));
}

/** The rows of some tables of a backup, table by table. */
async function* rowsOfBackup(input: Input, wanted: string[]): AsyncGenerator<TableRow | Problem> {
  for (const table of wanted) {
    const file = fileNamed(input, `${table}.json`);
    if (file === undefined) continue;
    for await (const { row, value } of objectsIn(file, await input.open(file))) {
      if (value) yield { place: { file, row }, table, row: renamed(value) };
      else yield { place: { file, row }, field: "row", what: "is too long: left out" };
      // Of these only that they are there is of interest.
      if (UNREAD[table]) break;
    }
  }
}

/** The rows of some tables of a dump, in its order. */
async function* rowsOfDump(input: Input, wanted: string[]): AsyncGenerator<TableRow | Problem> {
  const schemas = new OneSchema();
  for (const file of input.names.filter((name) => !/\.(json|csv)$/i.test(name))) {
    for await (const given of tableRows(file, await input.open(file))) {
      if (isProblem(given)) {
        yield given;
        continue;
      }
      const table = EARLIER[given.table] ?? given.table;
      const column = TABLES[table];
      if (!wanted.includes(table) || (column !== undefined && !(column in given.cells))) continue;
      schemas.expect(given);
      yield { place: given.place, table, row: renamed(given.cells) };
    }
  }
}

/** Reads what posts need of other tables, and which sites there are. */
async function readLinks(rows: AsyncIterable<TableRow | Problem>) {
  const tagsOf: TagsOf = new Map();
  const statuses: Fields[] = [];
  const sites: Sites = new Map();
  const hidden = new Set<unknown>();
  for await (const given of rows) {
    if (isProblem(given)) continue;
    const { post_id, tag_id, id, subdomain, is_public } = given.row;
    if (given.table === "tags" && isFalse(is_public)) hidden.add(id);
    else if (given.table === "post_tags") tagsOf.set(post_id, [...(tagsOf.get(post_id) ?? []), tag_id]);
    else if (given.table === "statuses") statuses.push(given.row);
    else if (given.table === "tenants") sites.set(String(id), String(subdomain));
  }
  for (const [post, tags] of tagsOf)
    tagsOf.set(
      post,
      tags.filter((tag) => !hidden.has(tag)),
    );
  return { tagsOf, statuses, sites };
}

/** The id of the site to read; undefined if there is only one. */
function siteOf(sites: Sites, wanted: string | undefined): string | undefined {
  const named = [...sites].find(([, subdomain]) => subdomain === wanted);
  if (named) return named[0];
  if (sites.size < 2 && wanted === undefined) return undefined;
  const names = [...sites.values()].join(", ") || "none with a name";
  throw new Error(`The dump has these sites: ${names}. Give the subdomain of one of them: --site <subdomain>`);
}

/** Whether a row is of a site; the tables before 2018 do not say it. */
function isOf(site: string | undefined, { tenant_id }: Fields): boolean {
  return site === undefined || tenant_id === undefined || String(tenant_id) === site;
}

export async function* fider(input: Input): AsyncGenerator<Row | Problem> {
  const rowsOf = fileNamed(input, "posts.json") ? rowsOfBackup : rowsOfDump;
  const { sites, tagsOf, ...found } = await readLinks(rowsOf(input, ["post_tags", "tags", "statuses", "tenants"]));
  const site = siteOf(sites, input.site);
  const statuses = new Statuses(found.statuses.filter((status) => isOf(site, status)));
  const known = tables(tagsOf, statuses);
  const unread = new UnreadNamed(UNREAD, SECRETS);
  const seen = new Set<string>();
  for await (const given of rowsOf(input, [...Object.keys(known), ...Object.keys(UNREAD)])) {
    if (isProblem(given)) {
      yield given;
      continue;
    }
    const { place, table, row } = given;
    if (!isOf(site, row)) continue;
    if (seen.size === 0) yield* statuses.all({ file: place.file, row: 0 });
    yield* named(known[table]?.(place, row) ?? [], NAMES);
    yield* unread.secretsIn(place, table, row);
    yield* unread.table(place, table);
    seen.add(table);
  }
  if (!seen.has("posts"))
    throw new Error(
      "There are no posts: give the backup.zip of Fider's administration, or a plain dump (a posts.csv has no votes)",
    );
}
