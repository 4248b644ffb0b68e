import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { requirePermissions } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import type { Caller } from "../../lib/http/callers.ts";
import { textAgainst } from "../../lib/http/held.ts";
import { Id, PostId } from "../../lib/http/id-inputs.ts";
import { namesIn, optional } from "../../lib/http/inputs.ts";
import { type OnePost, onePost, readOne } from "../../lib/http/one-post.ts";
import { moveOf, reasonAgainstMove, valuesOf } from "../../lib/http/placing.ts";
import { ChangedPost } from "../../lib/http/resources/posts.ts";
import { Line, LongText } from "../../lib/http/text-inputs.ts";
import { type Edited, reasonAgainstChange } from "../../lib/posts/holding.ts";
import * as posts from "../../lib/posts/posts.ts";
import { slugOf } from "../../lib/values/slugs.ts";

// An absent field stays as it is, null removes it. A title and a lock cannot be removed: their null counts as absent.
const body = z.object({
  id: PostId,
  title: optional(Line(255)),
  contentMarkdown: z.nullish(LongText),
  boardId: z.nullish(Id),
  roadmapId: z.nullish(Id),
  isLocked: optional(z.boolean()),
  isPinned: optional(z.boolean()),
});

function viewOf(read: OnePost, caller: Caller): ChangedPost {
  const view = onePost(read, caller);
  const { author, board, roadmap } = view;
  return { ...view, userId: author.userId, boardId: board?.boardId ?? null, roadmap_id: roadmap?.id ?? null };
}

/** The texts that a change sets, as they were and as they are wanted. */
function editsOf(post: posts.PostRecord, { title, contentMarkdown }: z.output<typeof body>): Edited[] {
  const before = post.contentMarkdown ?? "";
  return [
    { before: post.title, after: title ?? post.title },
    { before, after: contentMarkdown === undefined ? before : (contentMarkdown ?? "") },
  ];
}

/** What locks, unlocks, pins or unpins the post, where that differs from what was read. */
function switches({ isLocked, isPinned }: z.output<typeof body>, post: posts.PostRecord) {
  const locks = isLocked !== undefined && isLocked !== (post.isLocked ?? false);
  const pins = isPinned !== undefined && isPinned !== (post.isPinned ?? false);
  return { ...(locks && { isLocked: isLocked || undefined }), ...(pins && { isPinned: isPinned || undefined }) };
}

/** The names of the given fields as the audit log has them: of the two switches, what they do. */
function toldIn({ id: _, ...fields }: z.output<typeof body>): string[] {
  const { isLocked, isPinned } = fields;
  const told: Record<string, string> = {
    isLocked: isLocked ? "locked" : "unlocked",
    isPinned: isPinned ? "pinned" : "unpinned",
  };
  return namesIn(fields).map((field) => told[field] ?? field);
}

/**
 * Changes a post: authors its title and content, moderators and owners everything. An absent field stays as it is, null
 * removes it. On a locked post (`isLocked`) only moderators and owners comment. A pinned post (`isPinned`) is also in
 * `pinned` of its lists; a site has at most three. NEEDS_APPROVAL: an author put in what the team looks at first
 * (docs/api.md#moderation).
 */
export const handler = defineEndpoint({
  name: "posts-update",
  route: "PATCH /posts",
  permission: "post:update:own",
  request: z.object({ body }),
  response: z.object({ post: ChangedPost }),
  errors: ["NEEDS_APPROVAL", "POST_NOT_FOUND", "BOARD_NOT_FOUND", "ROADMAP_ID_OR_URL_MISSING", "TOO_MANY_PINNED"],
  table: {
    SITE: ["get"],
    USER: ["get", "query"],
    POSTS: ["get", "update"],
    CATALOGUE: ["get", "query", "update", "put", "check"],
    LIST: ["put", "delete"],
    COUNTS: ["update"],
    ...NEW_EVENT,
  },
  etagOf: ({ post }) => post.updatedAt,
  prefetch: async ({ body: { id } }, viewerId) => {
    const [read, ofSite] = await Promise.all([readOne(id, viewerId), site.find()]);
    return { read, policy: ofSite?.moderation };
  },
  audit: "post.updated",
  trace: ({ body: asked, prefetched: { read } }) => ({
    item: asked.id,
    account: read?.post.author.userId,
    changed: toldIn(asked),
  }),
  handle: async ({ body, caller, prefetched: { read, policy }, fail, checkState, addTrace }) => {
    if (!read) throw fail("POST_NOT_FOUND");
    const { post } = read;
    const to = moveOf(body, read, caller);
    const moves = Object.keys(to).length > 0;
    const isAuthor = post.author.userId === caller.userId;
    const { title, contentMarkdown } = body;
    const switched = switches(body, post);
    const isOfTeam = moves || Object.keys(switched).length > 0;
    requirePermissions(caller, !isAuthor && "post:update", isOfTeam && "post:moderate");
    const isNowhere = reasonAgainstMove(to, read, caller);
    if (isNowhere) throw fail(isNowhere);
    const reason = await reasonAgainstChange(policy, "post", caller, editsOf(post, body));
    if (reason) throw fail("NEEDS_APPROVAL", textAgainst(reason));
    const plan = (current: posts.PostRecord) => {
      checkState({ post: viewOf({ ...read, post: current }, caller) });
      addTrace({ values: valuesOf(to, current) });
      return {
        ...to,
        ...(title === undefined || title === current.title ? {} : { title, slug: slugOf(title, current.postId) }),
        ...(contentMarkdown === undefined ? {} : { contentMarkdown: contentMarkdown ?? undefined }),
        ...switched,
      };
    };
    const changed = await posts.change(post, plan, caller.userId);
    if (!changed) throw fail("POST_NOT_FOUND");
    if (changed === "no such board") throw fail("BOARD_NOT_FOUND");
    if (changed === "too many pinned") throw fail("TOO_MANY_PINNED");
    if (typeof changed === "string") throw fail("ROADMAP_ID_OR_URL_MISSING");
    return { post: viewOf({ ...read, post: changed }, caller) };
  },
});
