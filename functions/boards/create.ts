import * as z from "zod/mini";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Line, optional } from "../../lib/http/inputs.ts";
import { boardTag } from "../../lib/http/preconditions.ts";
import { BoardDetail, boardDetailView } from "../../lib/http/resources/catalogue.ts";
import { newId } from "../../lib/values/ids.ts";
import { randomColor, urlFor } from "../../lib/values/urls.ts";

const DEFAULT_NAME = "New board";
const INITIAL = { viewVoters: true, postCount: 0 };

/** Creates a board; its url is made from its name. The board is displayed unless `display` is false. */
export const handler = defineEndpoint({
  name: "boards-create",
  route: "POST /boards",
  permission: "board:create",
  request: z.object({ body: z.object({ name: optional(Line(100)), display: optional(z.boolean()) }) }),
  success: 201,
  response: z.object({ board: BoardDetail }),
  table: { CATALOGUE: ["put"], BOARD_URL: ["put"] },
  idempotency: z.object({ boardId: z.string(), url: z.string(), color: z.string() }),
  etagOf: ({ board }) => boardTag(board),
  trace: ({ result }) => ({ item: result?.board.boardId }),
  handle: async ({ body: { name = DEFAULT_NAME, display = true }, idempotencyPart }) => {
    const fields = { boardId: newId(), name, color: randomColor(), display, ...INITIAL };
    for (let attempt = 0; ; attempt++) {
      const board = { ...fields, url: urlFor(name, "board", attempt) };
      if ((await boards.add(board, idempotencyPart)) === "added") return { board: boardDetailView(board) };
    }
  },
  replay: async (made, { body: { name = DEFAULT_NAME, display = true } }) => ({
    board: boardDetailView({ ...made, name, display, ...INITIAL }),
  }),
});
