import * as z from "zod/mini";
import { preferencesOf } from "../../lib/accounts/preferences.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { SubscriptionWithMails } from "../../lib/http/resources/posts.ts";
import * as posts from "../../lib/posts/posts.ts";
import * as subscriptions from "../../lib/posts/subscriptions.ts";
import * as votes from "../../lib/votes/votes.ts";

/**
 * Tells whether the caller follows a post, and what of it comes by mail. Its author and its voters follow it unless
 * they leave it.
 */
export const handler = defineEndpoint({
  name: "posts-subscription",
  route: "GET /posts/{postId}/subscription",
  request: z.object({ params: z.object({ postId: PostId }) }),
  response: z.object({ subscription: SubscriptionWithMails }),
  errors: ["POST_NOT_FOUND"],
  table: { POSTS: ["get"], USER: ["get"], SUBSCRIPTIONS: ["get"] },
  prefetch: ({ params: { postId } }, viewerId) =>
    Promise.all([posts.find(postId), votes.voteOf(viewerId, postId), subscriptions.choiceOf(viewerId, postId)]),
  handle: async ({ caller, prefetched: [post, vote, choice], fail }) => {
    if (!post) throw fail("POST_NOT_FOUND");
    const isOwn = post.author.userId === caller.userId;
    const { status, comments, ownPosts } = preferencesOf(caller);
    return {
      subscription: {
        isFollowing: choice ?? (vote !== undefined || isOwn),
        isVerified: caller.isVerified ?? false,
        mails: { status, comments: comments || (isOwn && ownPosts) },
      },
    };
  },
});
