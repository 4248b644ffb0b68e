import * as z from "zod/mini";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { boardTag } from "../../lib/http/preconditions.ts";
import { BoardDetail } from "../../lib/http/schemas.ts";
import { boardDetailView } from "../../lib/http/views.ts";

/** Beyond the contract: one board by its url. */
export const handler = defineEndpoint(
  {
    name: "boards-by-url",
    method: "GET",
    path: "/boards/{url}",
    access: "optional",
    request: z.object({ params: z.object({ url: z.string() }) }),
    success: 200,
    response: z.object({ board: BoardDetail }),
    errors: ["BOARD_NOT_FOUND"],
    table: { CATALOGUE: ["query"] },
    etag: ({ board }) => boardTag(board),
    read: () => boards.all(),
  },
  async ({ params: { url }, caller, read, fail }) => {
    const visible = visibleBoards(caller, read);
    const board = visible.find((candidate) => candidate.url === url);
    if (!board) throw fail("BOARD_NOT_FOUND");
    return { board: boardDetailView(board) };
  },
);
