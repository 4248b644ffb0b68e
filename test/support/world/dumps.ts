import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

// Dumps of other portals, all made of one made-up portal, with the difficulties of real dumps: byte order marks, CR LF,
// quotes, line breaks in cells, emoji, HTML, texts that are too long, bad dates, double votes, deleted people, merged
// posts, and secrets that must not come in.

export type Person = { id: string; email: string; name: string; at: string; role: string; isBlocked?: boolean };
export type Post = {
  id: string;
  title: string;
  body: string;
  author: string;
  board: string;
  status: string;
  at: string;
  mergedInto?: string;
  isInternal?: boolean;
};
export type Comment = {
  id: string;
  post: string;
  author: string;
  body: string;
  isInternal: boolean;
  at: string;
  parent?: string;
};
export type Vote = { post: string; voter: string; at: string };
export type Portal = { people: Person[]; posts: Post[]; comments: Comment[]; votes: Vote[] };

export const BOARDS = ["Ideas", "Bugs"];

/** What no import brings in: each dump has these where roles, confirmations, hashes, tokens and keys stand. */
export const canaries = Array.from({ length: 30 }, (_, n) => `canary-${String(n).padStart(2, "0")}`);
let nextCanary = 0;
function canary(): string {
  return canaries[nextCanary++ % canaries.length] as string;
}

const START = Date.UTC(2023, 0, 1);
function timeAt(n: number): string {
  return new Date(START + n * 600_000).toISOString();
}

function idOf(kind: number, n: number): string {
  return `00000000-0000-4000-800${kind}-${String(n).padStart(12, "0")}`;
}

export const LONG = `${"A long text with words. ".repeat(900)}end`.slice(0, 20_001);

/** What is special about the first posts of each hundred; `mergedInto` counts within the hundred. */
const special: Partial<Post>[] = [
  { title: "Dark mode", body: 'He said "now", then\nleft; a\ttab, a \\ and a comma' },
  { title: "Emoji 👩‍👩‍👧 and 🇫🇷", body: "日本語のテキスト" },
  { title: "A text of 20,001 characters", body: LONG },
  { title: "A bad date", at: "2023-02-31 25:00:00" },
  {
    title: "Rich text",
    body: '<p>Hello <strong>you</strong></p><script>alert(1)</script><p><a href="javascript:alert(1)">x</a></p>',
  },
  { title: `A title that is too long ${"word ".repeat(60)}`, body: "Body" },
  { title: "=SUM(A1:A9)", body: "+1" },
  { title: "Of a deleted person", author: "gone" },
  { title: "Dark theme", body: "The same", mergedInto: "0" },
  { title: "Night mode", body: "The same again", mergedInto: "8" },
];

const HUNDRED = 100;

type Size = { posts: number; votes: number; people: number };

/** A portal of some size, with at least five votes a post; the same each time. */
export function portalOf({ posts = 12, votes = posts * 5, people = 12 }: Partial<Size> = {}): Portal {
  const persons: Person[] = Array.from({ length: people }, (_, n) => ({
    id: idOf(1, n),
    email: n === 1 ? "" : `Person.${n}@Example.com`,
    name: n === 1 ? "" : `Person ${n}`,
    at: timeAt(n),
    role: n === 0 ? "owner" : "member",
    ...(n === 2 && { isBlocked: true }),
  }));
  const authorOf = (n: number) => (persons[n % people] as Person).id;
  const made: Post[] = Array.from({ length: posts }, (_, n) => {
    const { author, mergedInto, ...given } = special[n % HUNDRED] ?? {};
    return {
      id: idOf(2, n),
      title: `Wish ${n}`,
      body: `The text of wish ${n}`,
      board: BOARDS[n % 2] as string,
      status: ["Open", "Planned", "Completed"][n % 3] as string,
      at: timeAt(1000 + n),
      ...given,
      author: author === "gone" ? (persons[1] as Person).id : authorOf(n + 2),
      ...(mergedInto !== undefined && { mergedInto: idOf(2, n - (n % HUNDRED) + Number(mergedInto)) }),
    };
  });
  // All but the owner and the deleted person vote, ten of them for a post and the next ten for the next.
  const voterOf = (post: number, turn: number) => authorOf(2 + ((post * 10 + turn) % (people - 2)));
  const cast: Vote[] = Array.from({ length: votes }, (_, n) => {
    const post = Math.floor(n / 5) % posts;
    const turn = (n % 5) + Math.floor(n / (5 * posts)) * 5;
    return { post: (made[post] as Post).id, voter: voterOf(post, turn), at: timeAt(2000 + n) };
  });
  const firsts = cast.slice(0, posts * 5).filter((_, n) => n % (5 * HUNDRED) === 0);
  const comments: Comment[] = Array.from({ length: posts }, (_, n) => ({
    id: idOf(3, n),
    post: (made[n] as Post).id,
    author: authorOf(n + 3),
    body: n % HUNDRED === 2 ? LONG.slice(0, 6000) : `A comment 😀 on wish ${n}, "quoted"`,
    isInternal: n % 4 === 0,
    at: timeAt(3000 + n),
  }));
  // In each hundred a person votes twice, and one votes for a post that is not there.
  const wrong = firsts.flatMap((first) => [
    { ...first, at: timeAt(5000) },
    { ...first, post: idOf(2, 999_999) },
  ]);
  return { people: persons, posts: made, comments, votes: [...cast, ...wrong] };
}

