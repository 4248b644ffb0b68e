import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { MERGED_POSTS, onPost } from "../../lib/http/merged-posts.ts";
import { countReported, NEW_REPORTS } from "../../lib/http/rate-limits.ts";
import { ReportBody } from "../../lib/http/text-inputs.ts";
import * as posts from "../../lib/posts/posts.ts";
import * as reports from "../../lib/posts/reports.ts";

async function read(postId: string) {
  const [post, waiting] = await Promise.all([posts.find(postId), reports.find(postId)]);
  return { post, waiting };
}

/**
 * Reports a post to the team, which alone sees who reported it and why. Everybody reports a post once, and not their
 * own. A report of a merged post is one of the post in which it continues.
 */
export const handler = defineEndpoint({
  name: "posts-report",
  route: "POST /posts/{postId}/report",
  permission: "report:create",
  needsVerified: true,
  request: z.object({ params: z.object({ postId: PostId }), body: ReportBody }),
  success: 204,
  errors: ["POST_NOT_FOUND", "ALREADY_REPORTED", "CANNOT_REPORT_OWN"],
  table: { ...MERGED_POSTS, POSTS: ["get", "check"], HELD: ["get", "put", "update"], NEWS: ["put"], USER: ["put"] },
  callLimits: NEW_REPORTS,
  prefetch: ({ params: { postId } }) => read(postId),
  audit: "own affair",
  trace: ({ params: { postId } }) => ({ item: postId }),
  handle: async ({ params: { postId }, body: { reason }, caller, prefetched, network, fail }) => {
    const { outcome } = await onPost(postId, caller, async (id, isFirst) => {
      const { post, waiting } = isFirst ? prefetched : await read(id);
      if (!post) return "no such post";
      if (post.author.userId === caller.userId) throw fail("CANNOT_REPORT_OWN");
      if (!waiting) await countReported(network);
      const outcome = await reports.report(reports.reportablePost(id), waiting, caller.userId, reason);
      return outcome === "gone" ? "no such post" : outcome;
    });
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    if (outcome === "reported before") throw fail("ALREADY_REPORTED");
  },
});
