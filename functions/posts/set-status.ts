import * as z from "zod/mini";
import { read as readCatalogue } from "../../lib/catalogue/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { PostId, StatusId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { onePost, readOne } from "../../lib/http/one-post.ts";
import { PostBySlug } from "../../lib/http/resources/posts.ts";
import { ResponseText } from "../../lib/http/text-inputs.ts";
import * as posts from "../../lib/posts/posts.ts";
import { replanned } from "../../lib/table/retries.ts";

/** What a call changes of a post, for the audit log: its status, and what becomes of the response. */
function changesIn(current: posts.PostRecord, letter: string | undefined, text: string | null | undefined): string[] {
  const { status, response } = current;
  const changes = letter === status ? [] : ["status"];
  if (text === undefined || text === (response?.text ?? "")) return changes;
  if (!text) return response ? [...changes, "response.deleted"] : changes;
  return [...changes, response ? "response.updated" : "response.created"];
}

/**
 * Gives a post a status, and an official response. Without `text` the response stays as it is; null or blank text
 * removes it. A response also names the status that the post had when the response was given. With `notify: false`
 * nobody gets a mail about it, for example about a corrected typo; events and webhooks tell of it.
 */
export const handler = defineEndpoint({
  name: "posts-set-status",
  route: "PUT /posts/{postId}/status",
  permission: "post:moderate",
  request: z.object({
    params: z.object({ postId: PostId }),
    body: z.object({ status: StatusId, text: z.nullish(ResponseText), notify: optional(z.boolean()) }),
  }),
  response: z.object({ post: PostBySlug }),
  errors: ["POST_NOT_FOUND", "STATUS_NOT_FOUND"],
  table: {
    USER: ["get"],
    POSTS: ["get", "update"],
    ACTIVITY: ["put"],
    CATALOGUE: ["get", "query", "check"],
    LIST: ["put", "delete"],
    COUNTS: ["update"],
    ...NEW_EVENT,
  },
  etagOf: ({ post }) => post.updatedAt,
  prefetch: ({ params: { postId } }, viewerId) => readOne(postId, viewerId),
  audit: "post.status_changed",
  trace: ({ params: { postId }, body: { status }, prefetched: read }) => ({
    item: postId,
    account: read?.post.author.userId,
    to: status,
  }),
  handle: async ({
    body: { status: statusId, text, notify },
    caller,
    prefetched: read,
    fail,
    checkState,
    addTrace,
  }) => {
    if (!read) throw fail("POST_NOT_FOUND");
    const given = await replanned(read.catalogue, readCatalogue, async (catalogue) => {
      const status = catalogue.statuses.find((each) => each.statusId === statusId);
      if (!status) throw fail("STATUS_NOT_FOUND");
      const check = (current: posts.PostRecord): void => {
        // A post keeps its archived status, but no other post can get it.
        if (status.archived && status.letter !== current.status) throw fail("STATUS_NOT_FOUND");
        checkState({ post: onePost({ ...read, catalogue, post: current }, caller) });
        addTrace({ changed: changesIn(current, status.letter, text) });
      };
      const { version } = catalogue;
      const changed = await posts.setStatus(read.post, status, { text, by: caller.userId, check, version, notify });
      return typeof changed === "object" ? { post: onePost({ ...read, catalogue, post: changed }, caller) } : changed;
    });
    if (!given) throw fail("POST_NOT_FOUND");
    return given;
  },
});
