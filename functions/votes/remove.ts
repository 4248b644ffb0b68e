import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { Voters, votersView } from "../../lib/http/resources/votes.ts";
import * as votes from "../../lib/votes/votes.ts";
import * as voting from "../../lib/votes/voting.ts";

/**
 * Removes the caller's vote: docs/contract.md#remove-a-vote
 * Without a vote nothing changes.
 */
export const handler = defineEndpoint({
  name: "votes-remove",
  route: "DELETE /votes",
  contract: true,
  permission: "vote:destroy",
  request: z.object({ body: z.object({ postId: PostId }) }),
  response: z.object({ voters: Voters }),
  errors: ["POST_NOT_FOUND"],
  table: { USER: ["get", "delete"], POSTS: ["get", "update"], VOTES: ["query", "delete", "check"] },
  prefetch: ({ body: { postId } }, userId) => voting.ownVote(postId, userId),
  trace: ({ body: { postId } }) => ({ item: postId }),
  handle: async ({ body: { postId }, caller, prefetched, fail }) => {
    const outcome = await voting.takeBack(postId, caller.userId, prefetched);
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    const after = await votes.votersOf(postId, prefetched.voters);
    if (!after) throw fail("POST_NOT_FOUND");
    return { voters: votersView(postId, after, null) };
  },
});
