import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { MERGED_POSTS, onPost } from "../../lib/http/merged-posts.ts";
import { Subscription } from "../../lib/http/resources/posts.ts";
import * as posts from "../../lib/posts/posts.ts";
import * as subscriptions from "../../lib/posts/subscriptions.ts";

/**
 * Follows a post, so that the caller gets mails about it, or stops following it. Its author and its voters can stop
 * too.
 */
export const handler = defineEndpoint({
  name: "posts-follow",
  route: "PUT /posts/{postId}/subscription",
  permission: "profile:update",
  request: z.object({ params: z.object({ postId: PostId }), body: Subscription }),
  response: z.object({ subscription: Subscription }),
  errors: ["POST_NOT_FOUND"],
  table: { ...MERGED_POSTS, SUBSCRIPTIONS: ["put"], USER: ["put"], POSTS: ["get", "check"] },
  prefetch: ({ params: { postId } }) => posts.isGone(postId),
  audit: "own affair",
  trace: ({ params: { postId } }) => ({ item: postId }),
  handle: async ({ params: { postId }, body, caller, prefetched: isGone, fail }) => {
    const choose = (id: string) => subscriptions.choose(caller.userId, id, body.isFollowing);
    const { outcome } = await onPost(postId, caller, async (id, isFirst) =>
      isFirst && isGone ? "no such post" : choose(id),
    );
    if (outcome === "no such post") throw fail("POST_NOT_FOUND");
    return { subscription: body };
  },
});
