import * as z from "zod/mini";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import { byPlace } from "../../lib/catalogue/board-order.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { boardAnswer, boardPage, OrderedBoardQuery } from "../../lib/http/board-pages.ts";
import { BoardDetail, boardDetailView } from "../../lib/http/resources/catalogue.ts";

/**
 * Lists boards page by page, with all fields that clients show. `sort=position` lists them in the owner's order: boards
 * that were never moved come last, oldest first.
 */
export const handler = defineEndpoint({
  name: "boards-browse",
  route: "GET /boards/get",
  access: "optional",
  request: z.object({ query: OrderedBoardQuery }),
  response: boardAnswer(BoardDetail),
  table: { CATALOGUE: ["query"] },
  prefetch: () => boards.allWithOrder(),
  handle: async ({ query, caller, prefetched: { boards, order } }) =>
    boardPage(visibleBoards(caller, boards), query, boardDetailView, byPlace(order)),
});