const personIn = ({ people }: Portal, id: string) => people.find((person) => person.id === id) as Person;

/** The people by their ids, for the renderings of large portals. */
function finder(portal: Portal): (id: string) => Person {
  const byId = new Map(portal.people.map((person) => [person.id, person]));
  return (id) => byId.get(id) ?? personIn(portal, id);
}

type Files = Record<string, string>;

function cell(value: string | number | boolean | undefined): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A file as programs on Windows write it: a byte order mark, CR LF. */
function ofWindows(text: string): string {
  return `\ufeff${text.replaceAll("\n", "\r\n")}`;
}

/** JSON of many lines; within its texts a line break is written as `\\n`. */
function json(value: unknown): string {
  return ofWindows(JSON.stringify(value, undefined, 1));
}

/** A sheet as spreadsheet programs write it: a byte order mark, CR LF. */
function sheet(headings: string, rows: (string | number | boolean | undefined)[][]): string {
  return `\ufeff${[headings, ...rows.map((row) => row.map(cell).join(","))].join("\r\n")}\r\n`;
}

function jsonl({ people, posts, comments, votes }: Portal): Files {
  const lines = [
    ...people.map(({ id, isBlocked, ...person }) => ({
      ...{ kind: "account", ref: id, ...person, blocked: isBlocked, isVerified: true },
      ...{ passwordHash: canary(), apiKey: canary(), token: canary(), tokenVersion: 9 },
    })),
    ...BOARDS.map((name) => ({ kind: "board", ref: name, name })),
    ...["Open", "Planned", "Completed"].map((name) => ({ kind: "status", ref: name, name })),
    ...posts.map(({ id, ...post }, n) => ({ kind: "post", ref: id, ...post, slug: `wish-${n}` })),
    ...comments.map(({ id, isInternal, ...comment }) => ({
      kind: "comment",
      ref: id,
      ...comment,
      internal: isInternal,
    })),
    ...votes.map((vote) => ({ kind: "vote", ...vote })),
  ];
  return { "portal.jsonl": `\ufeff${lines.map((line) => JSON.stringify(line)).join("\r\n")}\r\nno JSON\r\n` };
}

function csv(portal: Portal): Files {
  const find = finder(portal);
  const posts = portal.posts.map(({ id, title, body, author, board, status, at }) => {
    const { name, email, role } = find(author);
    return [id, title, body, status, board, name, email, at, 7, role, canary(), canary()];
  });
  const comments = portal.comments.map(({ post, author, body, isInternal, at }) => {
    const { name, email } = find(author);
    return [post, body, name, email, at, isInternal, canary()];
  });
  const votes = portal.votes.map(({ post, voter, at }) => [post, find(voter).email, at, canary()]);
  return {
    "posts.csv": sheet(
      "Source ID,Title,Content,Status,Board,Author name,Author email,Created at,Vote count,Role,API key,Password hash",
      posts,
    ),
    "comments.csv": sheet("post_source_id,body,author_name,author_email,created_at,is_internal,is_confirmed", comments),
    "votes.csv": sheet("post_source_id,email,created_at,token", votes),
  };
}

