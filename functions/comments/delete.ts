import * as z from "zod/mini";
import { may, requirePermissions } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { CommentId, PostId } from "../../lib/http/id-inputs.ts";
import { MERGED_POSTS } from "../../lib/http/merged-posts.ts";
import { readComment, readCommentThere } from "../../lib/http/one-comment.ts";
import { deleteComment } from "../../lib/posts/comment-changes.ts";
import * as comments from "../../lib/posts/comments.ts";

/** Deletes a comment: authors their own, moderators and owners all. */
export const handler = defineEndpoint({
  name: "comments-delete",
  route: "DELETE /posts/{postId}/comments/{commentId}",
  permission: "comment:delete:own",
  request: z.object({ params: z.object({ postId: PostId, commentId: CommentId }) }),
  success: 204,
  errors: ["POST_NOT_FOUND", "COMMENT_NOT_FOUND"],
  table: {
    ...MERGED_POSTS,
    USER: ["delete"],
    HELD: ["delete"],
    POSTS: ["get", "update"],
    ACTIVITY: ["get", "delete"],
    NOTES: ["get", "delete"],
    ...NEW_EVENT,
  },
  prefetch: ({ params }) => readComment(params),
  audit: "comment.deleted",
  trace: ({ params: { postId, commentId } }) => ({ item: `${postId}/${commentId}` }),
  handle: async ({ params, caller, prefetched, fail, addTrace }) => {
    const read = prefetched ?? (await readCommentThere(params, caller));
    if (!read) throw fail("POST_NOT_FOUND");
    const { named, found } = read;
    const seesNotes = may(caller, "comment:view_internal");
    const reread = () => comments.findSeen(named, seesNotes);
    const comment = found ?? (seesNotes ? await comments.find({ ...named, isInternal: true }) : undefined);
    if (!comment) throw fail("COMMENT_NOT_FOUND");
    // A merge may have moved it.
    addTrace({
      item: `${comment.postId}/${comment.commentId}`,
      account: comment.author.userId,
      to: comment.isInternal ? "note" : undefined,
    });
    const isAuthor = comment.author.userId === caller.userId;
    requirePermissions(caller, !isAuthor && "comment:delete:any");
    const outcome = await deleteComment(comment, reread, caller.userId);
    if (!outcome) throw fail("COMMENT_NOT_FOUND");
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
  },
});
