import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { continuedPost, onePost, readContinuedPost, readWithVotes } from "../../lib/http/one-post.ts";
import { PostBySlug } from "../../lib/http/resources/posts.ts";

/**
 * Returns a post by its id, with up to 100 votes. The id of a merged post returns the post in which it continues, with
 * `mergedFrom`.
 */
export const handler = defineEndpoint({
  name: "posts-by-id",
  route: "GET /posts/{postId}",
  access: "optional",
  request: z.object({ params: z.object({ postId: PostId }) }),
  response: z.object({ post: PostBySlug }),
  errors: ["POST_NOT_FOUND"],
  table: { USER: ["get"], CATALOGUE: ["query", "get"], POSTS: ["get"], VOTES: ["query"], MERGED: ["get"] },
  etagOf: ({ post }) => post.updatedAt,
  prefetch: ({ params: { postId } }, viewerId) => readWithVotes(postId, viewerId),
  handle: async ({ params: { postId }, caller, prefetched, fail }) => {
    if (prefetched) return { post: onePost(prefetched, caller) };
    const next = await readContinuedPost(postId, caller);
    if (!next) throw fail("POST_NOT_FOUND");
    const { read, merged } = next;
    return { post: continuedPost(read, merged, caller) };
  },
});
