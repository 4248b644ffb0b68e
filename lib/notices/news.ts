import { preferencesOf } from "../accounts/preferences.ts";
import { find as findSite } from "../accounts/site.ts";
import type { UserRecord } from "../accounts/users.ts";
import { may } from "../auth/permissions.ts";
import * as boards from "../catalogue/boards.ts";
import * as statuses from "../catalogue/statuses.ts";
import * as events from "../events/events.ts";
import { type Letter, laidOut } from "../mail/layout.ts";
import { type Quote, quoteOf } from "../mail/markdown.ts";
import { mailLanguageOf, t } from "../mail/texts.ts";
import { lineOf, unlinked } from "../mail/unlinked.ts";
import * as comments from "../posts/comments.ts";
import { lastOfChain, type MergedPost } from "../posts/merged-posts.ts";
import * as posts from "../posts/posts.ts";
import { environment } from "../runtime/environment.ts";
import { shortened } from "../values/characters.ts";
import type { Changes, changesAt, State } from "./changes.ts";
import { unsubscribeHeaders, unsubscribeLink } from "./unsubscribe-links.ts";

/** The post that news are about, with the site; undefined once it is gone. */
async function aboutPost(postId: string) {
  const [post, site] = await Promise.all([posts.find(postId), findSite()]);
  return post && { post, site, isOnHiddenBoard: await isOnHiddenBoard(post) };
}

async function isOnHiddenBoard({ boardId }: posts.PostRecord): Promise<boolean> {
  const board = boardId === undefined ? undefined : await boards.find(boardId);
  return board?.display === false;
}

/**
 * Reads a comment and its post for a letter, as they are now; undefined if one of them is gone, or is for the team only
 * by now. `parentAuthor` wrote the comment that was answered. `only` gets one letter for several comments: it names
 * none of them, so that the last one, which the event names, is all that is read.
 */
export async function newsOfComment({ eventId, only }: { eventId: string; only: string | undefined }) {
  const { by, postId, commentId } = (await events.find(eventId)) ?? {};
  if (by === undefined || postId === undefined) return undefined;
  const find = (id: string | undefined) =>
    id === undefined ? undefined : comments.find({ postId, commentId: id, isInternal: false });
  const [about, comment] = await Promise.all([aboutPost(postId), find(commentId)]);
  if (!about || (!comment && !only)) return undefined;
  const parent = await find(comment?.parentId);
  return { ...about, eventId, by, kind: "comment" as const, comment, parentAuthor: parent?.author.userId, only };
}

/** Reads what changed on a post, as it is now; undefined if the post is gone. */
export async function newsOfChanges({ postId, last: eventId, by, only }: Changes) {
  const [about, { statuses: all }] = await Promise.all([aboutPost(postId), statuses.read()]);
  if (!about) return undefined;
  const { status: letter, response } = about.post;
  const status = all.find((each) => each.letter === letter)?.name;
  const now: State = { status: letter, response: response?.at };
  return { ...about, eventId, by, kind: "changes" as const, status, response: response?.text, now, only };
}

/** Reads the post in which a merged one continues; undefined if that post is gone. */
export async function newsOfMerge(
  { eventId, only }: { eventId: string; only: string | undefined },
  { post: duplicate }: MergedPost,
) {
  const [event, last] = await Promise.all([events.find(eventId), lastOfChain(duplicate.postId)]);
  const about = event && last && (await aboutPost(last.post.postId));
  if (!about) return undefined;
  const isHidden = about.isOnHiddenBoard || (await isOnHiddenBoard(duplicate));
  return { ...about, isOnHiddenBoard: isHidden, eventId, by: event.by, kind: "merge" as const, duplicate, only };
}

export type NewsOfComment = NonNullable<Awaited<ReturnType<typeof newsOfComment>>>;
export type NewsOfChanges = NonNullable<Awaited<ReturnType<typeof newsOfChanges>>>;
export type NewsOfMerge = NonNullable<Awaited<ReturnType<typeof newsOfMerge>>>;
export type News = NewsOfComment | NewsOfChanges | NewsOfMerge;

function asksForComment(user: UserRecord, { post, parentAuthor, only }: NewsOfComment): boolean {
  const { userId } = user;
  const { comments, replies, ownPosts } = preferencesOf(user);
  const isOwn = ownPosts && post.author.userId === userId;
  return comments || isOwn || (replies && [parentAuthor, only].includes(userId));
}

