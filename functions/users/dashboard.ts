import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Tells a front end whether it may open its dashboard for the caller. */
export const handler = defineEndpoint({
  name: "users-dashboard",
  method: "GET",
  path: "/users/dashboard",
  access: "bearer",
  permission: "dashboard:read",
  request: z.object({}),
  success: 200,
  response: z.object({ access: z.literal(true) }),
  errors: [],
  table: {},
  handle: async () => ({ access: true as const }),
});
