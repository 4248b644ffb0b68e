import * as z from "zod";
import { BoardQuery, boardPage } from "../../lib/board-pages.ts";
import * as catalogue from "../../lib/data/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardDetail } from "../../lib/schemas.ts";
import { boardDetailView } from "../../lib/views.ts";
import { visibleTo } from "../../lib/visibility.ts";

/** Beyond the contract: lists boards page by page for everybody, with what clients that show boards ask for. */
export const handler = defineEndpoint(
  {
    name: "boards-browse",
    method: "GET",
    path: "/boards/get",
    access: "optional",
    request: z.object({ query: BoardQuery.pick({ created: true, limit: true, page: true }) }),
    success: 200,
    response: z.object({ boards: z.array(BoardDetail) }),
    errors: [],
    table: { USER: ["get"], CATALOGUE: ["query"] },
    read: () => catalogue.boards(),
  },
  async ({ query, caller, read }) => {
    const { boards } = visibleTo(caller?.role, { boards: read, roadmaps: [] });
    return { boards: boardPage(boards, query).items.map(boardDetailView) };
  },
);
