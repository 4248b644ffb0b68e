import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/inputs.ts";
import { Subscription } from "../../lib/http/resources.ts";
import * as posts from "../../lib/posts/posts.ts";
import * as subscriptions from "../../lib/posts/subscriptions.ts";

/** Leaves a post: its news reach the caller no more, though it is the author or a voter. */
export const handler = defineEndpoint({
  name: "posts-leave",
  route: "DELETE /posts/{postId}/subscription",
  access: "bearer",
  permission: "profile:update",
  request: z.object({ params: z.object({ postId: PostId }) }),
  response: z.object({ subscription: Subscription }),
  errors: ["POST_NOT_FOUND"],
  table: { SUBSCRIPTIONS: ["put"], POSTS: ["get", "check"] },
  prefetch: ({ params: { postId } }) => posts.isGone(postId),
  trace: ({ params: { postId } }) => ({ item: postId }),
  handle: async ({ params: { postId }, caller, prefetched: isGone, fail }) => {
    if (isGone || (await subscriptions.choose(caller.userId, postId, false)) === "no such post")
      throw fail("POST_NOT_FOUND");
    return { subscription: { isFollowing: false } };
  },
});
