import * as z from "zod/mini";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardId } from "../../lib/http/id-inputs.ts";
import { changeStored } from "../../lib/table/retries.ts";

/** Deletes a board; its posts stay. */
export const handler = defineEndpoint({
  name: "boards-delete",
  route: "DELETE /boards",
  permission: "board:destroy",
  request: z.object({ body: z.object({ boardId: BoardId }) }),
  success: 204,
  errors: ["BOARD_NOT_FOUND"],
  table: { CATALOGUE: ["get", "put", "delete"], BOARD_URL: ["delete"], DELETED: ["put"] },
  prefetch: ({ body: { boardId } }) => boards.find(boardId),
  audit: "board.deleted",
  trace: ({ body: { boardId }, prefetched }) => ({ item: boardId, itemName: prefetched?.name }),
  handle: async ({ body: { boardId }, prefetched, fail }) => {
    if (!(await changeStored(prefetched, () => boards.find(boardId), boards.remove))) throw fail("BOARD_NOT_FOUND");
  },
});
