import * as z from "zod";
import * as votes from "../../lib/data/votes.ts";
import * as voting from "../../lib/data/voting.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Voters } from "../../lib/http/schemas.ts";
import { viewerVoteView, votersView } from "../../lib/http/views.ts";

/** Adds the caller's vote to a post: docs/contract.md#add-a-vote */
export const handler = defineEndpoint(
  {
    name: "votes-add",
    method: "POST",
    path: "/votes",
    access: "bearer",
    permission: "vote:create",
    needsVerified: true,
    request: z.object({ body: z.object({ postId: PostId }) }),
    success: 201,
    response: z.object({ voters: Voters }),
    errors: ["POST_NOT_FOUND", "VOTE_EXISTS"],
    table: { USER: ["put"], POSTS: ["get", "update"], VOTES: ["query", "put"] },
    read: ({ body: { postId } }) => votes.summary(postId),
    limit: (_, { session }) => limits.vote(session),
  },
  async ({ body: { postId }, caller, read, fail }) => {
    const outcome = await voting.cast(postId, caller, read);
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    if (outcome === "already voted") throw fail("VOTE_EXISTS");
    const after = await votes.votersOf(postId);
    if (!after) throw fail("POST_NOT_FOUND");
    const viewerVote = viewerVoteView(postId, caller.userId, outcome.voted.voteId);
    return { voters: votersView(postId, after.votes, after.total, viewerVote) };
  },
);
