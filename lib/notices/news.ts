import { preferencesOf } from "../accounts/preferences.ts";
import { find as findSite } from "../accounts/site.ts";
import type { UserRecord } from "../accounts/users.ts";
import { may } from "../auth/permissions.ts";
import * as boards from "../catalogue/boards.ts";
import * as statusList from "../catalogue/statuses.ts";
import * as events from "../events/events.ts";
import { type Letter, laidOut } from "../mail/layout.ts";
import { quoteOf } from "../mail/markdown.ts";
import { t } from "../mail/texts.ts";
import { unlinked } from "../mail/unlinked.ts";
import * as comments from "../posts/comments.ts";
import * as posts from "../posts/posts.ts";
import { environment } from "../runtime/environment.ts";
import { timeOf } from "../values/ids.ts";
import { kindOf } from "./notices.ts";

/**
 * Reads what an event tells, as it is now; undefined if its post, comment or status is gone, or is for the team only
 * by now. `parentAuthor` is the account whose comment was answered, `only` the account that gets one letter for several
 * comments, of which the event is the last.
 */
export async function newsOf(eventId: string, only?: string) {
  const event = await events.find(eventId);
  const kind = event && kindOf(event);
  if (!kind || !event.postId) return undefined;
  const { postId, commentId, to } = event;
  const find = (id: string | undefined) =>
    id === undefined ? undefined : comments.find({ postId, commentId: id, isInternal: false });
  const [post, comment, { statuses }, site] = await Promise.all([
    posts.find(postId),
    find(commentId),
    statusList.read(),
    findSite(),
  ]);
  const status = statuses.find(({ letter, since = 0 }) => letter === to && since <= timeOf(eventId))?.name;
  const isGone = kind === "comment" ? !comment && !only : kind === "status" && !status;
  if (!post || isGone) return undefined;
  const [parent, board] = await Promise.all([
    find(comment?.parentId),
    post.boardId ? boards.find(post.boardId) : undefined,
  ]);
  const isOnHiddenBoard = board?.display === false;
  return { ...event, kind, post, isOnHiddenBoard, comment, parentAuthor: parent?.author.userId, status, site, only };
}
export type News = NonNullable<Awaited<ReturnType<typeof newsOf>>>;

/** Whether an account gets the news: neither who made them, nor who must not see them or did not ask for them. */
export function isFor(user: UserRecord, { by, isOnHiddenBoard, kind, parentAuthor, only }: News): boolean {
  const { userId, role, isVerified } = user;
  const mail = preferencesOf(user);
  const isReply = [parentAuthor, only].includes(userId);
  const asksFor = kind === "comment" ? mail.comments || (mail.replies && isReply) : mail.status;
  const maySee = isVerified && role !== "suspended" && (!isOnHiddenBoard || may({ role }, "board:read"));
  return Boolean(maySee && asksFor && userId !== by);
}

const TITLE_LENGTH = 80;
const QUOTE_LENGTH = 2000;

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

/** The page of a post, at its comment. */
function pageOf({ slug }: News["post"], comment: News["comment"]): string {
  const place = comment ? `#${comment.commentId}` : "";
  return `${environment().SITE_URL}/posts/${encodeURIComponent(slug)}${place}`;
}

/**
 * The letter of a reader. Texts of users are a name, a title, and the quote; they are cut, the layout escapes them, and
 * only what the team wrote has links.
 */
export function letterFor({ userId, email }: UserRecord, news: News, tokenOf: (scope: string) => string): Letter {
  const { post, comment, parentAuthor, status = "", kind, changed = [], only } = news;
  const { SITE_URL, API_URL = `${SITE_URL}/api/v1` } = environment();
  const title = unlinked(cut(post.title, TITLE_LENGTH));
  const values = { title, status, name: unlinked(comment?.author.name ?? "") };
  const isReply = userId === parentAuthor;
  const texts = only ? "rest" : isReply ? "reply" : kind;
  const response = changed.includes("response") ? post.response?.text : undefined;
  const quote = only ? undefined : (comment?.body ?? response);
  // The owner and moderators have a role; a response is theirs.
  const isTrusted = comment === undefined || comment.author.role !== undefined;
  const leaving = (scope: string) => `${API_URL}/unsubscribe?token=${tokenOf(scope)}`;
  const content = {
    subject: t(`${texts}Subject`, values),
    before: t(`${texts}Text`, values),
    ...(quote && { quote: quoteOf(cut(quote, QUOTE_LENGTH), { isTrusted }) }),
    link: { label: t("openPost"), url: pageOf(post, comment) },
    after: t(isReply ? "whyReply" : "whyPost"),
    footer: [
      { label: t("leavePost"), url: leaving(post.postId) },
      { label: t("leaveAll"), url: leaving("all") },
    ],
  };
  const headers = {
    "List-Unsubscribe": `<${leaving(post.postId)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  return laidOut(email, content, news.site, headers);
}
