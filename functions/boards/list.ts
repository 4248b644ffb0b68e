import * as z from "zod/mini";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardQuery, boardPage } from "../../lib/http/board-pages.ts";
import { sameOrder } from "../../lib/http/pages.ts";
import { BoardListItem, boardListView, CursorPaging } from "../../lib/http/resources.ts";

const Extras = z.partial(z.extend(CursorPaging, { results: z.array(BoardListItem) }));

/**
 * Lists boards page by page: docs/contract.md#list-boards
 * Newest first by default. With `first` or `after` the list is paged by cursor and has `results`, `page_info`,
 * `total_pages` and `total_count`.
 */
export const handler = defineEndpoint({
  name: "boards-list",
  route: "GET /boards",
  contract: true,
  access: "bearer unless public reads",
  request: z.object({ query: BoardQuery.check(sameOrder) }),
  response: z.extend(z.object({ boards: z.array(BoardListItem) }), Extras.shape),
  table: { CATALOGUE: ["query"] },
  prefetch: () => boards.all(),
  handle: async ({ query, caller, prefetched }) => {
    const { items, paging } = boardPage(visibleBoards(caller, prefetched), query);
    const results = items.map(boardListView);
    return paging ? { boards: results, results, ...paging } : { boards: results };
  },
});
