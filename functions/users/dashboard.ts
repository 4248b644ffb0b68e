import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Tells a client whether it may open its dashboard for the caller. */
export const handler = defineEndpoint({
  name: "users-dashboard",
  route: "GET /users/dashboard",
  permission: "dashboard:read",
  response: z.object({ access: z.literal(true) }),
  handle: async () => ({ access: true as const }),
});
