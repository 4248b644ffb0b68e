import * as z from "zod/mini";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardQuery, boardAnswer, boardPage } from "../../lib/http/board-pages.ts";
import { BoardDetail, boardDetailView } from "../../lib/http/resources/catalogue.ts";

/** Lists boards page by page, with all fields that clients show. */
export const handler = defineEndpoint({
  name: "boards-browse",
  route: "GET /boards/get",
  access: "optional",
  request: z.object({ query: BoardQuery }),
  response: boardAnswer(BoardDetail),
  table: { CATALOGUE: ["query"] },
  prefetch: () => boards.all(),
  handle: async ({ query, caller, prefetched }) => boardPage(visibleBoards(caller, prefetched), query, boardDetailView),
});
