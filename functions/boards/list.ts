import * as z from "zod";
import * as catalogue from "../../lib/data/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Order, optional, pageSize, QueryNumber } from "../../lib/inputs.ts";
import { BoardListItem } from "../../lib/schemas.ts";
import { boardListView } from "../../lib/views.ts";
import { visibleTo } from "../../lib/visibility.ts";

const query = z.object({ created: Order, limit: pageSize(QueryNumber, 10, 100), page: optional(QueryNumber) });

/** Spec 4.12: lists boards page by page, newest first unless asked otherwise. */
export const handler = defineEndpoint(
  {
    name: "boards-list",
    method: "GET",
    path: "/boards",
    access: "bearer",
    request: z.object({ query }),
    success: 200,
    response: z.object({ boards: z.array(BoardListItem) }),
    errors: [],
    table: { USER: ["get"], CATALOGUE: ["query"] },
    read: () => catalogue.boards(),
  },
  async ({ query: { created, limit, page = 1 }, caller, read }) => {
    // Ids sort by creation, and the store answers them in that order.
    const { boards } = visibleTo(caller.role, { boards: read, roadmaps: [] });
    const ordered = created === "asc" ? boards : boards.toReversed();
    return { boards: ordered.slice((page - 1) * limit, page * limit).map(boardListView) };
  },
);
