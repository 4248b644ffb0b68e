import * as z from "zod/mini";
import { requirePermissions } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import * as posts from "../../lib/posts/posts.ts";

/**
 * Deletes a post: docs/contract.md#delete-a-post
 * Authors delete their own posts, moderators and owners all posts.
 */
export const handler = defineEndpoint({
  name: "posts-delete",
  route: "DELETE /posts",
  contract: true,
  permission: "post:destroy:own",
  request: z.object({ body: z.object({ id: PostId }) }),
  success: 204,
  errors: ["POST_NOT_FOUND"],
  table: {
    USER: ["delete"],
    POSTS: ["get", "delete"],
    CATALOGUE: ["update", "put", "check"],
    LIST: ["delete"],
    COUNTS: ["update"],
    DELETED: ["put"],
    ...NEW_EVENT,
  },
  prefetch: ({ body: { id } }) => posts.findToDelete(id),
  audit: "post.deleted",
  trace: ({ body: { id }, prefetched: found }) => ({ item: id, account: found?.post.author.userId }),
  handle: async ({ caller, prefetched: found, fail }) => {
    if (!found) throw fail("POST_NOT_FOUND");
    const { post, voters } = found;
    const isAuthor = post.author.userId === caller.userId;
    requirePermissions(caller, !isAuthor && "post:destroy");
    if (!(await posts.destroy(post, caller.userId, voters))) throw fail("POST_NOT_FOUND");
  },
});
