import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/inputs.ts";
import { Subscription } from "../../lib/http/resources/posts.ts";
import * as posts from "../../lib/posts/posts.ts";
import * as subscriptions from "../../lib/posts/subscriptions.ts";
import * as votes from "../../lib/votes/votes.ts";

/** Tells whether the caller follows a post. Its author and its voters follow it unless they leave it. */
export const handler = defineEndpoint({
  name: "posts-subscription",
  route: "GET /posts/{postId}/subscription",
  request: z.object({ params: z.object({ postId: PostId }) }),
  response: z.object({ subscription: Subscription }),
  errors: ["POST_NOT_FOUND"],
  table: { POSTS: ["get"], USER: ["get"], SUBSCRIPTIONS: ["get"] },
  prefetch: ({ params: { postId } }, viewerId) =>
    Promise.all([posts.find(postId), votes.voteOf(viewerId, postId), subscriptions.choiceOf(viewerId, postId)]),
  handle: async ({ caller, prefetched: [post, vote, choice], fail }) => {
    if (!post) throw fail("POST_NOT_FOUND");
    return { subscription: { isFollowing: choice ?? (vote !== undefined || post.author.userId === caller.userId) } };
  },
});
