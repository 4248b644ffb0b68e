import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { onePost, readWithVotes } from "../../lib/http/one-post.ts";
import { Merged, mergedView, PostBySlug } from "../../lib/http/resources/posts.ts";
import { findMerged } from "../../lib/posts/merged-posts.ts";
import { merge, textOf } from "../../lib/posts/merging.ts";

/**
 * Merges a post into another one, which it answers. Everybody who voted on one of them then has one vote on the other
 * one. Votes and comments move within seconds, some hundred votes in some minutes: `votes` says whether all are moved.
 * The post leaves all lists; its address leads to the other one. DELETE undoes it. The author, the voters and the
 * followers of the post get a mail when all has moved, unless they have voted on both or `notify` is false.
 */
export const handler = defineEndpoint({
  name: "posts-merge",
  route: "POST /posts/{postId}/merge",
  permission: "post:moderate",
  request: z.object({
    params: z.object({ postId: PostId }),
    body: z.object({ into: PostId, notify: optional(z.boolean()) }),
  }),
  response: z.object({ post: PostBySlug, merged: Merged }),
  errors: ["POST_NOT_FOUND", "MERGE_CONFLICT"],
  table: {
    USER: ["get"],
    POSTS: ["get", "update", "delete"],
    VOTES: ["query"],
    MERGED: ["get", "query", "put"],
    MERGES: ["put"],
    CATALOGUE: ["get", "query", "update", "put", "check"],
    LIST: ["delete"],
    COUNTS: ["update"],
    ...NEW_EVENT,
  },
  audit: "post.merged",
  trace: ({ params: { postId }, body: { into } }) => ({ item: postId, to: into }),
  handle: async ({ params: { postId }, body: { into, notify }, caller, fail, addTrace }) => {
    const outcome = await merge(postId, into, caller.userId, { notify, onFound: addTrace });
    if (outcome === "no such post" || outcome === "no such target") throw fail("POST_NOT_FOUND");
    if (outcome !== "merging") throw fail("MERGE_CONFLICT", textOf(outcome), outcome.conflict);
    const [read, merged] = await Promise.all([readWithVotes(into, caller.userId), findMerged(postId)]);
    // Either may be merged or deleted by now.
    if (!read || !merged) throw fail("POST_NOT_FOUND");
    return { post: onePost(read, caller), merged: mergedView(merged) };
  },
});
