import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import { visibleCatalogue } from "../../lib/auth/visibility.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Slug } from "../../lib/http/inputs.ts";
import { PostBySlug, postView, viewerVoteView, votersView } from "../../lib/http/resources.ts";
import * as posts from "../../lib/posts/posts.ts";
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
    const [found, firstVotes, entries, ownVote] = await Promise.all([
      posts.findWithVoters(postId),
      votes.firstVotes(postId),
      catalogue.read(),
      viewerId && votes.voteOf(viewerId, postId),
    ]);
    return found && { ...found, firstVotes, catalogue: entries, ownVote };
  },
  handle: async ({ body: { slug }, caller, prefetched, fail }) => {
    // The tail of a slug is the post's id; the whole slug must be the current one or an earlier one.
    if (!prefetched || ![prefetched.post.slug, ...(prefetched.post.oldSlugs ?? [])].includes(slug))
      throw fail("POST_NOT_FOUND");
    const { post, voters, firstVotes, catalogue, ownVote } = prefetched;
    const { postId } = post;
    const viewerVote = caller ? viewerVoteView(postId, caller.userId, ownVote) : null;
    const shown = votersView(postId, firstVotes.votes, votes.totalOf(voters, firstVotes), viewerVote);
    const view = postView(post, visibleCatalogue(caller, catalogue), shown, voters.comments);
    const by = may(caller, "post:moderate") ? post.by : undefined;
    return { post: { ...view, slugId: slugIdOf(postId), by } };
  },
});
