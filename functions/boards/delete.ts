import * as z from "zod";
import * as catalogue from "../../lib/data/catalogue.ts";
import { defineEndpoint, Nothing } from "../../lib/endpoint.ts";
import { BoardId } from "../../lib/http/inputs.ts";

/** Beyond the contract: the owner deletes a board; its posts go on without one. */
export const handler = defineEndpoint(
  {
    name: "boards-delete",
    method: "DELETE",
    path: "/boards",
    access: "bearer",
    permission: "board:write",
    request: z.object({ body: z.object({ boardId: BoardId }) }),
    success: 204,
    response: Nothing,
    errors: ["NOT_ENOUGH_PERMISSION", "BOARD_NOT_FOUND"],
    table: { USER: ["get"], CATALOGUE: ["get", "delete"], BOARD_URL: ["delete"], DELETED: ["put"] },
    read: ({ body: { boardId } }) => catalogue.findBoard(boardId),
  },
  async ({ body: { boardId }, read, fail }) => {
    const outcome = await catalogue.replanned(
      { board: read },
      async () => ({ board: await catalogue.findBoard(boardId) }),
      async ({ board }) => board && catalogue.removeBoard(board),
    );
    if (!outcome) throw fail("BOARD_NOT_FOUND");
    return undefined;
  },
);
