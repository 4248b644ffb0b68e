import * as z from "zod/mini";
import { read as readCatalogue } from "../../lib/catalogue/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { Id, PostId, StatusId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { onePost, readOne } from "../../lib/http/one-post.ts";
import { type Move, moveOf, reasonAgainstMove } from "../../lib/http/placing.ts";
import { PostBySlug } from "../../lib/http/resources/posts.ts";
import { ResponseText } from "../../lib/http/text-inputs.ts";
import * as posts from "../../lib/posts/posts.ts";
import { replanned } from "../../lib/table/retries.ts";

type Asked = { letter: string | undefined; text: string | null | undefined; move: Move };

/** What a call changes of a post, for the audit log: its status, its roadmap, and what becomes of the response. */
function changesIn({ status, response, roadmapId }: posts.PostRecord, { letter, text, move }: Asked): string[] {
  const isMoved = "roadmapId" in move && move.roadmapId !== roadmapId;
  const changes = [...(letter === status ? [] : ["status"]), ...(isMoved ? ["roadmapId"] : [])];
  if (text === undefined || text === (response?.text ?? "")) return changes;
  if (!text) return response ? [...changes, "response.deleted"] : changes;
  return [...changes, response ? "response.updated" : "response.created"];
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
        addTrace({ changed: changesIn(current, { letter: status.letter, text, move }) });
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
