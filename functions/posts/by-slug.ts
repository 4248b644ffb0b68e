import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Slug } from "../../lib/http/id-inputs.ts";
import { continuedPost, readContinuedPost, readWithVotes } from "../../lib/http/one-post.ts";
import { PostBySlug } from "../../lib/http/resources/posts.ts";
import { postIdOfOldSlug } from "../../lib/posts/old-slugs.ts";
import { postIdOf } from "../../lib/values/slugs.ts";

/**
 * Returns a post by its slug, with up to 100 votes: docs/contract.md#post-by-slug
 * The slug must match exactly. The last ten earlier slugs of a post work too, and the slug that an imported post had in
 * another portal. The slug of a merged post returns the post in which it continues, with `mergedFrom`.
 */
export const handler = defineEndpoint({
  name: "posts-by-slug",
  route: "POST /posts/slug",
  contract: true,
  access: "optional",
  request: z.object({ body: z.object({ slug: Slug }) }),
  response: z.object({ post: PostBySlug }),
  errors: ["POST_NOT_FOUND"],
  table: {
    USER: ["get"],
    CATALOGUE: ["query", "get"],
    POSTS: ["get"],
    VOTES: ["query"],
    OLD_SLUG: ["get"],
    MERGED: ["get"],
  },
  etagOf: ({ post }) => post.updatedAt,
  prefetch: async ({ body: { slug } }, viewerId) => {
    // The tail of a slug is the post's id. The slug of another portal has none.
    const id = postIdOf(slug);
    const postId = id ?? (await postIdOfOldSlug(slug));
    const read = postId === undefined ? undefined : await readWithVotes(postId, viewerId);
    return { read, postId, isOfAnotherPortal: id === undefined };
  },
  handle: async ({ body: { slug }, caller, prefetched: { read: first, postId, isOfAnotherPortal }, fail }) => {
    if (postId === undefined) throw fail("POST_NOT_FOUND");
    const { read, merged } = first ? { read: first } : ((await readContinuedPost(postId, caller)) ?? {});
    if (!read) throw fail("POST_NOT_FOUND");
    // The whole slug must be the current one or an earlier one.
    const named = merged?.post ?? read.post;
    const slugs = [named.slug, ...(named.oldSlugs ?? [])];
    if (!isOfAnotherPortal && !slugs.includes(slug)) throw fail("POST_NOT_FOUND");
    return { post: continuedPost(read, merged, caller) };
  },
});
