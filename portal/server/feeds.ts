import { type Api, answer, Failure, type ListedPost, type Schemas } from "../api.ts";
import { excerptOf, htmlOf } from "../markdown.ts";
import { namedBoard, site } from "../site.ts";
import { pathOfBoard, pathOfPost } from "./addresses.ts";
import { escaped } from "./escaped.ts";

// Feeds of posts for feed readers (Atom, RFC 4287).

const ENTRIES = 20;

/** A longer text is cut to its beginning: twenty of them would make a large feed. */
const LONGEST_TEXT = 4000;

/** When nothing has happened yet: a feed needs a time. */
const NEVER = "1970-01-01T00:00:00.000Z";

type Feed = { title: string; subtitle: string | null | undefined; path: string; page: string; entries: Entry[] };

type Entry = {
  id: string;
  title: string;
  path: string;
  author: string;
  categories: string[];
  /** A line of XML. */
  content: string;
  published: string;
  updated: string;
};

/** The newest posts of the site. */
export async function newPosts(api: Api, siteUrl: string): Promise<string> {
  const [{ title, description }, found] = await Promise.all([site().load(api), newestOf(api)]);
  return feedOf({ title, subtitle: description, path: "/feed.xml", page: "/", entries: found.map(entryOf) }, siteUrl);
}

/** The newest posts of a board. */
export async function postsOfBoard(api: Api, url: string, siteUrl: string): Promise<string> {
  const [{ title }, board] = await Promise.all([site().load(api), namedBoard(url).load(api)]);
  if (!board) throw new Failure(404, "BOARD_NOT_FOUND", url);
  const page = pathOfBoard(url);
  const entries = (await newestOf(api, board.id)).map(entryOf);
  const { name, description } = board;
  return feedOf(
    { title: `${name} · ${title}`, subtitle: description, path: `${page}/feed.xml`, page, entries },
    siteUrl,
  );
}

async function newestOf(api: Api, boardId?: string): Promise<ListedPost[]> {
  const body = { created: "desc" as const, limit: ENTRIES, ...(boardId && { boardId: [boardId] }) };
  return (await answer(api.POST("/posts/get", { body }))).posts;
}

function entryOf({
  postId,
  title,
  slug,
  author,
  status,
  tags,
  board,
  contentMarkdown,
  createdAt,
  updatedAt,
}: ListedPost): Entry {
  return {
    // Its slug follows its title; its id stays.
    id: postId,
    title,
    path: pathOfPost(slug),
    author: author.name,
    categories: [status.name, ...(board ? [board.name] : []), ...tags.map(({ name }) => name)],
    content: contentOf(contentMarkdown ?? ""),
    published: createdAt,
    updated: updatedAt,
  };
}

/** What the team decided: the latest changes of a status. `word`: what tells the feed from the one of posts. */
export async function statusChanges(api: Api, siteUrl: string, word: string): Promise<string> {
  const params = { query: { first: ENTRIES } };
  const read = answer(api.GET("/posts/status-changes", { params }));
  const [{ title, description }, { changes }] = await Promise.all([site().load(api), read]);
  const entries = changes.map((change) => changeEntryOf(change, title));
  const names = { title: `${word} · ${title}`, subtitle: description };
  return feedOf({ ...names, path: "/status-changes.xml", page: "/roadmap", entries }, siteUrl);
}

/** A status that has been deleted since has no name. */
const NAMELESS = "–";

function changeEntryOf({ id, createdAt, from, to, post }: Schemas["PostStatusChange"], author: string): Entry {
  const after = to?.name ?? NAMELESS;
  return {
    id,
    title: `${after}: ${post.title}`,
    path: pathOfPost(post.slug),
    author,
    categories: [after, ...(post.board ? [post.board.name] : [])],
    content: `<summary>${escaped(`${from?.name ?? NAMELESS} → ${after}`)}</summary>`,
    published: createdAt,
    updated: createdAt,
  };
}

function feedOf({ title, subtitle, path, page, entries }: Feed, siteUrl: string): string {
  const updated = entries.map((entry) => entry.updated).reduce((a, b) => (a > b ? a : b), NEVER);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${escaped(siteUrl)}/">
<id>${escaped(siteUrl + path)}</id>
<title>${escaped(title)}</title>${subtitle ? `\n<subtitle>${escaped(subtitle)}</subtitle>` : ""}
<updated>${updated}</updated>
<link rel="self" type="application/atom+xml" href="${escaped(siteUrl + path)}"/>
<link rel="alternate" type="text/html" href="${escaped(siteUrl + page)}"/>
${entries.map((entry) => xmlOf(entry, siteUrl)).join("")}</feed>
`;
}

function xmlOf({ id, title, path, author, categories, content, published, updated }: Entry, siteUrl: string): string {
  return `<entry>
<id>urn:uuid:${id}</id>
<title>${escaped(title)}</title>
<link rel="alternate" type="text/html" href="${escaped(siteUrl + path)}"/>
<published>${published}</published>
<updated>${updated}</updated>
<author><name>${escaped(author)}</name></author>
${categories.map((name) => `<category term="${escaped(name)}"/>\n`).join("")}${content}
</entry>
`;
}

function contentOf(text: string): string {
  if (text.length > LONGEST_TEXT) return `<summary>${escaped(excerptOf(text))}</summary>`;
  return `<content type="html">${escaped(htmlOf(text))}</content>`;
}
