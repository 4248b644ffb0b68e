import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import type { Caller } from "../../lib/http/callers.ts";
import { HOLDS, holdForTeam } from "../../lib/http/held.ts";
import { CommentId, PostId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { MERGED_POSTS, onPost } from "../../lib/http/merged-posts.ts";
import { NEW_COMMENTS } from "../../lib/http/rate-limits.ts";
import { Activity, activityView } from "../../lib/http/resources/comments.ts";
import { CommentBody } from "../../lib/http/text-inputs.ts";
import { addComment } from "../../lib/posts/comment-changes.ts";
import * as comments from "../../lib/posts/comments.ts";
import { type HeldFor, reasonsToHold } from "../../lib/posts/holding.ts";
import { invalid } from "../../lib/runtime/errors.ts";
import type { IdempotencyPart } from "../../lib/table/idempotency.ts";
import { newId } from "../../lib/values/ids.ts";
import * as votes from "../../lib/votes/votes.ts";

const input = z.object({
  params: z.object({ postId: PostId }),
  body: z.object({ body: CommentBody, is_internal: optional(z.boolean()), parent_id: optional(CommentId) }),
});

function newComment(
  { params: { postId }, body: { body, is_internal: isInternal = false, parent_id: parentId } }: z.output<typeof input>,
  author: users.Person,
  commentId: string,
): comments.CommentRecord {
  return { postId, commentId, author: users.shownOf(author), body, isInternal, parentId };
}

/** Throws unless the comment that a new one answers is there, and is a note only if the new one is. */
async function checkParent(
  { postId, parentId, isInternal }: comments.CommentRecord,
  caller: Caller,
  fail: (code: "COMMENT_NOT_FOUND") => Error,
): Promise<void> {
  if (parentId === undefined) return;
  const seesNotes = isInternal || may(caller, "comment:view_internal");
  const parent = await comments.findSeen({ postId, commentId: parentId }, seesNotes);
  if (!parent) throw fail("COMMENT_NOT_FOUND");
  if (parent.isInternal && !isInternal) throw invalid("body.is_internal", "custom", "A reply to a note is a note");
}

/** Holds a comment on a post that is there, or on the one in which it continues. */
async function holdComment(
  { postId, commentId, author, body, parentId }: comments.CommentRecord,
  reasons: HeldFor[],
  idempotencyPart: IdempotencyPart<{ commentId: string; held: true }>,
): Promise<"held" | "no such post" | "locked"> {
  const voters = await votes.summary(postId);
  if (!voters) return "no such post";
  if (voters.isLocked) return "locked";
  const held = { id: commentId, kind: "comment", userId: author.userId, reasons, postId, body, parentId } as const;
  await holdForTeam(held, idempotencyPart?.({ commentId, held: true }));
  return "held";
}

/**
 * Comments on a post, or replies to a comment. An internal comment is a note: only moderators and owners write and read
 * notes. If the parent of a reply is deleted, the reply keeps its id. On a locked post only moderators and owners
 * comment. With `held` the team looks at the comment before others see it (docs/api.md#moderation).
 */
export const handler = defineEndpoint({
  name: "comments-create",
  route: "POST /posts/{postId}/comments",
  permission: "comment:create",
  permissionsOf: ({ body }) => (body.is_internal ? ["comment:create_internal"] : []),
  needsVerified: true,
  request: input,
  success: 201,
  response: z.object({ activity: Activity, held: z.optional(z.literal(true)) }),
  errors: ["POST_NOT_FOUND", "COMMENT_NOT_FOUND", "COMMENT_BODY_MISSING", "POST_LOCKED"],
  table: {
    ...MERGED_POSTS,
    ...HOLDS,
    POSTS: ["get", "update"],
    ACTIVITY: ["get", "put"],
    NOTES: ["get", "put"],
    ...NEW_EVENT,
  },
  idempotency: z.object({ commentId: z.string(), held: z.optional(z.literal(true)) }),
  callLimits: NEW_COMMENTS,
  prefetch: async ({ params: { postId } }) => {
    const [voters, ofSite] = await Promise.all([votes.summary(postId), site.find()]);
    return { voters, policy: ofSite?.moderation };
  },
  audit: "comment.created",
  trace: ({ params: { postId }, body: { is_internal }, result }) => ({
    item: `${postId}/${result?.activity.id ?? ""}`,
    to: is_internal ? "note" : undefined,
  }),
  handle: async ({ params, body, caller, prefetched: { voters, policy }, fail, idempotencyPart, addTrace }) => {
    const comment = newComment({ params, body }, caller, newId());
    const reasons = comment.isInternal ? [] : await reasonsToHold(policy, "comment", caller, [comment.body]);
    const holds = reasons.length > 0;
    const { postId, outcome } = await onPost(params.postId, caller, async (id, isFirst) => {
      if (isFirst && !voters) return "no such post";
      addTrace({ item: `${id}/${comment.commentId}` });
      await checkParent({ ...comment, postId: id }, caller, fail);
      if (holds) return holdComment({ ...comment, postId: id }, reasons, idempotencyPart);
      return addComment({ ...comment, postId: id }, { isOfTeam: may(caller, "post:moderate"), idempotencyPart });
    });
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    if (outcome === "locked") throw fail("POST_LOCKED");
    return { activity: activityView({ ...comment, postId }), ...(holds && { held: true as const }) };
  },
  replay: async ({ commentId, held }, { params, body, caller }) => ({
    activity: activityView(newComment({ params, body }, caller, commentId)),
    held,
  }),
});
