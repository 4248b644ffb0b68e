import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Slug } from "../../lib/http/id-inputs.ts";
import { onePost, readWithVotes } from "../../lib/http/one-post.ts";
import { PostBySlug } from "../../lib/http/resources/posts.ts";
import { postIdOf } from "../../lib/values/slugs.ts";

/**
 * Returns a post by its slug, with up to 100 votes: docs/contract.md#post-by-slug
 * The slug must match exactly. The last ten earlier slugs of a post work too.
 */
export const handler = defineEndpoint({
  name: "posts-by-slug",
  route: "POST /posts/slug",
  contract: true,
  access: "optional",
  request: z.object({ body: z.object({ slug: Slug }) }),
  response: z.object({ post: PostBySlug }),
  errors: ["POST_NOT_FOUND"],
  table: { USER: ["get"], CATALOGUE: ["query"], POSTS: ["get"], VOTES: ["query"] },
  etagOf: ({ post }) => post.updatedAt,
  prefetch: async ({ body: { slug } }, viewerId) => {
    const postId = postIdOf(slug);
    return postId === undefined ? undefined : readWithVotes(postId, viewerId);
  },
  handle: async ({ body: { slug }, caller, prefetched, fail }) => {
    // The tail of a slug is the post's id; the whole slug must be the current one or an earlier one.
    if (!prefetched || ![prefetched.post.slug, ...(prefetched.post.oldSlugs ?? [])].includes(slug))
      throw fail("POST_NOT_FOUND");
    return { post: onePost(prefetched, caller) };
  },
});
