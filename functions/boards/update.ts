import * as z from "zod/mini";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardId } from "../../lib/http/id-inputs.ts";
import { changeIn, optional, toldIn } from "../../lib/http/inputs.ts";
import { boardTag } from "../../lib/http/preconditions.ts";
import { BoardDetail, boardDetailView } from "../../lib/http/resources/catalogue.ts";
import { Color, Line, removable, TextUpTo } from "../../lib/http/text-inputs.ts";
import { changeStored } from "../../lib/table/retries.ts";
import { BoardUrl } from "../../lib/values/urls.ts";

const body = z.object({
  boardId: BoardId,
  name: optional(Line(100)),
  /** What the board is about; null removes it. */
  description: removable(TextUpTo(500)),
  url: optional(BoardUrl),
  color: optional(Color),
  view_voters: optional(z.boolean()),
  display: optional(z.boolean()),
});

/**
 * Changes a board. An absent field stays as it is. These urls are reserved: `get`, `search`, `sort` and `check-slug`.
 */
export const handler = defineEndpoint({
  name: "boards-update",
  route: "PATCH /boards",
  permission: "board:update",
  request: z.object({ body }),
  response: z.object({ board: BoardDetail }),
  errors: ["BOARD_NOT_FOUND", "BOARD_URL_EXISTS"],
  table: { CATALOGUE: ["get", "put", "update"], BOARD_URL: ["put", "delete"] },
  etagOf: ({ board }) => boardTag(board),
  prefetch: ({ body: { boardId } }) => boards.find(boardId),
  audit: "board.updated",
  trace: ({ body: { boardId, ...fields } }) => ({ item: boardId, changed: toldIn(fields) }),
  handle: async ({ body: { boardId, view_voters: viewVoters, ...fields }, prefetched, fail, checkState }) => {
    const read = () => boards.find(boardId);
    const changed = await changeStored(prefetched, read, (board) => {
      checkState({ board: boardDetailView(board) });
      return boards.change(board, changeIn({ ...fields, viewVoters }));
    });
    if (!changed) throw fail("BOARD_NOT_FOUND");
    if (changed === "taken") throw fail("BOARD_URL_EXISTS");
    return { board: boardDetailView(changed) };
  },
});
