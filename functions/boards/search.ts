import * as z from "zod/mini";
import { visibleBoards } from "../../lib/auth/visibility.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardDetail, boardDetailView } from "../../lib/http/resources/catalogue.ts";
import { SearchedName } from "../../lib/http/text-inputs.ts";
import { foldCase } from "../../lib/values/text.ts";

/** Finds boards whose name contains a text, oldest first. */
export const handler = defineEndpoint({
  name: "boards-search",
  route: "GET /boards/search/{name+}",
  request: z.object({ params: z.object({ name: SearchedName }) }),
  response: z.object({ results: z.array(BoardDetail), boards: z.array(BoardDetail) }),
  table: { CATALOGUE: ["query"] },
  prefetch: () => boards.all(),
  handle: async ({ params: { name }, caller, prefetched }) => {
    const visible = visibleBoards(caller, prefetched);
    const text = foldCase(name);
    const results = visible.filter((board) => foldCase(board.name).includes(text)).map(boardDetailView);
    return { results, boards: results };
  },
});
