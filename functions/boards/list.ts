import * as z from "zod/mini";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardQuery, boardAnswer, boardPage } from "../../lib/http/board-pages.ts";
import { BoardListItem, boardListView } from "../../lib/http/resources/catalogue.ts";

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
  request: z.object({ query: BoardQuery }),
  response: boardAnswer(BoardListItem),
  table: { CATALOGUE: ["query"] },
  prefetch: () => boards.all(),
  handle: async ({ query, caller, prefetched }) => boardPage(visibleBoards(caller, prefetched), query, boardListView),
});
