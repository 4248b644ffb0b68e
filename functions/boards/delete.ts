import * as z from "zod/mini";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { invalid } from "../../lib/runtime/errors.ts";
import { changeStored } from "../../lib/table/retries.ts";

/**
 * Deletes a board; its posts stay. With `moveTo` they move to that board one after the other, soon after the answer:
 * each as an event post.updated, and without a board until then. If that board is deleted meanwhile, the others go
 * where its own posts go, or stay on no board. A post that is merged or held does not move: taken out of its merge it
 * is on no board, and approved it is on the oldest board that everybody sees.
 */
export const handler = defineEndpoint({
  name: "boards-delete",
  route: "DELETE /boards",
  permission: "board:destroy",
  request: z.object({ body: z.object({ boardId: BoardId, moveTo: optional(BoardId) }) }),
  success: 204,
  errors: ["BOARD_NOT_FOUND"],
  table: { CATALOGUE: ["get", "put", "delete", "check"], BOARD_URL: ["delete"], DELETED: ["put"] },
  prefetch: async ({ body: { boardId, moveTo } }) => {
    const [board, target] = await Promise.all([boards.find(boardId), moveTo && boards.find(moveTo)]);
    return { board, target };
  },
  audit: "board.deleted",
  trace: ({ body: { boardId, moveTo }, prefetched: { board } }) => ({
    item: boardId,
    itemName: board?.name,
    to: moveTo,
  }),
  handle: async ({ body: { boardId, moveTo }, caller, prefetched: { board, target }, fail }) => {
    if (moveTo === boardId)
      throw invalid("body.moveTo", "custom", "Must be another board than the one that is deleted");
    if (!board) throw fail("BOARD_NOT_FOUND");
    const isNowhere = () => fail("BOARD_NOT_FOUND", "The board that takes the posts does not exist");
    if (moveTo && !target) throw isNowhere();
    const next = moveTo === undefined ? undefined : { moveTo, by: caller.userId };
    const read = () => boards.find(boardId);
    const outcome = await changeStored(board, read, (asRead) => boards.remove(asRead, next));
    if (outcome === "no such target") throw isNowhere();
    if (!outcome) throw fail("BOARD_NOT_FOUND");
  },
});
