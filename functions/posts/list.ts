import * as z from "zod";
import { idsIn, visibleCatalogue } from "../../lib/auth/visibility.ts";
import * as catalogue from "../../lib/data/catalogue.ts";
import * as lists from "../../lib/data/lists.ts";
import * as votes from "../../lib/data/votes.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { ANY_ID, BodyNumber, Id, Order, optional, pageSize, Text } from "../../lib/http/inputs.ts";
import { After, CountedPlace, cursorOf, pagingOf } from "../../lib/http/pages.ts";
import { CursorPaging, Post } from "../../lib/http/schemas.ts";
import { postListView } from "../../lib/http/views.ts";

const MAX_BOARDS = 20;

// One id or an array of ids; a repeated id counts once, an empty array is no filter.
const BoardIds = z
  .union([z.string(), z.array(z.string())], "Must be an id or an array of ids")
  .transform((ids) => [...new Set([ids].flat().map((id) => id.toLowerCase()))])
  .refine((ids) => ids.every((id) => Text.safeParse(id).success), "Must hold ids")
  .pipe(z.array(Id).max(MAX_BOARDS))
  .transform((ids) => (ids.length > 0 ? ids : undefined))
  .meta({ anyOf: [ANY_ID, { type: "array", items: ANY_ID, maxItems: MAX_BOARDS }] });

const body = z.object({
  page: optional(BodyNumber),
  created: Order,
  limit: pageSize(BodyNumber, 10, 50),
  boardId: optional(BoardIds),
  roadmapId: optional(Id),
  // Beyond the contract: pages by cursor instead of by number.
  first: optional(pageSize(BodyNumber, 10, 50)),
  after: optional(After(CountedPlace)),
});

const Extras = CursorPaging.extend({ results: z.array(Post) }).partial();

/**
 * Lists posts page by page: all, of some boards, of a roadmap; docs/contract.md#list-posts
 *
 * Newest first by default. With `first` or `after` the list is paged by cursor, and `results`, `page_info`, `total_pages` and
 * `total_count` are there too.
 */
export const handler = defineEndpoint(
  {
    name: "posts-list",
    method: "POST",
    path: "/posts/get",
    access: "optional",
    request: z.object({ body }),
    success: 200,
    response: z.object({ posts: z.array(Post) }).extend(Extras.shape),
    errors: [],
    table: {
      USER: ["query", "batchGet"],
      CATALOGUE: ["query"],
      POSTS: ["query", "batchGet"],
      LIST: ["query"],
      COUNTS: ["query"],
    },
    read: async ({ body: { page = 1, created: order, limit, boardId: boardIds, roadmapId, first, after } }) => {
      const byCursor = first !== undefined || after !== undefined;
      const size = first ?? limit;
      const [offset, afterId] = after ?? [byCursor ? 0 : (page - 1) * limit, undefined];
      // By cursor one post more is read: it tells whether there is a next page.
      const limits = { offset, limit: byCursor ? size + 1 : size, after: afterId, counted: byCursor };
      const list = lists.open({ boardIds, roadmapId, order, ...limits });
      return { list, size, byCursor, offset, catalogue: await catalogue.read() };
    },
  },
  async ({ caller, read: { list, size, byCursor, offset, catalogue } }) => {
    const visible = visibleCatalogue(caller?.role, catalogue);
    const visibleIds = idsIn(visible);
    const [found, total] = await Promise.all([list.page(visibleIds), byCursor ? list.total(visibleIds) : 0]);
    const page = found.slice(0, size);
    const votersOfPage = page.map(({ voters }) => voters);
    const ownVotes = caller && (await votes.ownVotesOn(votersOfPage, caller.userId, list));
    const posts = postListView(page, visible, caller?.userId, ownVotes);
    if (!byCursor) return { posts };
    const place = { before: offset, first: size, total, hasNext: found.length > size };
    const paging = pagingOf(posts, place, ({ postId }, position) => cursorOf([position, postId]));
    return { posts, results: posts, ...paging };
  },
);
