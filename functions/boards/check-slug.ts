import * as z from "zod/mini";
import * as boards from "../../lib/catalogue/boards.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { BoardUrl } from "../../lib/values/urls.ts";

/** Checks whether a board can have a url. The url must be valid and free. */
export const handler = defineEndpoint({
  name: "boards-check-slug",
  route: "POST /boards/check-slug",
  permission: "board:update",
  request: z.object({ body: z.object({ url: Text }) }),
  response: z.object({ available: z.boolean() }),
  table: { BOARD_URL: ["get"] },
  prefetch: async ({ body: { url } }) => BoardUrl.safeParse(url).success && boards.isUrlFree(url),
  handle: async ({ prefetched }) => ({ available: prefetched }),
});
