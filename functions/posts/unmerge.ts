import * as z from "zod/mini";
import * as statuses from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { onePost, readWithVotes } from "../../lib/http/one-post.ts";
import { Moving, movingView, PostBySlug } from "../../lib/http/resources/posts.ts";
import { findMerged } from "../../lib/posts/merged-posts.ts";
import { type Conflict, textOf, unmerge } from "../../lib/posts/merging.ts";

/**
 * Takes a post out of its merge. It gets back the votes and comments that came from it and are still there, within
 * seconds, some hundred votes in some minutes: `votes` says whether all have moved. A post that was not merged stays as
 * it is. A status that was archived or deleted meanwhile becomes `open`.
 */
export const handler = defineEndpoint({
  name: "posts-unmerge",
  route: "DELETE /posts/{postId}/merge",
  permission: "post:moderate",
  request: z.object({ params: z.object({ postId: PostId }) }),
  response: z.object({ post: PostBySlug, votes: Moving }),
  errors: ["POST_NOT_FOUND", "MERGE_CONFLICT"],
  table: {
    USER: ["get"],
    POSTS: ["get", "put", "update"],
    VOTES: ["query"],
    MERGED: ["get", "delete"],
    MERGES: ["put"],
    CATALOGUE: ["get", "query", "update", "check"],
    LIST: ["put"],
    COUNTS: ["update"],
    ...NEW_EVENT,
  },
  audit: "post.unmerged",
  trace: ({ params: { postId } }) => ({ item: postId }),
  handle: async ({ params: { postId }, caller, fail, addTrace }) => {
    const failBy = (refused: Conflict) => fail("MERGE_CONFLICT", textOf(refused), refused.conflict);
    const outcome = await unmerge(postId, caller.userId, statuses.read, addTrace);
    if (typeof outcome === "object" && "conflict" in outcome) throw failBy(outcome);
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    const read = await readWithVotes(postId, caller.userId);
    // It was merged again since.
    if (!read && (await findMerged(postId))) throw failBy({ conflict: "being_moved" });
    if (!read) throw fail("POST_NOT_FOUND");
    return { post: onePost(read, caller), votes: movingView(read.voters) };
  },
});
