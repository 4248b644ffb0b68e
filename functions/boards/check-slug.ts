import * as z from "zod";
import * as boards from "../../lib/data/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Url } from "../../lib/values/urls.ts";

/** Beyond the contract: tells the owner whether a url is free for a board. */
export const handler = defineEndpoint(
  {
    name: "boards-check-slug",
    method: "POST",
    path: "/boards/check-slug",
    access: "bearer",
    permission: "board:write",
    request: z.object({ body: z.object({ url: Url }) }),
    success: 200,
    response: z.object({ available: z.boolean() }),
    errors: [],
    table: { BOARD_URL: ["get"] },
    read: ({ body: { url } }) => boards.isUrlFree(url),
  },
  async ({ read }) => ({ available: read }),
);
