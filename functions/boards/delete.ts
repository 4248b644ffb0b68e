import * as z from "zod/mini";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardId } from "../../lib/http/inputs.ts";
import { replanned } from "../../lib/table/retries.ts";

/**
 * Beyond the contract: the owner deletes a board.
 *
 * Its posts stay, without a board.
 */
export const handler = defineEndpoint(
  {
    name: "boards-delete",
    method: "DELETE",
    path: "/boards",
    access: "bearer",
    permission: "board:destroy",
    request: z.object({ body: z.object({ boardId: BoardId }) }),
    success: 204,
    response: z.undefined(),
    errors: ["BOARD_NOT_FOUND"],
    table: { CATALOGUE: ["get", "query", "update", "delete"], BOARD_URL: ["delete"], DELETED: ["put"] },
    read: ({ body: { boardId } }) => boards.find(boardId),
  },
  async ({ body: { boardId }, read, fail }) => {
    const outcome = await replanned(
      read,
      () => boards.find(boardId),
      async (board) => board && boards.remove(board),
    );
    if (!outcome) throw fail("BOARD_NOT_FOUND");
    return undefined;
  },
);
