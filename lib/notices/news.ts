import { type Preferences, preferencesOf } from "../accounts/preferences.ts";
import * as site from "../accounts/site.ts";
import type { UserRecord } from "../accounts/users.ts";
import { may } from "../auth/permissions.ts";
import * as boards from "../catalogue/boards.ts";
import * as statuses from "../catalogue/statuses.ts";
import { type Letter, laidOut } from "../mail/layout.ts";
import { t } from "../mail/texts.ts";
import * as comments from "../posts/comments.ts";
import * as posts from "../posts/posts.ts";
import { environment } from "../runtime/environment.ts";
import { letterOf } from "../values/statuses.ts";
import type { Notice } from "./notices.ts";

/** What a notice tells, as it is now. */
export type News = {
  notice: Notice;
  post: posts.PostRecord;
  isOnHiddenBoard: boolean;
  comment: comments.CommentRecord | undefined;
  /** The account whose comment was answered. */
  parentAuthor: string | undefined;
  status: string;
  site: site.Site | undefined;
};

/** Reads what a notice tells; undefined if its post or its comment is gone, or is for the team only by now. */
export async function newsOf(notice: Notice): Promise<News | undefined> {
  const { postId, commentId } = notice;
  const [post, comment, list, ofSite] = await Promise.all([
    posts.find(postId),
    commentId && comments.find({ postId, commentId, isInternal: false }),
    statuses.read(),
    site.find(),
  ]);
  if (!post || (commentId && !comment)) return undefined;
  const parentId = comment ? comment.parentId : undefined;
  const [parent, board] = await Promise.all([
    parentId && comments.find({ postId, commentId: parentId, isInternal: false }),
    post.boardId && boards.find(post.boardId),
  ]);
  return {
    notice,
    post,
    isOnHiddenBoard: board ? !board.display : false,
    comment: comment || undefined,
    parentAuthor: parent ? parent.author.userId : undefined,
    status: list.statuses.find(({ letter }) => letterOf(letter) === letterOf(notice.to))?.name ?? "",
    site: ofSite,
  };
}

function asksFor(mail: Preferences, { comment, parentAuthor }: News, userId: string): boolean {
  if (!comment) return mail.status;
  return mail.comments || (mail.replies && userId === parentAuthor);
}

/** Whether an account gets the news: neither who made them, nor who must not see them or did not ask for them. */
export function isFor(user: UserRecord, news: News): boolean {
  const { userId, role, isVerified = false } = user;
  const seesBoard = !news.isOnHiddenBoard || may({ role }, "board:read");
  const isReader = userId !== news.notice.by && isVerified && role !== "suspended" && seesBoard;
  return isReader && asksFor(preferencesOf(user), news, userId);
}

const TITLE_LENGTH = 80;
const QUOTE_LENGTH = 2000;

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

/** The letter of a reader. Texts of users are in the title, cut, and in the quote; both are escaped by the layout. */
export function letterFor({ userId, email }: UserRecord, news: News, tokenOf: (scope: string) => string): Letter {
  const { notice, post, comment, parentAuthor, status } = news;
  const { SITE_URL, API_URL = `${SITE_URL}/api/v1` } = environment();
  const title = cut(post.title, TITLE_LENGTH);
  const isReply = userId === parentAuthor;
  const kind = comment ? (isReply ? "reply" : "comment") : notice.hasNewStatus ? "status" : "response";
  const quote = comment?.body ?? (notice.hasResponse ? post.response?.text : undefined);
  const leaving = (scope: string) => `${API_URL}/unsubscribe?token=${tokenOf(scope)}`;
  const content = {
    subject: t(`${kind}Subject`, { title, status }),
    before: t(`${kind}Text`, { title, status }),
    ...(quote && { quote: cut(quote, QUOTE_LENGTH) }),
    link: { label: t("openPost"), url: `${SITE_URL}/posts/${post.slug}` },
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
  return { ...laidOut(email, content, news.site), headers };
}
