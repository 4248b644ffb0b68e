import * as z from "zod";
import { may } from "../../lib/auth/permissions.ts";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as catalogue from "../../lib/data/catalogue.ts";
import * as posts from "../../lib/data/posts.ts";
import { replanned } from "../../lib/data/retries.ts";
import * as users from "../../lib/data/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Id, Line, optional, TextUpTo, UserId } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { CreatedPost } from "../../lib/http/schemas.ts";
import { createdPostView } from "../../lib/http/views.ts";
import { newId, timeOf } from "../../lib/values/ids.ts";
import { slugOf } from "../../lib/values/slugs.ts";

const body = z.object({
  title: Line(255),
  contentMarkdown: optional(TextUpTo(20_000)),
  boardId: optional(Id),
  authorId: optional(UserId),
});

/**
 * Creates a post on a board, by default the oldest one: docs/contract.md#create-a-post
 *
 * The owner may write on behalf of the account `authorId`: the post is then that account's, and moderators and owners see who wrote it.
 */
export const handler = defineEndpoint(
  {
    name: "posts-create",
    method: "POST",
    path: "/posts",
    access: "bearer",
    permission: "post:create",
    needsVerified: true,
    request: z.object({ body }),
    success: 201,
    response: z.object({ post: CreatedPost }),
    errors: ["NOT_ENOUGH_PERMISSION", "USER_NOT_FOUND", "BOARD_NOT_FOUND"],
    table: {
      USER: ["get", "put"],
      CATALOGUE: ["query", "update"],
      POSTS: ["put"],
      LIST: ["put"],
      COUNTS: ["update"],
    },
    read: async ({ body: { authorId } }, userId) => {
      const isOther = authorId !== undefined && authorId !== userId;
      const [entries, author] = await Promise.all([catalogue.read(), isOther ? users.find(authorId) : undefined]);
      return { entries, author, isOther };
    },
    limit: (_, { session }) => limits.createPost(session),
  },
  async ({ body: { title, contentMarkdown, boardId: givenId }, caller, read: { entries, author, isOther }, fail }) => {
    if (isOther && !may(caller.role, "post:assign")) throw fail("NOT_ENOUGH_PERMISSION");
    if (isOther && !author) throw fail("USER_NOT_FOUND");
    const authorship = author
      ? { author: users.shownOf(author), by: caller.userId }
      : { author: users.shownOf(caller) };
    const postId = newId();
    const fields = { postId, title, slug: slugOf(title, postId), contentMarkdown, updatedAt: timeOf(postId) };
    const addPost = async ({ boards }: catalogue.Catalogue): Promise<posts.PostRecord | "changed meanwhile"> => {
      const visible = visibleBoards(caller.role, boards);
      const board = givenId === undefined ? visible[0] : visible.find(({ boardId }) => boardId === givenId);
      if (givenId !== undefined && !board) throw fail("BOARD_NOT_FOUND");
      const post = { ...fields, ...authorship, boardId: board?.boardId };
      // If the board is deleted before the post is written, the catalogue is read again.
      return (await posts.add(post)) === "added" ? post : "changed meanwhile";
    };
    return { post: createdPostView(await replanned(entries, catalogue.read, addPost)) };
  },
);