/** Whether an account gets the news. Not those who caused it, who may not see it, or who did not ask for it. */
export function isFor(user: UserRecord, news: News): boolean {
  const { by, isOnHiddenBoard } = news;
  const { userId, role, isVerified } = user;
  const asksFor = news.kind === "comment" ? asksForComment(user, news) : preferencesOf(user).status;
  const maySee = isVerified && role !== "suspended" && (!isOnHiddenBoard || may({ role }, "board:read"));
  return Boolean(maySee && asksFor && userId !== by);
}

const QUOTE_LENGTH = 2000;

/** The page of a post, at its comment. */
function pageOf({ slug }: News["post"], comment: NewsOfComment["comment"]): string {
  const place = comment ? `#${comment.commentId}` : "";
  return `${environment().SITE_URL}/posts/${encodeURIComponent(slug)}${place}`;
}

/** The content of a letter: its own texts, and a quote of a user. */
type Said = {
  texts: "status" | "response" | "comment" | "reply" | "rest" | "merged";
  values?: Record<string, string>;
  quote?: Quote | undefined;
  why?: "whyPost" | "whyReply";
};

function quoted(text: string | undefined, isTrusted: boolean): Quote | undefined {
  return text === undefined ? undefined : quoteOf(shortened(text, QUOTE_LENGTH), { isTrusted });
}

/** Whether a comment is of the owner or a moderator: these have a role. */
export function isOfTeam(comment: NewsOfComment["comment"]): boolean {
  return comment?.author.role !== undefined;
}

function saidOfComment({ userId }: UserRecord, { comment, parentAuthor, only }: NewsOfComment): Said {
  if (only) return { texts: "rest" };
  const isReply = userId === parentAuthor;
  return {
    texts: isReply ? "reply" : "comment",
    values: { name: unlinked(comment?.author.name ?? "") },
    quote: quoted(comment?.body, isOfTeam(comment)),
    why: isReply ? "whyReply" : "whyPost",
  };
}

function saidOfChanges({ status = "", response }: NewsOfChanges, changes: ReturnType<typeof changesAt>): Said {
  return {
    texts: changes.status ? "status" : "response",
    values: { status },
    quote: changes.response ? quoted(response, true) : undefined,
  };
}

function saidOfMerge({ post, duplicate }: NewsOfMerge): Said {
  return { texts: "merged", values: { title: lineOf(duplicate.title), into: lineOf(post.title) } };
}

type TokenOf = (scope: string) => string;

/** The letter about a comment. */
export function letterOfComment(user: UserRecord, news: NewsOfComment, tokenOf: TokenOf): Letter {
  return letterFor(user, news, saidOfComment(user, news), tokenOf);
}

/** The letter about those changes of a post that are new to the reader. */
export function letterOfChanges(
  user: UserRecord,
  news: NewsOfChanges,
  changes: ReturnType<typeof changesAt>,
  tokenOf: TokenOf,
): Letter {
  return letterFor(user, news, saidOfChanges(news, changes), tokenOf);
}

/** The letter about a merge, to who followed the duplicate. */
export function letterOfMerge(user: UserRecord, news: NewsOfMerge, tokenOf: TokenOf): Letter {
  return letterFor(user, news, saidOfMerge(news), tokenOf);
}

/**
 * The letter of a reader. Texts of users are a name, a title, and the quote; they are cut, the layout escapes them, and
 * only what the team wrote has links.
 */
function letterFor(user: UserRecord, news: News, said: Said, tokenOf: TokenOf): Letter {
  const { post, site } = news;
  const { texts, quote, why = "whyPost" } = said;
  const language = mailLanguageOf(user);
  const values = { title: lineOf(post.title), ...said.values };
  const unsubscribe = (scope: string) => unsubscribeLink(tokenOf(scope));
  const content = {
    language,
    subject: t(`${texts}Subject`, language, values),
    before: t(`${texts}Text`, language, values),
    ...(quote && { quote }),
    link: { label: t("openPost", language), url: pageOf(post, news.kind === "comment" ? news.comment : undefined) },
    after: t(why, language),
    footer: [
      { label: t("leavePost", language), url: unsubscribe(post.postId) },
      { label: t("leaveAll", language), url: unsubscribe("all") },
    ],
  };
  return laidOut(user.email, content, site, unsubscribeHeaders(tokenOf(post.postId)));
}
