import * as z from "zod/mini";
import { preferencesOf } from "../../lib/accounts/preferences.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { MERGED_POSTS, readWhereItContinues } from "../../lib/http/merged-posts.ts";
import { SubscriptionWithMails } from "../../lib/http/resources/posts.ts";
import * as posts from "../../lib/posts/posts.ts";
import * as subscriptions from "../../lib/posts/subscriptions.ts";
import * as votes from "../../lib/votes/votes.ts";

/** A post, with the vote and the choice of an account; undefined without the post. */
async function readFor(userId: string, postId: string) {
  const [post, vote, choice] = await Promise.all([
    posts.find(postId),
    votes.voteOf(userId, postId),
    subscriptions.choiceOf(userId, postId),
  ]);
  return post && { post, vote, choice };
}

/**
 * Tells whether the caller follows a post, and what of it comes by mail. Its author and its voters follow it unless
 * they leave it. The id of a merged post leads to the post in which it continues.
 */
export const handler = defineEndpoint({
  name: "posts-subscription",
  route: "GET /posts/{postId}/subscription",
  request: z.object({ params: z.object({ postId: PostId }) }),
  response: z.object({ subscription: SubscriptionWithMails }),
  errors: ["POST_NOT_FOUND"],
  table: { ...MERGED_POSTS, USER: ["get"], SUBSCRIPTIONS: ["get"] },
  prefetch: ({ params: { postId } }, viewerId) => readFor(viewerId, postId),
  handle: async ({ params: { postId }, caller, prefetched, fail }) => {
    const read = prefetched ?? (await readWhereItContinues(postId, caller, (id) => readFor(caller.userId, id)));
    if (!read) throw fail("POST_NOT_FOUND");
    const { post, vote, choice } = read;
    const isOwn = post.author.userId === caller.userId;
    const { status, comments, ownPosts } = preferencesOf(caller);
    return {
      subscription: {
        isFollowing: choice ?? (vote !== undefined || isOwn),
        hasChosen: choice !== undefined,
        isVerified: caller.isVerified ?? false,
        mails: { status, comments: comments || (isOwn && ownPosts) },
      },
    };
  },
});
