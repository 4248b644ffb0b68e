import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { Voters, viewerVoteView, votersView } from "../../lib/http/resources/votes.ts";
import * as votes from "../../lib/votes/votes.ts";
import * as voting from "../../lib/votes/voting.ts";

type VoteId = string | undefined;

async function votersAfter(postId: string, userId: string, voteId: VoteId | Promise<VoteId>, before?: votes.Voters) {
  const [after, ownVote] = await Promise.all([votes.votersOf(postId, before), voteId]);
  return after && votersView(postId, after, viewerVoteView(postId, userId, ownVote));
}

/** Adds the caller's vote to a post: docs/contract.md#add-a-vote */
export const handler = defineEndpoint({
  name: "votes-add",
  route: "POST /votes",
  contract: true,
  permission: "vote:create",
  needsVerified: true,
  request: z.object({ body: z.object({ postId: PostId }) }),
  success: 201,
  response: z.object({ voters: Voters }),
  errors: ["POST_NOT_FOUND", "VOTE_EXISTS"],
  table: { USER: ["get", "put"], POSTS: ["get", "update"], VOTES: ["query", "put"] },
  idempotency: z.object({ voteId: z.string() }),
  prefetch: ({ body: { postId } }) => votes.summary(postId),
  trace: ({ body: { postId } }) => ({ item: postId }),
  handle: async ({ body: { postId }, caller, prefetched, fail, idempotencyPart }) => {
    const outcome = await voting.cast(postId, caller, { voters: prefetched, idempotencyPart });
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    if (outcome === "already voted") throw fail("VOTE_EXISTS");
    const voters = await votersAfter(postId, caller.userId, outcome.voted.voteId, prefetched);
    if (!voters) throw fail("POST_NOT_FOUND");
    return { voters };
  },
  replay: async (_, { body: { postId }, caller: { userId }, fail }) => {
    const voters = await votersAfter(postId, userId, votes.voteOf(userId, postId));
    if (!voters) throw fail("POST_NOT_FOUND");
    return { voters };
  },
});
