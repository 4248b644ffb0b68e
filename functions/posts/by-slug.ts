import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Slug } from "../../lib/http/inputs.ts";
import { onePost, readOne } from "../../lib/http/one-post.ts";
import { PostBySlug } from "../../lib/http/resources.ts";
import { postIdOf, slugIdOf } from "../../lib/values/slugs.ts";
import * as votes from "../../lib/votes/votes.ts";

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
  table: { USER: ["get"], CATALOGUE: ["query"], POSTS: ["query"], VOTES: ["query"] },
  prefetch: async ({ body: { slug } }, viewerId) => {
    const postId = postIdOf(slug);
    if (!postId) return undefined;
    const [read, firstVotes] = await Promise.all([readOne(postId, viewerId), votes.firstVotes(postId)]);
    return read && { ...read, firstVotes };
  },
  handle: async ({ body: { slug }, caller, prefetched, fail }) => {
    // The tail of a slug is the post's id; the whole slug must be the current one or an earlier one.
    if (!prefetched || ![prefetched.post.slug, ...(prefetched.post.oldSlugs ?? [])].includes(slug))
      throw fail("POST_NOT_FOUND");
    const { post, voters, firstVotes } = prefetched;
    const shown = { votes: firstVotes.votes, total: votes.totalOf(voters, firstVotes) };
    const by = may(caller, "post:moderate") ? post.by : undefined;
    return { post: { ...onePost(prefetched, caller, shown), slugId: slugIdOf(post.postId), by } };
  },
});
