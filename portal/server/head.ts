import type { Post, Schemas } from "../api.ts";
import { type Activity, comments, type Item, isComment } from "../comments.ts";
import type { Known, Query } from "../data.ts";
import { excerptOf, wordsIn } from "../markdown.ts";
import { posts } from "../posts.ts";
import { type Board, boards, NEUTRAL, namedBoard, site } from "../site.ts";
import { t } from "../text.ts";
import { partsOf, pathOfBoard, pathOfCard, pathOfPost, slugIn } from "./addresses.ts";
import { escaped, jsonInHtml } from "./escaped.ts";

// What search engines and previews of links read in the head of a page.

/** A page that was rendered: its address, its title, and what was read for it. */
export type Rendered = { url: string; statusCode: number; title: string; known: Known };

/** What the head says of a page. `path`: the address under which it is known; absent if it is not to be found. */
type About = { name: string; description: string; path?: string; post?: Post; board?: Board };

function read<T>(known: Known, { key }: Query<T>): T | undefined {
  return known[key]?.data as T | undefined;
}

/** The settings of the site, or neutral ones if they could not be read. */
export function siteOf(known: Known): Schemas["SiteSettings"] {
  return read(known, site()) ?? NEUTRAL;
}

/** As much as previews show. */
const DESCRIPTION = 200;

/** The post that a page shows. */
export function postAt(path: string, known: Known): Post | undefined {
  const slug = slugIn(path);
  return slug === undefined ? undefined : read(known, posts(slug));
}

function aboutPost(post: Post): About {
  const { title, slug, contentMarkdown, status, voters } = post;
  const numbers = `${t("votes", { n: voters.votesCount })} · ${status.name}`;
  const description = excerptOf(contentMarkdown ?? "", DESCRIPTION) || numbers;
  return { name: title, description, path: pathOfPost(slug), post };
}

/** Lists that were searched, and later pages of lists, are not to be found: the first pages lead to all posts. */
function isPassing(query: URLSearchParams): boolean {
  return ["q", "after"].some((name) => query.has(name));
}

function boardAt(url: string, known: Known): Board | undefined {
  const { path, query } = partsOf(url);
  const [, name] = /^\/boards\/([^/]+)$/.exec(path) ?? [];
  const named = name && decodeURIComponent(name);
  const id = query.get("board") ?? undefined;
  const listed = read(known, boards())?.find((board) => (named ? board.url === named : board.id === id));
  return listed ?? read(known, namedBoard(named, id)) ?? undefined;
}

function aboutList(url: string, known: Known): About {
  const { title, description } = siteOf(known);
  const { query } = partsOf(url);
  const board = boardAt(url, known);
  const path = board ? pathOfBoard(board.url) : "/";
  return {
    name: board?.name ?? title,
    description: board?.description || description || board?.name || title,
    ...(!isPassing(query) && { path }),
    ...(board && { board }),
  };
}

function aboutOf({ url, statusCode, title, known }: Rendered): About {
  const { path, query } = partsOf(url);
  const post = postAt(path, known);
  if (post) return aboutPost(post);
  const { description } = siteOf(known);
  const other = { name: title, description: description || title };
  if (statusCode !== 200) return other;
  if (path === "/" || path.startsWith("/boards/")) return aboutList(url, known);
  if (path !== "/roadmap") return other;
  return { ...other, name: t("roadmap"), ...(!isPassing(query) && { path }) };
}

/** The lines of the head that describe the page. */
export function headOf(rendered: Rendered, siteUrl: string): string {
  const about = aboutOf(rendered);
  const { title } = siteOf(rendered.known);
  const lines = [
    `<title>${escaped(rendered.title)}</title>`,
    `<meta name="description" content="${escaped(about.description)}">`,
    ...(about.path === undefined ? [`<meta name="robots" content="noindex">`] : linesOfFound(about, siteUrl)),
    property("og:site_name", title),
    property("og:title", about.name),
    property("og:description", about.description),
    property("og:type", about.post ? "article" : "website"),
    ...linesOfCard(about, siteUrl),
    ...(about.post ? linesOfPost(about.post, rendered.known, siteUrl) : []),
    feed(title, "/feed.xml"),
    feed(`${t("status")} · ${title}`, "/status-changes.xml"),
    ...(about.board ? [feed(`${about.board.name} · ${title}`, `${pathOfBoard(about.board.url)}/feed.xml`)] : []),
  ];
  return lines.join("\n");
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escaped(content)}">`;
}

/** The picture that a preview shows. */
function linesOfCard({ name, post }: About, siteUrl: string): string[] {
  const path = post ? pathOfCard(post.slug) : "/cards/site.png";
  return [
    property("og:image", siteUrl + path),
    property("og:image:type", "image/png"),
    property("og:image:width", "1200"),
    property("og:image:height", "630"),
    property("og:image:alt", name),
    `<meta name="twitter:card" content="summary_large_image">`,
  ];
}

function feed(title: string, path: string): string {
  return `<link rel="alternate" type="application/atom+xml" title="${escaped(title)}" href="${escaped(path)}">`;
}

function linesOfFound({ path }: About, siteUrl: string): string[] {
  const url = `${siteUrl}${path}`;
  return [`<link rel="canonical" href="${escaped(url)}">`, property("og:url", url)];
}

function linesOfPost(post: Post, known: Known, siteUrl: string): string[] {
  const activity = read(known, comments(post.postId, false, false, undefined))?.activity ?? [];
  return [
    property("article:published_time", post.createdAt),
    property("article:modified_time", post.updatedAt),
    `<script type="application/ld+json">${jsonInHtml(discussionOf(post, activity, siteUrl))}</script>`,
  ];
}

/** As much of a text as a search engine gets. */
const TOLD = 2000;

/** A post for search engines: https://schema.org/DiscussionForumPosting, with the comments that the page shows. */
function discussionOf(post: Post, activity: Item[], siteUrl: string): object {
  const url = siteUrl + pathOfPost(post.slug);
  return {
    "@context": "https://schema.org",
    "@type": "DiscussionForumPosting",
    "@id": url,
    url,
    headline: post.title,
    text: wordsIn(post.contentMarkdown ?? "", TOLD) || post.title,
    author: personOf(post.author),
    datePublished: post.createdAt,
    dateModified: post.updatedAt,
    interactionStatistic: [
      statisticOf("LikeAction", post.voters.votesCount),
      statisticOf("CommentAction", post.commentsCount),
    ],
    comment: activity.filter(isComment).map((each) => commentOf(each, url)),
  };
}

function personOf({ name }: Pick<Schemas["Author"], "name">): object {
  return { "@type": "Person", name };
}

function statisticOf(type: string, count: number): object {
  return {
    "@type": "InteractionCounter",
    interactionType: `https://schema.org/${type}`,
    userInteractionCount: count,
  };
}

function commentOf({ id, author, created_at, comment }: Activity, url: string): object {
  return {
    "@type": "Comment",
    url: `${url}?comment=${id}`,
    text: wordsIn(comment.body, TOLD),
    author: personOf(author),
    datePublished: created_at,
  };
}
