import * as z from "zod/mini";
import type { UsedKey } from "../../accounts/api-keys.ts";
import type { LinkedIdentity } from "../../accounts/identities.ts";
import { AllMails, allMailsOf } from "../../accounts/preferences.ts";
import type { UserRecord } from "../../accounts/users.ts";
import type { CommentRecord } from "../../posts/comments.ts";
import type { Held } from "../../posts/held.ts";
import type { PostRecord } from "../../posts/posts.ts";
import type { OwnReport } from "../../posts/reports.ts";
import { createdAt } from "../../values/ids.ts";
import { ApiKey, apiKeyView, Profile, profileView } from "./accounts.ts";
import { PageInfo } from "./answers.ts";
import { Comment, commentView } from "./comments.ts";
import { OwnFields, ownFields, Subscription } from "./posts.ts";

/** The caller's own account with all that the service holds beside it. */
export const ExportedAccount = z.extend(z.omit(Profile, { isNamed: true }), {
  role: z.string(),
  createdAt: z.string(),
  mails: AllMails,
  identities: z.array(z.object({ issuer: z.string(), linkedAt: z.string() })),
  keys: z.array(ApiKey),
});

/** A page of what the service holds of a person. */
export const PersonalData = z.object({
  account: z.nullable(ExportedAccount),
  posts: z.array(OwnFields),
  comments: z.array(z.extend(Comment, { postId: z.string() })),
  votes: z.array(z.object({ voteId: z.string(), postId: z.string(), createdAt: z.string() })),
  subscriptions: z.array(z.extend(Subscription, { postId: z.string() })),
  held: z.array(
    z.object({
      id: z.string(),
      /** What it is. */
      kind: z.enum(["post", "comment"]),
      since: z.string(),
      /** The title of a post; a comment has none. */
      title: z.nullable(z.string()),
      text: z.nullable(z.string()),
      /** The id of the post that a comment is for; null for a post. */
      forPost: z.nullable(z.string()),
    }),
  ),
  /** What the caller reported. */
  reports: z.array(
    z.object({
      /** The id of the post or comment. */
      id: z.string(),
      /** The post, or the one on which the comment was written. */
      postId: z.string(),
      reportedAt: z.string(),
      /** Why, in the words of the caller; null without any. */
      reason: z.nullable(z.string()),
    }),
  ),
  page_info: z.pick(PageInfo, { has_next_page: true, end_cursor: true }),
});
export type PersonalData = z.infer<typeof PersonalData>;

export function exportedAccountView(user: UserRecord, linked: LinkedIdentity[], keys: UsedKey[]) {
  const { isNamed: _, ...shown } = profileView(user);
  return {
    ...shown,
    role: user.role,
    createdAt: createdAt(user.userId),
    mails: allMailsOf(user),
    identities: linked.map(({ issuer, linkedAt }) => ({ issuer, linkedAt: new Date(linkedAt).toISOString() })),
    keys: keys.map(apiKeyView),
  };
}

type Exported = {
  posts: PostRecord[];
  comments: CommentRecord[];
  votes: { postId: string; voteId: string }[];
  choices: { postId: string; on: boolean }[];
  held: Held[];
  reports: OwnReport[];
};

function exportedHeldView(held: Held) {
  const { id, kind } = held;
  const since = createdAt(id);
  if (held.kind === "comment") return { id, kind, since, title: null, text: held.body, forPost: held.postId };
  return { id, kind, since, title: held.title, text: held.contentMarkdown ?? null, forPost: null };
}

/** A reply does not name what it replies to, which may be a note, unless the person sees notes. */
export function exportedView({ posts, comments, votes, choices, held, reports }: Exported, seesNotes: boolean) {
  return {
    posts: posts.map(ownFields),
    comments: comments.map((comment) => ({
      ...commentView(seesNotes ? comment : { ...comment, parentId: undefined }),
      postId: comment.postId,
    })),
    votes: votes.map(({ postId, voteId }) => ({ voteId, postId, createdAt: createdAt(voteId) })),
    subscriptions: choices.map(({ postId, on }) => ({ postId, isFollowing: on })),
    held: held.map(exportedHeldView),
    reports: reports.map(({ id, postId, at, reason = null }) => {
      return { id, postId, reportedAt: new Date(at).toISOString(), reason };
    }),
  };
}
