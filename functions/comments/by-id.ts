import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { CommentId, PostId } from "../../lib/http/id-inputs.ts";
import { MERGED_POSTS, readWhereItContinues } from "../../lib/http/merged-posts.ts";
import { withoutHiddenOrigins } from "../../lib/http/moved-comments.ts";
import { Activity, activityView } from "../../lib/http/resources/comments.ts";
import * as comments from "../../lib/posts/comments.ts";
import * as votes from "../../lib/votes/votes.ts";

/** A public comment of a post, with its voters; undefined without the post. */
async function readComment(postId: string, commentId: string) {
  const [voters, found] = await Promise.all([
    votes.summary(postId),
    comments.findByQuery({ postId, commentId, isInternal: false }),
  ]);
  return voters && { postId, found };
}

/**
 * Returns a comment on a post; only moderators and owners get notes. The id of a merged post leads to the comments of
 * the post in which it continues.
 */
export const handler = defineEndpoint({
  name: "comments-by-id",
  route: "GET /posts/{postId}/comments/{commentId}",
  access: "optional",
  request: z.object({ params: z.object({ postId: PostId, commentId: CommentId }) }),
  response: z.object({ activity: Activity }),
  errors: ["POST_NOT_FOUND", "COMMENT_NOT_FOUND"],
  table: { ...MERGED_POSTS, ACTIVITY: ["query"], NOTES: ["query"] },
  prefetch: ({ params: { postId, commentId } }) => readComment(postId, commentId),
  handle: async ({ params: { postId: named, commentId }, caller, prefetched, fail }) => {
    const read = prefetched ?? (await readWhereItContinues(named, caller, (id) => readComment(id, commentId)));
    if (!read) throw fail("POST_NOT_FOUND");
    const { postId, found } = read;
    const seesNotes = may(caller, "comment:view_internal");
    const note = { postId, commentId, isInternal: true };
    const comment = found ?? (seesNotes ? await comments.findByQuery(note) : undefined);
    if (!comment) throw fail("COMMENT_NOT_FOUND");
    const seen = seesNotes ? [comment] : await comments.withoutNoteParents([comment]);
    const [shown = comment] = await withoutHiddenOrigins(seen, caller);
    return { activity: activityView(shown, { seesBy: seesNotes }) };
  },
});
