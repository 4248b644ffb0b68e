import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import type { Caller } from "../../lib/http/callers.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { MERGED_POSTS, onPost } from "../../lib/http/merged-posts.ts";
import { Voters, viewerVoteView, votersView } from "../../lib/http/resources/votes.ts";
import * as votes from "../../lib/votes/votes.ts";
import * as voting from "../../lib/votes/voting.ts";

type VoteId = string | undefined;

/** The voters of a post after a vote; of the one in which it continues, if it was merged meanwhile. */
async function votersAfter(
  named: string,
  caller: Caller,
  { voteIn, before }: { voteIn: (postId: string) => VoteId | Promise<VoteId>; before?: votes.Voters | undefined },
): Promise<Voters | "no such post"> {
  const { outcome } = await onPost(named, caller, async (postId) => {
    const [voteId, after] = await Promise.all([voteIn(postId), votes.votersOf(postId, before)]);
    return after ? votersView(postId, after, viewerVoteView(postId, caller.userId, voteId)) : "no such post";
  });
  return outcome;
}

/**
 * Adds the caller's vote to a post: docs/contract.md#add-a-vote
 * A vote for a merged post counts for the post in which it continues.
 */
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
  table: { ...MERGED_POSTS, USER: ["get", "put"], POSTS: ["get", "update"], VOTES: ["query", "put"] },
  idempotency: z.object({ voteId: z.string() }),
  prefetch: ({ body: { postId } }) => votes.summary(postId),
  audit: "own affair",
  trace: ({ body: { postId } }) => ({ item: postId }),
  handle: async ({ body, caller, prefetched, fail, idempotencyPart }) => {
    const { postId, outcome } = await onPost(body.postId, caller, async (id, isFirst) =>
      voting.cast(id, caller, { voters: isFirst ? prefetched : await votes.summary(id), idempotencyPart }),
    );
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    if (outcome === "already voted") throw fail("VOTE_EXISTS");
    const { voteId } = outcome.voted;
    const before = postId === body.postId ? prefetched : await votes.summary(postId);
    const voters = await votersAfter(postId, caller, { voteIn: () => voteId, before });
    if (voters === "no such post") throw fail("POST_NOT_FOUND");
    return { voters };
  },
  replay: async (_, { body, caller, fail }) => {
    const voteIn = (postId: string) => votes.voteOf(caller.userId, postId);
    const voters = await votersAfter(body.postId, caller, { voteIn });
    if (voters === "no such post") throw fail("POST_NOT_FOUND");
    return { voters };
  },
});
