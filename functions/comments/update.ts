import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { may, requirePermissions } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { textAgainst } from "../../lib/http/held.ts";
import { CommentId, PostId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { MERGED_POSTS } from "../../lib/http/merged-posts.ts";
import { withoutHiddenOrigins } from "../../lib/http/moved-comments.ts";
import { readComment, readCommentThere } from "../../lib/http/one-comment.ts";
import { Comment, commentView } from "../../lib/http/resources/comments.ts";
import { CommentBody } from "../../lib/http/text-inputs.ts";
import { changeComment } from "../../lib/posts/comment-changes.ts";
import * as comments from "../../lib/posts/comments.ts";
import { reasonAgainstChange } from "../../lib/posts/holding.ts";

const body = z.object({ body: optional(CommentBody), is_internal: optional(z.boolean()) }).check(
  z.refine((fields) => (fields.body ?? fields.is_internal) !== undefined, {
    path: ["body"],
    params: { code: "COMMENT_BODY_MISSING" },
  }),
);

/**
 * Changes a comment: authors their own, moderators and owners all. Moderators and owners can turn a comment into a note
 * and back with `is_internal`. If a reply to a note becomes public, it becomes a reply to the post.
 * NEEDS_APPROVAL: an author put in what the team looks at first (docs/api.md#moderation).
 */
export const handler = defineEndpoint({
  name: "comments-update",
  route: "PUT /posts/{postId}/comments/{commentId}",
  permission: "comment:update:own",
  request: z.object({ params: z.object({ postId: PostId, commentId: CommentId }), body }),
  response: z.object({ comment: Comment }),
  errors: ["NEEDS_APPROVAL", "POST_NOT_FOUND", "COMMENT_NOT_FOUND", "COMMENT_BODY_MISSING"],
  table: {
    ...MERGED_POSTS,
    SITE: ["get"],
    USER: ["query", "update"],
    POSTS: ["get", "update"],
    ACTIVITY: ["get", "query", "put", "update", "delete"],
    NOTES: ["get", "put", "update", "delete"],
    ...NEW_EVENT,
  },
  prefetch: async ({ params }) => {
    const [read, ofSite] = await Promise.all([readComment(params), site.find()]);
    return { read, policy: ofSite?.moderation };
  },
  audit: "comment.updated",
  trace: ({ params: { postId, commentId } }) => ({ item: `${postId}/${commentId}` }),
  handle: async ({ params, body: { body, is_internal }, caller, prefetched, fail, addTrace }) => {
    const read = prefetched.read ?? (await readCommentThere(params, caller));
    if (!read) throw fail("POST_NOT_FOUND");
    const { named, found } = read;
    const seesNotes = may(caller, "comment:view_internal");
    const reread = () => comments.findSeen(named, seesNotes);
    const comment = found ?? (seesNotes ? await comments.find({ ...named, isInternal: true }) : undefined);
    if (!comment) throw fail("COMMENT_NOT_FOUND");
    const isNote = is_internal ?? comment.isInternal;
    // A merge may have moved it.
    addTrace({
      item: `${comment.postId}/${comment.commentId}`,
      account: comment.author.userId,
      to: isNote ? "note" : undefined,
    });
    const isAuthor = comment.author.userId === caller.userId;
    const turns = isNote !== comment.isInternal;
    requirePermissions(caller, !isAuthor && "comment:update:any", turns && "comment:create_internal");
    const edited = { before: comment.body, after: body ?? comment.body };
    const reason = comment.isInternal
      ? undefined
      : await reasonAgainstChange(prefetched.policy, "comment", caller, [edited]);
    if (reason) throw fail("NEEDS_APPROVAL", textAgainst(reason));
    const changed = await changeComment(comment, reread, { body, isInternal: is_internal, by: caller.userId });
    if (!changed) throw fail("COMMENT_NOT_FOUND");
    if (changed === "no such post") throw fail("POST_NOT_FOUND");
    const seen = seesNotes ? [changed] : await comments.withoutNoteParents([changed]);
    const [shown = changed] = await withoutHiddenOrigins(seen, caller);
    return { comment: commentView(shown, { seesBy: seesNotes }) };
  },
});
