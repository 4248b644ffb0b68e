import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId, UserId } from "../../lib/http/id-inputs.ts";
import { TAKES_BACK, takeBackOn } from "../../lib/http/merged-posts.ts";
import * as voting from "../../lib/votes/voting.ts";

/** Removes the vote of an account, even if the account cast it itself. Without a vote nothing changes. */
export const handler = defineEndpoint({
  name: "votes-unassign",
  route: "DELETE /posts/{postId}/votes/{userId}",
  permission: "vote:unassign",
  request: z.object({ params: z.object({ postId: PostId, userId: UserId }) }),
  success: 204,
  errors: ["POST_NOT_FOUND", "USER_NOT_FOUND"],
  table: TAKES_BACK,
  prefetch: ({ params: { postId, userId } }) => voting.ownVote(postId, userId),
  audit: "vote.deleted",
  trace: ({ params: { postId, userId } }) => ({ item: postId, account: userId }),
  handle: async ({ params: { postId, userId }, caller, prefetched, fail, addTrace }) => {
    const { outcome } = await takeBackOn(postId, caller, userId, prefetched, addTrace);
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    if (outcome === "had not voted" && !(await users.find(userId))) throw fail("USER_NOT_FOUND");
  },
});
