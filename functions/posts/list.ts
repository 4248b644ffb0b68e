import * as z from "zod";
import * as catalogue from "../../lib/data/catalogue.ts";
import * as lists from "../../lib/data/lists.ts";
import * as votes from "../../lib/data/votes.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BodyNumber, Id, Order, optional, pageSize } from "../../lib/inputs.ts";
import { Post } from "../../lib/schemas.ts";
import { postListView } from "../../lib/views.ts";
import { visibleIds, visibleTo } from "../../lib/visibility.ts";

// One id or an array of them; an empty array filters nothing.
const Ids = z
  .union([Id.transform((id) => [id]), z.array(Id).max(20)], "Must be an id or an array of at most 20 ids")
  .transform((ids) => (ids.length > 0 ? [...new Set(ids)] : undefined));

const body = z.object({
  page: optional(BodyNumber),
  created: Order,
  limit: pageSize(BodyNumber, 10, 50),
  boardId: optional(Ids),
  roadmapId: optional(Id),
});

/** Spec 4.3: lists posts page by page, newest first unless asked otherwise; all of them, of some boards, of a roadmap. */
export const handler = defineEndpoint(
  {
    name: "posts-list",
    method: "POST",
    path: "/posts/get",
    access: "optional",
    request: z.object({ body }),
    success: 200,
    response: z.object({ posts: z.array(Post) }),
    errors: [],
    table: {
      USER: ["get", "query", "batchGet"],
      CATALOGUE: ["query"],
      POSTS: ["query", "batchGet"],
      LIST: ["query"],
      COUNTS: ["query"],
    },
    read: async ({ body: { page = 1, created: order, limit, boardId: boardIds, roadmapId } }) => {
      const list = lists.open({ boardIds, roadmapId, order, offset: (page - 1) * limit, limit });
      return { list, catalogue: await catalogue.read() };
    },
  },
  async ({ caller, read: { list, catalogue } }) => {
    const posts = await list.page(visibleIds(caller?.role, catalogue));
    const ownVotes =
      caller &&
      (await votes.ownVotesOn(
        posts.map(({ voters }) => voters),
        caller.userId,
        list,
      ));
    return { posts: postListView(posts, visibleTo(caller?.role, catalogue), caller?.userId, ownVotes) };
  },
);