function copied(value: string | boolean | undefined): string {
  if (value === undefined) return "\\N";
  if (typeof value === "boolean") return value ? "t" : "f";
  const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
  return value.replace(/[\\\t\n\r]/g, (character) => escapes[character] as string);
}

/** A table as `pg_dump` writes it. */
export function copy(table: string, columns: string, rows: (string | boolean | undefined)[][]): string {
  return [
    `COPY public.${table} (${columns}) FROM stdin;`,
    ...rows.map((row) => row.map(copied).join("\t")),
    "\\.",
    "",
  ].join("\n");
}

/** A time as PostgreSQL writes it, to the microsecond. */
function postgres(at: string): string {
  return at.replace("T", " ").replace("Z", "456+00");
}

function logchimp({ people, posts, comments, votes }: Portal): Files {
  const blocks = [
    "--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\n",
    copy(
      "boards",
      `"boardId", name, url, color, display`,
      BOARDS.map((name) => [name, name, name.toLowerCase(), "ff0000", true]),
    ),
    copy(
      "auth_identities",
      `id, "userId", provider, "providerId"`,
      people.map(({ id }, n) => [String(n), id, "github", canary()]),
    ),
    copy(
      '"emailVerification"',
      "email, token",
      people.map(({ email }) => [email, canary()]),
    ),
    copy(
      "posts",
      `"postId", title, slug, "slugId", "contentMarkdown", "userId", "boardId", roadmap_id, "createdAt"`,
      posts.map(({ id, title, body, author, board, status, at }, n) => [
        ...[id, title, `wish-${n}-ab12`, "ab12", body, author, board, status === "Open" ? undefined : status],
        postgres(at),
      ]),
    ),
    copy(
      "posts_activity",
      "id, type, posts_comments_id, post_id, author_id, created_at",
      comments.map(({ id, post, author, at }) => [`activity of ${id}`, "comment", id, post, author, postgres(at)]),
    ),
    copy(
      "posts_comments",
      "id, parent_id, activity_id, body, is_edited, is_spam, is_internal, created_at, updated_at",
      comments.map(({ id, body, isInternal, at }) => [
        id,
        undefined,
        `activity of ${id}`,
        body,
        false,
        false,
        isInternal,
        postgres(at),
        postgres(at),
      ]),
    ),
    copy(
      "roadmaps",
      "id, name, url, color, display, index",
      ["Planned", "Completed"].map((name, n) => [name, name, name.toLowerCase(), "00ff00", true, String(n)]),
    ),
    copy(
      '"resetPassword"',
      "email, token",
      people.map(({ email }) => [email, canary()]),
    ),
    copy("roles", "id, name", [["1", canary()]]),
    copy(
      "users",
      `"userId", name, email, password, username, avatar, "isVerified", "isOwner", "isBlocked", "createdAt"`,
      people.map(({ id, name, email, role, isBlocked, at }) => [
        ...[id, name, email, `$2a$10$${canary()}`, canary(), undefined, true, role === "owner", isBlocked === true],
        postgres(at),
      ]),
    ),
    copy(
      "votes",
      `"voteId", "userId", "postId", "createdAt"`,
      votes.map(({ post, voter, at }, n) => [idOf(4, n), voter, post, postgres(at)]),
    ),
  ];
  return { "logchimp.sql": ofWindows(blocks.join("\n")) };
}

