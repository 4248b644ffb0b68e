import * as z from "zod";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as catalogue from "../../lib/data/catalogue.ts";
import * as posts from "../../lib/data/posts.ts";
import { replanned } from "../../lib/data/retries.ts";
import { shownOf } from "../../lib/data/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Id, Line, optional, TextUpTo } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { CreatedPost } from "../../lib/http/schemas.ts";
import { createdPostView } from "../../lib/http/views.ts";
import { newId, timeOf } from "../../lib/values/ids.ts";
import { slugOf } from "../../lib/values/slugs.ts";

const body = z.object({
  title: Line(255),
  contentMarkdown: optional(TextUpTo(20_000)),
  boardId: optional(Id),
});

/** Creates a post on a board, by default the oldest one: docs/contract.md#create-a-post */
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
    errors: ["BOARD_NOT_FOUND"],
    table: {
      USER: ["put"],
      CATALOGUE: ["query", "update"],
      POSTS: ["put"],
      LIST: ["put"],
      COUNTS: ["update"],
    },
    read: () => catalogue.read(),
    limit: (_, { session }) => limits.createPost(session),
  },
  async ({ body: { title, contentMarkdown, boardId: givenId }, caller, read, fail }) => {
    const postId = newId();
    const fields = { postId, title, slug: slugOf(title, postId), contentMarkdown, updatedAt: timeOf(postId) };
    const addPost = async ({ boards }: catalogue.Catalogue): Promise<posts.PostRecord | "changed meanwhile"> => {
      const visible = visibleBoards(caller.role, boards);
      const board = givenId === undefined ? visible[0] : visible.find(({ boardId }) => boardId === givenId);
      if (givenId !== undefined && !board) throw fail("BOARD_NOT_FOUND");
      const post = { ...fields, author: shownOf(caller), boardId: board?.boardId };
      // If the board is deleted before the post is written, the catalogue is read again.
      return (await posts.add(post)) === "added" ? post : "changed meanwhile";
    };
    return { post: createdPostView(await replanned(read, catalogue.read, addPost)) };
  },
);
