import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { CommentId, PostId } from "../../lib/http/id-inputs.ts";
import { MERGED_POSTS } from "../../lib/http/merged-posts.ts";
import { readComment, readCommentThere } from "../../lib/http/one-comment.ts";
import { countReported, NEW_REPORTS } from "../../lib/http/rate-limits.ts";
import { ReportBody } from "../../lib/http/text-inputs.ts";
import * as reports from "../../lib/posts/reports.ts";

/**
 * Reports a comment to the team, which alone sees who reported it and why. Everybody reports a comment once, and not
 * their own.
 */
export const handler = defineEndpoint({
  name: "comments-report",
  route: "POST /posts/{postId}/comments/{commentId}/report",
  permission: "report:create",
  needsVerified: true,
  request: z.object({ params: z.object({ postId: PostId, commentId: CommentId }), body: ReportBody }),
  success: 204,
  errors: ["POST_NOT_FOUND", "COMMENT_NOT_FOUND", "ALREADY_REPORTED", "CANNOT_REPORT_OWN"],
  table: {
    ...MERGED_POSTS,
    ACTIVITY: ["get", "check"],
    HELD: ["get", "put", "update"],
    NEWS: ["put"],
    USER: ["put"],
  },
  callLimits: NEW_REPORTS,
  prefetch: async ({ params }) => {
    const [read, waiting] = await Promise.all([readComment(params), reports.find(params.commentId)]);
    return { read, waiting };
  },
  audit: "own affair",
  trace: ({ params: { postId, commentId } }) => ({ item: `${postId}/${commentId}` }),
  handle: async ({ params, body: { reason }, caller, prefetched, network, fail }) => {
    const read = prefetched.read ?? (await readCommentThere(params, caller));
    if (!read) throw fail("POST_NOT_FOUND");
    const { found } = read;
    if (!found) throw fail("COMMENT_NOT_FOUND");
    if (found.author.userId === caller.userId) throw fail("CANNOT_REPORT_OWN");
    if (!prefetched.waiting) await countReported(network);
    const thing = reports.reportableComment(found);
    const outcome = await reports.report(thing, prefetched.waiting, caller.userId, reason);
    if (outcome === "gone") throw fail("COMMENT_NOT_FOUND");
    if (outcome === "reported before") throw fail("ALREADY_REPORTED");
  },
});
