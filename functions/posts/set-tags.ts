import * as z from "zod/mini";
import { idsOf, MAX_TAGS_OF_POST } from "../../lib/catalogue/tags.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { PostId, TagId } from "../../lib/http/id-inputs.ts";
import { onePost, readOne } from "../../lib/http/one-post.ts";
import { PostBySlug } from "../../lib/http/resources/posts.ts";
import * as posts from "../../lib/posts/posts.ts";

/** Gives a post these tags, in place of those that it had: at most 10. An empty array takes all tags from it. */
export const handler = defineEndpoint({
  name: "posts-set-tags",
  route: "PUT /posts/{postId}/tags",
  permission: "post:moderate",
  request: z.object({
    params: z.object({ postId: PostId }),
    body: z.object({ tags: z.array(TagId).check(z.maxLength(MAX_TAGS_OF_POST)) }),
  }),
  response: z.object({ post: PostBySlug }),
  errors: ["POST_NOT_FOUND", "TAG_NOT_FOUND"],
  table: {
    USER: ["get"],
    POSTS: ["get", "update"],
    CATALOGUE: ["get", "query", "check"],
    LIST: ["put", "delete"],
    COUNTS: ["update"],
    ...NEW_EVENT,
  },
  etagOf: ({ post }) => post.updatedAt,
  prefetch: ({ params: { postId } }, viewerId) => readOne(postId, viewerId),
  audit: "post.tagged",
  trace: ({ params: { postId }, prefetched: read }) => ({ item: postId, account: read?.post.author.userId }),
  handle: async ({ body: { tags }, caller, prefetched: read, fail, checkState }) => {
    if (!read) throw fail("POST_NOT_FOUND");
    const known = new Set(read.catalogue.tags.map(({ tagId }) => tagId));
    if (!tags.every((tagId) => known.has(tagId))) throw fail("TAG_NOT_FOUND");
    const tagIds = idsOf(tags);
    const plan = (current: posts.PostRecord) => {
      checkState({ post: onePost({ ...read, post: current }, caller) });
      return { tagIds };
    };
    const changed = await posts.change(read.post, plan, caller.userId);
    if (!changed) throw fail("POST_NOT_FOUND");
    // The tag was deleted meanwhile.
    if (typeof changed === "string") throw fail("TAG_NOT_FOUND");
    return { post: onePost({ ...read, post: changed }, caller) };
  },
});
