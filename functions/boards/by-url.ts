import * as z from "zod/mini";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { boardTag } from "../../lib/http/preconditions.ts";
import { BoardDetail, boardDetailView } from "../../lib/http/resources/catalogue.ts";

/** Returns a board by its url. */
export const handler = defineEndpoint({
  name: "boards-by-url",
  route: "GET /boards/{url}",
  access: "optional",
  request: z.object({ params: z.object({ url: z.string() }) }),
  response: z.object({ board: BoardDetail }),
  errors: ["BOARD_NOT_FOUND"],
  table: { CATALOGUE: ["query"] },
  etagOf: ({ board }) => boardTag(board),
  prefetch: () => boards.all(),
  handle: async ({ params: { url }, caller, prefetched, fail }) => {
    const board = visibleBoards(caller, prefetched).find((candidate) => candidate.url === url);
    if (!board) throw fail("BOARD_NOT_FOUND");
    return { board: boardDetailView(board) };
  },
});
