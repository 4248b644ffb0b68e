import * as z from "zod/mini";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as boardOrder from "../../lib/catalogue/board-order.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { BoardDetail, boardDetailView } from "../../lib/http/resources/catalogue.ts";
import { replanned } from "../../lib/table/retries.ts";

const body = z.object({
  boardId: BoardId,
  /** The board that then follows it; without one it comes last. */
  before: optional(BoardId),
});

/**
 * Moves a board to the place right before another one. The others keep their order. Sent again, it changes nothing. The
 * answer has the boards that the caller may see, in their new order. The first 1,000 places are kept: boards behind
 * them stand oldest first.
 */
export const handler = defineEndpoint({
  name: "boards-sort",
  route: "PATCH /boards/sort",
  permission: "board:update",
  request: z.object({ body }),
  response: z.object({ boards: z.array(BoardDetail) }),
  errors: ["BOARD_NOT_FOUND"],
  table: { CATALOGUE: ["query", "put"] },
  prefetch: () => boards.allWithOrder(),
  audit: "board.moved",
  trace: ({ body: { boardId } }) => ({ item: boardId }),
  handle: async ({ body: { boardId, before }, caller, prefetched, fail }) => {
    const sorted = await replanned(prefetched, boards.allWithOrder, (ordered) =>
      boardOrder.put(ordered, boardId, before),
    );
    if (sorted === "no such board") throw fail("BOARD_NOT_FOUND");
    return { boards: visibleBoards(caller, sorted).map(boardDetailView) };
  },
});
