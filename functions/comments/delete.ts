import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { CommentId, PostId } from "../../lib/http/inputs.ts";
import * as comments from "../../lib/posts/comments.ts";

/** Deletes a comment: authors their own, moderators and owners any. */
export const handler = defineEndpoint({
  name: "comments-delete",
  route: "DELETE /posts/{postId}/comments/{commentId}",
  access: "bearer",
  permission: "comment:delete:own",
  request: z.object({ params: z.object({ postId: PostId, commentId: CommentId }) }),
  success: 204,
  errors: ["NOT_ENOUGH_PERMISSION", "POST_NOT_FOUND", "COMMENT_NOT_FOUND"],
  table: { USER: ["delete"], POSTS: ["update"], ACTIVITY: ["get", "delete"], NOTES: ["get", "delete"] },
  prefetch: ({ params }) => comments.find({ ...params, isInternal: false }),
  trace: ({ params: { postId, commentId } }) => ({ item: `${postId}/${commentId}` }),
  handle: async ({ params, caller, prefetched, fail, addTrace }) => {
    const seesNotes = may(caller, "comment:view_internal");
    const reread = () => comments.findSeen(params, seesNotes);
    const comment = prefetched ?? (seesNotes ? await comments.find({ ...params, isInternal: true }) : undefined);
    if (!comment) throw fail("COMMENT_NOT_FOUND");
    addTrace({ account: comment.author.userId });
    const isAuthor = comment.author.userId === caller.userId;
    if (!isAuthor && !may(caller, "comment:delete:any")) throw fail("NOT_ENOUGH_PERMISSION", "comment:delete:any");
    if ((await comments.destroy(comment, reread)) === "no such comment") throw fail("COMMENT_NOT_FOUND");
  },
});
