import * as z from "zod";
import * as catalogue from "../../lib/data/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardId, Color, Line, optional } from "../../lib/http/inputs.ts";
import { BoardDetail } from "../../lib/http/schemas.ts";
import { boardDetailView } from "../../lib/http/views.ts";
import { Url } from "../../lib/values/urls.ts";

const body = z.object({
  boardId: BoardId,
  name: optional(Line(100)),
  url: optional(Url),
  color: optional(Color),
  view_voters: optional(z.boolean()),
  display: optional(z.boolean()),
});

/** Beyond the contract: the owner changes a board; what is absent stays. */
export const handler = defineEndpoint(
  {
    name: "boards-update",
    method: "PATCH",
    path: "/boards",
    access: "bearer",
    permission: "board:write",
    request: z.object({ body }),
    success: 200,
    response: z.object({ board: BoardDetail }),
    errors: ["NOT_ENOUGH_PERMISSION", "BOARD_NOT_FOUND", "BOARD_URL_EXISTS"],
    table: { USER: ["get"], CATALOGUE: ["get", "update"], BOARD_URL: ["put", "delete"] },
    read: ({ body: { boardId } }) => catalogue.findBoard(boardId),
  },
  async ({ body: { boardId, view_voters: viewVoters, ...fields }, read, fail }) => {
    const changed = await catalogue.replanned(
      { board: read },
      async () => ({ board: await catalogue.findBoard(boardId) }),
      async ({ board }) => board && catalogue.changeBoard(board, { ...fields, viewVoters }),
    );
    if (!changed) throw fail("BOARD_NOT_FOUND");
    if (changed === "url taken") throw fail("BOARD_URL_EXISTS");
    return { board: boardDetailView(changed) };
  },
);
