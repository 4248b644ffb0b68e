import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { onePost, readWithVotes } from "../../lib/http/one-post.ts";
import { PostBySlug } from "../../lib/http/resources/posts.ts";

/** Returns a post by its id, with up to 100 votes. */
export const handler = defineEndpoint({
  name: "posts-by-id",
  route: "GET /posts/{postId}",
  access: "optional",
  request: z.object({ params: z.object({ postId: PostId }) }),
  response: z.object({ post: PostBySlug }),
  errors: ["POST_NOT_FOUND"],
  table: { USER: ["get"], CATALOGUE: ["get", "query"], POSTS: ["get"], VOTES: ["query"] },
  etagOf: ({ post }) => post.updatedAt,
  prefetch: ({ params: { postId } }, viewerId) => readWithVotes(postId, viewerId),
  handle: async ({ caller, prefetched, fail }) => {
    if (!prefetched) throw fail("POST_NOT_FOUND");
    return { post: onePost(prefetched, caller) };
  },
});
