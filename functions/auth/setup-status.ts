import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Tells whether the site is set up. */
export const handler = defineEndpoint({
  name: "auth-setup-status",
  route: "GET /auth/setup",
  access: "public",
  response: z.object({ is_setup: z.boolean() }),
  table: { SITE: ["get"] },
  prefetch: () => site.find(),
  handle: async ({ prefetched }) => ({ is_setup: prefetched !== undefined }),
});
