import * as z from "zod";
import { may } from "../../lib/auth/permissions.ts";
import * as catalogue from "../../lib/data/catalogue.ts";
import * as posts from "../../lib/data/posts.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Id, Line, optional, PostId, TextUpTo } from "../../lib/http/inputs.ts";
import { CreatedPost } from "../../lib/http/schemas.ts";
import { createdPostView } from "../../lib/http/views.ts";
import { slugOf } from "../../lib/values/slugs.ts";

// An absent field stays as it is, null removes it. A title cannot be removed: its null counts as absent.
const body = z.object({
  id: PostId,
  title: optional(Line(255)),
  contentMarkdown: TextUpTo(20_000).nullish(),
  boardId: Id.nullish(),
  roadmapId: Id.nullish(),
});

type Body = z.output<typeof body>;

const placement = ({ boardId, roadmapId }: Body) => ({
  ...(boardId === undefined ? {} : { boardId: boardId ?? undefined }),
  ...(roadmapId === undefined ? {} : { roadmapId: roadmapId ?? undefined }),
});

/** The post without a board or roadmap that is deleted. */
const withoutGone = (post: CreatedPost, known: string[]): CreatedPost => ({
  ...post,
  boardId: post.boardId !== null && known.includes(post.boardId) ? post.boardId : null,
  roadmap_id: post.roadmap_id !== null && known.includes(post.roadmap_id) ? post.roadmap_id : null,
});

/** Beyond the contract: changes a post. Authors change the text, moderators and owners everything. */
export const handler = defineEndpoint(
  {
    name: "posts-update",
    method: "PATCH",
    path: "/posts",
    access: "bearer",
    permission: "post:update",
    request: z.object({ body }),
    success: 200,
    response: z.object({ post: CreatedPost }),
    errors: ["NOT_ENOUGH_PERMISSION", "POST_NOT_FOUND", "BOARD_NOT_FOUND", "ROADMAP_ID_OR_URL_MISSING"],
    table: {
      POSTS: ["get", "update"],
      CATALOGUE: ["query", "update", "check"],
      LIST: ["put", "delete"],
      COUNTS: ["update"],
    },
    read: async ({ body: { id } }) => {
      const [post, entries] = await Promise.all([posts.find(id), catalogue.read()]);
      return { post, catalogue: entries };
    },
  },
  async ({ body, caller, read: { post, catalogue }, fail }) => {
    if (!post) throw fail("POST_NOT_FOUND");
    const moderates = may(caller.role, "post:moderate");
    const to = placement(body);
    const moves = Object.entries(to).some(([name, id]) => post[name as keyof typeof to] !== id);
    if (!moderates && (moves || post.author.userId !== caller.userId)) throw fail("NOT_ENOUGH_PERMISSION");
    const boardIds = catalogue.boards.map(({ boardId }) => boardId);
    const roadmapIds = catalogue.roadmaps.map(({ roadmapId }) => roadmapId);
    const namesNone = (before: string | undefined, id: string | undefined, ids: string[]) =>
      id !== undefined && id !== before && !ids.includes(id);
    if (namesNone(post.boardId, to.boardId, boardIds)) throw fail("BOARD_NOT_FOUND");
    if (namesNone(post.roadmapId, to.roadmapId, roadmapIds)) throw fail("ROADMAP_ID_OR_URL_MISSING");
    const { title, contentMarkdown } = body;
    const changed = await posts.change(post, ({ postId, title: before }) => ({
      ...to,
      ...(title === undefined || title === before ? {} : { title, slug: slugOf(title, postId) }),
      ...(contentMarkdown === undefined ? {} : { contentMarkdown: contentMarkdown ?? undefined }),
    }));
    if (changed === "no such post") throw fail("POST_NOT_FOUND");
    if (changed === "no such board") throw fail("BOARD_NOT_FOUND");
    if (changed === "no such roadmap") throw fail("ROADMAP_ID_OR_URL_MISSING");
    return { post: withoutGone(createdPostView(changed), [...boardIds, ...roadmapIds]) };
  },
);
