import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Tells whether the caller may open a client's dashboard. */
export const handler = defineEndpoint({
  name: "users-dashboard",
  route: "GET /users/dashboard",
  permission: "dashboard:read",
  response: z.object({ access: z.literal(true) }),
  handle: async () => ({ access: true as const }),
});
