import * as z from "zod/mini";
import { visibleCatalogue } from "../../lib/auth/visibility.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId, ResponseText, StatusId } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Post, postListView } from "../../lib/http/resources.ts";
import * as posts from "../../lib/posts/posts.ts";
import * as votes from "../../lib/votes/votes.ts";

/**
 * Gives a post a status, and an official response. Without `text` the response stays as it is; null or blank text
 * removes it. A response keeps the status that the post had when it was given.
 */
export const handler = defineEndpoint({
  name: "posts-set-status",
  route: "PUT /posts/{postId}/status",
  access: "bearer",
  permission: "post:moderate",
  request: z.object({
    params: z.object({ postId: PostId }),
    body: z.object({ status: StatusId, text: z.nullish(ResponseText) }),
  }),
  response: z.object({ post: Post }),
  errors: ["POST_NOT_FOUND", "STATUS_NOT_FOUND"],
  table: {
    USER: ["get"],
    POSTS: ["get", "update"],
    CATALOGUE: ["query", "check"],
    LIST: ["put"],
    COUNTS: ["update"],
  },
  etagOf: ({ post }) => post.updatedAt,
  limit: (_, { session }) => limits.changePost(session),
  prefetch: async ({ params: { postId } }, viewerId) => {
    const [post, voters, ownVote, entries] = await Promise.all([
      posts.find(postId),
      votes.summary(postId),
      votes.voteOf(viewerId, postId),
      catalogue.read(),
    ]);
    return post && voters && { post, voters, ownVote, catalogue: entries };
  },
  handle: async ({ body: { status: statusId, text }, caller, prefetched, fail, checkState }) => {
    if (!prefetched) throw fail("POST_NOT_FOUND");
    const { post, voters, ownVote, catalogue } = prefetched;
    const status = catalogue.statuses.find((each) => each.statusId === statusId);
    // A post keeps its archived status; no other gets it.
    if (!status || (status.archived && status.letter !== post.status)) throw fail("STATUS_NOT_FOUND");
    const ownVotes = new Map(ownVote === undefined ? [] : [[post.postId, ownVote]]);
    const visible = visibleCatalogue(caller, catalogue);
    const viewOf = (current: posts.PostRecord) => {
      const [shown] = postListView([{ post: current, voters }], visible, caller.userId, ownVotes);
      if (!shown) throw new Error("a post has no view");
      return { post: shown };
    };
    const changed = await posts.setStatus(post, status.letter, text, (current) => checkState(viewOf(current)));
    if (changed === "no such post") throw fail("POST_NOT_FOUND");
    return viewOf(changed);
  },
});