function fider({ people, posts, comments, votes }: Portal): Files {
  const numbers = new Map([...people, ...posts].map(({ id }, n) => [id, n + 1]));
  const numberOf = (id: string) => numbers.get(id) ?? 999_999;
  const status = (name: string) => ({ Open: 0, Completed: 2, Planned: 4 })[name] ?? 0;
  const tables = {
    users: people.map(({ id, name, email, at, role, isBlocked }) => ({
      ...{ id: numberOf(id), name, email, created_at: at, role: role === "owner" ? 3 : 1, status: isBlocked ? 3 : 1 },
      api_key: canary(),
    })),
    posts: posts.map(({ id, title, body, author, at, status: name, mergedInto }, n) => ({
      ...{ id: numberOf(id), number: n, title, slug: `wish-${n}`, description: body, user_id: numberOf(author) },
      ...{ created_at: at, status: mergedInto ? 5 : status(name) },
      ...(mergedInto && { original_id: numberOf(mergedInto) }),
      ...(n === 1 && { response: "We are on it", response_date: at, response_user_id: 1 }),
    })),
    post_votes: votes.map(({ post, voter, at }) => ({
      post_id: numberOf(post),
      user_id: numberOf(voter),
      created_at: at,
    })),
    comments: comments.map(({ id, post, author, body, at }) => ({
      ...{
        id: Number(id.slice(-9)),
        post_id: numberOf(post),
        user_id: numberOf(author),
        content: body,
        created_at: at,
      },
    })),
    oauth_providers: [{ client_id: canary(), client_secret: canary() }],
    email_verifications: people.map(({ email }) => ({ email, key: canary(), verified_at: canary() })),
    user_providers: people.map(({ id }) => ({ user_id: numberOf(id), provider: "github", provider_uid: canary() })),
    tags: [{ id: 1, name: "tag" }],
  };
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [`${name}.json`, json(rows)]));
}

function quackback(portal: Portal): Files {
  const find = finder(portal);
  return {
    "manifest.json": json({ format_version: 1, generator: canary(), api_key: canary() }),
    "users.csv": sheet(
      "name,email,verified,lifecycle,segments,joined_at",
      portal.people
        .filter(({ email }) => email)
        .map(({ name, email, role, at }) => [name, email, true, role, canary(), at]),
    ),
    "boards.csv": sheet(
      "id,slug,name,description",
      BOARDS.map((name, n) => [`board_${n}`, name.toLowerCase(), name, "About it"]),
    ),
    "statuses.csv": sheet(
      "id,name,slug,color,category",
      ["Open", "Planned", "Completed"].map((name, n) => [
        n,
        name,
        name,
        "#00ff00",
        name === "Completed" ? "complete" : "active",
      ]),
    ),
    "posts.csv": sheet(
      "id,title,content,status,tags,board,author_name,author_email,vote_count,created_at",
      portal.posts.map(({ id, title, body, status, board, author, at }) => [
        id,
        title,
        body,
        status,
        "",
        board,
        find(author).name,
        find(author).email,
        3,
        at,
      ]),
    ),
    "post_comments.csv": sheet(
      "id,post_id,parent_id,author_name,author_email,is_team_member,is_private,moderation_state,content,created_at",
      portal.comments.map(({ id, post, author, body, isInternal, at }) => [
        id,
        post,
        "",
        find(author).name,
        find(author).email,
        true,
        isInternal,
        "approved",
        body,
        at,
      ]),
    ),
    "post_votes.csv": sheet(
      "id,post_id,voter_email,source_type,created_at",
      portal.votes.map(({ post, voter, at }, n) => [n, post, find(voter).email, canary(), at]),
    ),
  };
}

/** A time as UserVoice writes it, in UTC. */
function seconds(at: string): string {
  return /\d\dT/.test(at) ? at.slice(0, 19).replace("T", " ") : at;
}

/** The id of an idea, in its address too: UserVoice counts. */
function ideaIdOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : String(1000 + Number(id.slice(-9)));
}

function uservoice(portal: Portal): Files {
  const find = finder(portal);
  const byId = new Map(portal.posts.map((post) => [post.id, post]));
  const rows = portal.votes.flatMap(({ post: id, voter, at }) => {
    const post = byId.get(id);
    if (!post) return [];
    const { name, email } = find(post.author);
    const own = [
      ideaIdOf(post.id),
      post.title,
      post.body,
      name,
      email,
      post.board,
      post.status,
      "",
      "approved",
      "[]",
      seconds(post.at),
      ideaIdOf(post.mergedInto),
    ];
    return [[...own, find(voter).email, seconds(at), canary()]];
  });
  return {
    "ideas.csv": sheet(
      "Idea Id,Idea Title,Idea Description,Idea Creator Name,Idea Creator Email Address,Forum Name,Public Status Name,Public Status Update Message,Moderation State,Labels,Created Timestamp,suggestion.parent.id,User Email Address,Linked Idea Creation Date,Token",
      rows,
    ),
    "comments.csv": sheet(
      "suggestionId,text,userEmail,userName,createdAt",
      portal.comments.map(({ post, body, author, at }) => [
        ideaIdOf(post),
        body,
        find(author).email,
        find(author).name,
        at,
      ]),
    ),
  };
}

