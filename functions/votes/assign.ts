import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId, UserId } from "../../lib/http/id-inputs.ts";
import { MERGED_POSTS, onPost } from "../../lib/http/merged-posts.ts";
import { CastVote, castVoteView } from "../../lib/http/resources/votes.ts";
import * as votes from "../../lib/votes/votes.ts";
import * as voting from "../../lib/votes/voting.ts";

/**
 * Adds a vote on behalf of an account. It counts like the account's own vote, and the account can remove it. Moderators
 * and owners see in `by` who added it. The account may be suspended: the owner is responsible for the vote.
 */
export const handler = defineEndpoint({
  name: "votes-assign",
  route: "POST /posts/{postId}/votes/{userId}",
  permission: "vote:assign",
  request: z.object({ params: z.object({ postId: PostId, userId: UserId }) }),
  response: z.object({ vote: CastVote }),
  errors: ["POST_NOT_FOUND", "USER_NOT_FOUND", "VOTE_EXISTS"],
  table: { ...MERGED_POSTS, USER: ["get", "put"], POSTS: ["get", "update"], VOTES: ["put"] },
  idempotency: z.object({ voteId: z.string() }),
  prefetch: ({ params: { postId, userId } }) => Promise.all([votes.summary(postId), users.find(userId)]),
  audit: "vote.created",
  trace: ({ params: { postId, userId } }) => ({ item: postId, account: userId }),
  handle: async ({ params: { postId }, caller, prefetched: [voters, voter], fail, idempotencyPart, addTrace }) => {
    if (!voter) throw fail("USER_NOT_FOUND");
    const { outcome } = await onPost(postId, caller, async (id, isFirst) => {
      addTrace({ item: id });
      const votersNow = isFirst ? voters : await votes.summary(id);
      return voting.cast(id, { ...voter, by: caller.userId }, { voters: votersNow, idempotencyPart });
    });
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    if (outcome === "already voted") throw fail("VOTE_EXISTS");
    return { vote: castVoteView(outcome.voted, { seesBy: true }) };
  },
  replay: async ({ voteId }, { caller, prefetched: [, voter], fail }) => {
    if (!voter) throw fail("USER_NOT_FOUND");
    return { vote: castVoteView({ ...users.shownOf(voter), voteId, by: caller.userId }, { seesBy: true }) };
  },
});
