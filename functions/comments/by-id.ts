import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { CommentId, PostId } from "../../lib/http/id-inputs.ts";
import { Activity, activityView } from "../../lib/http/resources/comments.ts";
import * as comments from "../../lib/posts/comments.ts";
import * as votes from "../../lib/votes/votes.ts";

/** Returns a comment on a post; only moderators and owners get notes. */
export const handler = defineEndpoint({
  name: "comments-by-id",
  route: "GET /posts/{postId}/comments/{commentId}",
  access: "optional",
  request: z.object({ params: z.object({ postId: PostId, commentId: CommentId }) }),
  response: z.object({ activity: Activity }),
  errors: ["POST_NOT_FOUND", "COMMENT_NOT_FOUND"],
  table: { POSTS: ["get"], ACTIVITY: ["query"], NOTES: ["query"] },
  prefetch: ({ params }) =>
    Promise.all([votes.summary(params.postId), comments.findByQuery({ ...params, isInternal: false })]),
  handle: async ({ params, caller, prefetched: [voters, found], fail }) => {
    if (!voters) throw fail("POST_NOT_FOUND");
    const seesNotes = may(caller, "comment:view_internal");
    const comment = found ?? (seesNotes ? await comments.findByQuery({ ...params, isInternal: true }) : undefined);
    if (!comment) throw fail("COMMENT_NOT_FOUND");
    const [shown = comment] = await comments.asSeen([comment], seesNotes);
    return { activity: activityView(shown, { seesBy: seesNotes }) };
  },
});
