import * as z from "zod/mini";
import { read as readCatalogue } from "../../lib/catalogue/catalogue.ts";
import type { StatusRecord } from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import type { AuditValue } from "../../lib/events/audit.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { Id, PostId, StatusId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { onePost, readOne } from "../../lib/http/one-post.ts";
import { moveOf, reasonAgainstMove, valuesOf } from "../../lib/http/placing.ts";
import { PostBySlug } from "../../lib/http/resources/posts.ts";
import { ResponseText } from "../../lib/http/text-inputs.ts";
import * as posts from "../../lib/posts/posts.ts";
import { replanned } from "../../lib/table/retries.ts";

/** The status before and after, if it changes, for the audit log. */
function valueOfStatus({ status }: posts.PostRecord, to: StatusRecord, all: StatusRecord[]): AuditValue[] {
  if (to.letter === status) return [];
  const from = all.find(({ letter }) => letter === status)?.statusId;
  return [{ field: "status", from, to: to.statusId }];
}

/** What becomes of the response, for the audit log. */
function changeOfResponse({ response }: posts.PostRecord, text: string | null | undefined): string[] {
  if (text === undefined || text === (response?.text ?? "")) return [];
  if (!text) return response ? ["response.deleted"] : [];
  return [response ? "response.updated" : "response.created"];
}

/**
 * Gives a post a status, a roadmap and an official response. Without `text` the response stays as it is; null or blank
 * text removes it. A response also names the status that the post had when the response was given. With
 * `notify: false` nobody gets a mail about it, for example about a corrected typo; events and webhooks tell of it.
 */
export const handler = defineEndpoint({
  name: "posts-set-status",
  route: "PUT /posts/{postId}/status",
  permission: "post:moderate",
  request: z.object({
    params: z.object({ postId: PostId }),
    body: z.object({
      status: StatusId,
      text: z.nullish(ResponseText),
      roadmapId: z.nullish(Id),
      notify: optional(z.boolean()),
    }),
  }),
  response: z.object({ post: PostBySlug }),
  errors: ["POST_NOT_FOUND", "STATUS_NOT_FOUND", "ROADMAP_ID_OR_URL_MISSING"],
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
    body: { status: statusId, text, roadmapId, notify },
    caller,
    prefetched: read,
    fail,
    checkState,
    addTrace,
  }) => {
    if (!read) throw fail("POST_NOT_FOUND");
    const move = moveOf({ roadmapId }, read, caller);
    if (reasonAgainstMove(move, read, caller)) throw fail("ROADMAP_ID_OR_URL_MISSING");
    const given = await replanned(read.catalogue, readCatalogue, async (catalogue) => {
      const status = catalogue.statuses.find((each) => each.statusId === statusId);
      if (!status) throw fail("STATUS_NOT_FOUND");
      const check = (current: posts.PostRecord): void => {
        // A post keeps its archived status, but no other post can get it.
        if (status.archived && status.letter !== current.status) throw fail("STATUS_NOT_FOUND");
        checkState({ post: onePost({ ...read, catalogue, post: current }, caller) });
        const values = [...valueOfStatus(current, status, catalogue.statuses), ...valuesOf(move, current)];
        addTrace({ changed: [...values.map(({ field }) => field), ...changeOfResponse(current, text)], values });
      };
      const { version } = catalogue;
      const verdict = { text, move, by: caller.userId, check, version, notify };
      const changed = await posts.setStatus(read.post, status, verdict);
      if (changed === "no such roadmap") throw fail("ROADMAP_ID_OR_URL_MISSING");
      return typeof changed === "object" ? { post: onePost({ ...read, catalogue, post: changed }, caller) } : changed;
    });
    if (!given) throw fail("POST_NOT_FOUND");
    return given;
  },
});
