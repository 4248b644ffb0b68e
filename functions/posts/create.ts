import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { HOLDS, holdForTeam } from "../../lib/http/held.ts";
import { Id, UserId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { NEW_POSTS } from "../../lib/http/rate-limits.ts";
import { CreatedPost, createdPostView } from "../../lib/http/resources/posts.ts";
import { Line, LongText } from "../../lib/http/text-inputs.ts";
import { reasonsToHold } from "../../lib/posts/holding.ts";
import * as posts from "../../lib/posts/posts.ts";
import { replanned } from "../../lib/table/retries.ts";
import { newId, timeOf } from "../../lib/values/ids.ts";
import { slugOf } from "../../lib/values/slugs.ts";

const body = z.object({
  title: Line(255),
  contentMarkdown: optional(LongText),
  boardId: optional(Id),
  authorId: optional(UserId),
});

type Authorship = Pick<posts.PostRecord, "author" | "by">;
type Draft = Authorship & Pick<posts.PostRecord, "title" | "contentMarkdown" | "postId" | "boardId">;

function newPost({ postId, title, contentMarkdown, author, by, boardId }: Draft): posts.PostRecord {
  const slug = slugOf(title, postId);
  return { postId, title, slug, contentMarkdown, author, by, boardId, updatedAt: timeOf(postId) };
}

/** The boards on which a post may go: the named one, or all of them, the oldest first. */
async function candidatesFor(boardId: string | undefined): Promise<boards.BoardRecord[]> {
  if (boardId === undefined) return boards.all();
  const board = await boards.find(boardId);
  return board ? [board] : [];
}

function authorshipOf(caller: users.Person, author: users.Person | undefined): Authorship {
  return author ? { author: users.shownOf(author), by: caller.userId } : { author: users.shownOf(caller) };
}

/**
 * Creates a post, by default on the oldest board: docs/contract.md#create-a-post
 * The owner may write on behalf of the account `authorId`: then that account is the author, and moderators and owners
 * see who wrote the post. With `held` the team looks at the post before others see it (docs/api.md#moderation).
 */
export const handler = defineEndpoint({
  name: "posts-create",
  route: "POST /posts",
  contract: true,
  permission: "post:create",
  permissionsOf: ({ body: { authorId } }, userId) => (authorId && authorId !== userId ? ["post:assign"] : []),
  needsVerified: true,
  request: z.object({ body }),
  success: 201,
  response: z.object({ post: CreatedPost, held: z.optional(z.literal(true)) }),
  errors: ["USER_NOT_FOUND", "BOARD_NOT_FOUND"],
  table: {
    ...HOLDS,
    USER: ["get", "query", "put", "update"],
    CATALOGUE: ["get", "query", "update"],
    POSTS: ["put"],
    LIST: ["put"],
    COUNTS: ["update"],
    ...NEW_EVENT,
  },
  idempotency: z.object({
    postId: z.string(),
    boardId: z.optional(z.string()),
    held: z.optional(z.literal(true)),
  }),
  prefetch: async ({ body: { authorId, boardId } }, userId) => {
    const isOther = authorId !== undefined && authorId !== userId;
    const [candidates, author, ofSite] = await Promise.all([
      candidatesFor(boardId),
      isOther ? users.find(authorId) : undefined,
      site.find(),
    ]);
    return { candidates, author, isOther, policy: ofSite?.moderation };
  },
  callLimits: NEW_POSTS,
  audit: "post.created",
  trace: ({ prefetched: { author }, result }) => ({ item: result?.post.postId, account: author?.userId }),
  handle: async ({ body, caller, prefetched, fail, idempotencyPart, addTrace }) => {
    const { title, contentMarkdown, boardId: givenId } = body;
    const { candidates, author, isOther, policy } = prefetched;
    if (isOther && !author) throw fail("USER_NOT_FOUND");
    const authorship = authorshipOf(caller, author);
    const postId = newId();
    addTrace({ item: postId });
    const postOn = (found: boards.BoardRecord[]): posts.PostRecord => {
      const [board] = visibleBoards(caller, found);
      if (givenId !== undefined && !board) throw fail("BOARD_NOT_FOUND");
      return newPost({ postId, title, contentMarkdown, ...authorship, boardId: board?.boardId });
    };
    const reasons = await reasonsToHold(policy, "post", caller, [title, contentMarkdown ?? ""]);
    if (reasons.length > 0) {
      const post = postOn(candidates);
      const text = { title, contentMarkdown, boardId: post.boardId };
      const held = { id: postId, kind: "post", userId: caller.userId, reasons, ...text } as const;
      await holdForTeam(held, idempotencyPart?.({ ...post, held: true }));
      return { post: createdPostView(post), held: true as const };
    }
    const addPost = async (found: boards.BoardRecord[]): Promise<posts.PostRecord | "changed meanwhile"> => {
      const post = postOn(found);
      // If the board is deleted before the post is written, the boards are read again.
      return (await posts.add(post, idempotencyPart)) === "added" ? post : "changed meanwhile";
    };
    return { post: createdPostView(await replanned(candidates, () => candidatesFor(givenId), addPost)) };
  },
  replay: async ({ held, ...made }, { body, caller, prefetched: { author } }) => ({
    // A post without a board stays without the one that the body names.
    post: createdPostView(newPost({ ...body, ...authorshipOf(caller, author), ...made, boardId: made.boardId })),
    held,
  }),
});