function canny(portal: Portal): Files {
  const find = finder(portal);
  const person = (id: string) => {
    const { email, name, role } = find(id);
    return { id, email, name, isAdmin: role === "owner", userID: canary(), customFields: { passwordHash: canary() } };
  };
  const live = portal.posts.filter(({ mergedInto }) => mergedInto === undefined);
  const byId = new Map(portal.posts.map((post) => [post.id, post]));
  const lastOf = (post: Post): string => {
    const into = byId.get(post.mergedInto ?? "");
    return into ? lastOf(into) : post.id;
  };
  const merged = portal.posts.filter((post) => post.mergedInto !== undefined);
  const mergedInto = Map.groupBy(merged, lastOf);
  const posts = live.map(({ id, title, body, author, board, status, at }, n) => ({
    ...{
      id,
      title,
      details: body,
      author: person(author),
      board: { id: board },
      created: at,
      url: `https://x.canny.io/ideas/p/wish-${n}`,
    },
    status: { Open: "open", Planned: "planned", Completed: "complete" }[status],
    mergeHistory: (mergedInto.get(id) ?? []).map((post) => ({
      created: post.at,
      post: { id: post.id, title: post.title, details: post.body, author: person(post.author) },
    })),
  }));
  const votes = portal.votes.map(({ post, voter, at }) => ({ post: { id: post }, voter: person(voter), created: at }));
  const comments = portal.comments.map(({ id, post, author, body, isInternal, at }) => ({
    ...{
      id,
      post: { id: post },
      author: person(author),
      value: body,
      internal: isInternal,
      created: at,
      parentID: null,
    },
  }));
  return {
    "boards-1.json": json({ boards: BOARDS.map((name) => ({ id: name, name, token: canary() })) }),
    "posts-1.json": json({ posts }),
    "votes-1.json": json({ votes }),
    "comments-1.json": json({ items: comments }),
  };
}

/** A dump of Fider's database with two sites, "acme" and "beta". */
export const fiderSites = [
  copy("tenants", "id, subdomain", [
    ["1", "acme"],
    ["2", "beta"],
  ]),
  copy("posts", "id, title, tenant_id", [
    ["1", "Of acme", "1"],
    ["2", "Of beta", "2"],
  ]),
].join("\n");

const renderings: Record<string, (portal: Portal) => Files> = {
  logchimp,
  fider,
  quackback,
  uservoice,
  canny,
  csv,
  jsonl,
};
export const sourceNames = Object.keys(renderings);

/** Sources that people get as an archive. */
const ARCHIVED = new Set(["fider", "quackback"]);

/** Writes the dump of a portal into a folder, as people get it. Returns what the command is given. */
export function writeDump(folder: string, source: string, portal: Portal): string {
  nextCanary = 0;
  const files = renderings[source]?.(portal) ?? {};
  if (ARCHIVED.has(source)) {
    const archive = join(folder, `${source}.zip`);
    writeFileSync(archive, zip(files));
    return archive;
  }
  const [only, ...others] = Object.keys(files);
  const target = others.length > 0 ? join(folder, source === "csv" ? "sheets" : source) : folder;
  mkdirSync(target, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(target, name), text);
  return others.length > 0 ? target : join(folder, only as string);
}

/** A ZIP archive whose files are stored as they are. */
function zip(files: Files): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const path = Buffer.from(name);
    const content = Buffer.from(text);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x21, 8);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(content.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(path.length, 22);
    const head = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, path, content]);
    const entry = Buffer.alloc(46);
    entry.write("PK\u0001\u0002", "latin1");
    entry.writeUInt16LE(20, 4);
    shared.copy(entry, 6);
    entry.writeUInt32LE(at, 42);
    parts.push(head);
    directory.push(Buffer.concat([entry, path]));
    at += head.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
