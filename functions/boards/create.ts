import * as z from "zod/mini";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";
import { boardTag } from "../../lib/http/preconditions.ts";
import { BoardDetail, boardDetailView } from "../../lib/http/resources/catalogue.ts";
import { Line, removable, TextUpTo } from "../../lib/http/text-inputs.ts";
import { newId } from "../../lib/values/ids.ts";
import { randomColor, urlFor } from "../../lib/values/urls.ts";

const DEFAULT_NAME = "New board";
const INITIAL = { viewVoters: true, postCount: 0 };

const body = z.object({
  name: optional(Line(100)),
  /** What the board is about. */
  description: removable(TextUpTo(500)),
  display: optional(z.boolean()),
});

function fieldsOf({ name = DEFAULT_NAME, description, display = true }: z.output<typeof body>) {
  return { name, description: description ?? undefined, display };
}

/** Creates a board; its url is made from its name. The board is displayed unless `display` is false. */
export const handler = defineEndpoint({
  name: "boards-create",
  route: "POST /boards",
  permission: "board:create",
  request: z.object({ body }),
  success: 201,
  response: z.object({ board: BoardDetail }),
  table: { CATALOGUE: ["put"], BOARD_URL: ["put"] },
  idempotency: z.object({ boardId: z.string(), url: z.string(), color: z.string() }),
  etagOf: ({ board }) => boardTag(board),
  audit: "board.created",
  trace: ({ result }) => ({ item: result?.board.boardId }),
  handle: async ({ body, idempotencyPart, addTrace }) => {
    const fields = { boardId: newId(), color: randomColor(), ...fieldsOf(body), ...INITIAL };
    addTrace({ item: fields.boardId });
    for (let attempt = 0; ; attempt++) {
      const board = { ...fields, url: urlFor(fields.name, "board", attempt) };
      if ((await boards.add(board, idempotencyPart)) === "added") return { board: boardDetailView(board) };
    }
  },
  replay: async (made, { body }) => ({ board: boardDetailView({ ...made, ...fieldsOf(body), ...INITIAL }) }),
});
