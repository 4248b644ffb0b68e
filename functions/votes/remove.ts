import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { onPost, TAKES_BACK, takeBackOn } from "../../lib/http/merged-posts.ts";
import { Voters, votersView } from "../../lib/http/resources/votes.ts";
import * as votes from "../../lib/votes/votes.ts";
import * as voting from "../../lib/votes/voting.ts";

/**
 * Removes the caller's vote: docs/contract.md#remove-a-vote
 * Without a vote nothing changes. With the id of a merged post, the vote on the post in which it continues is removed.
 */
export const handler = defineEndpoint({
  name: "votes-remove",
  route: "DELETE /votes",
  contract: true,
  permission: "vote:destroy",
  request: z.object({ body: z.object({ postId: PostId }) }),
  response: z.object({ voters: Voters }),
  errors: ["POST_NOT_FOUND"],
  table: TAKES_BACK,
  prefetch: ({ body: { postId } }, userId) => voting.ownVote(postId, userId),
  audit: "own affair",
  trace: ({ body: { postId } }) => ({ item: postId }),
  handle: async ({ body, caller, prefetched, fail }) => {
    const { userId } = caller;
    const isNamed = (postId: string): boolean => postId === body.postId;
    const { postId, outcome } = await takeBackOn(body.postId, caller, userId, prefetched);
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    const before = isNamed(postId) ? prefetched.voters : undefined;
    const { outcome: voters } = await onPost(postId, caller, async (id) => {
      const after = await votes.votersOf(id, before);
      return after ? votersView(id, after, null) : "no such post";
    });
    if (voters === "no such post") throw fail("POST_NOT_FOUND");
    return { voters };
  },
});
