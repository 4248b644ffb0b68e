import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Beyond the contract: whether the site is set up. */
export const handler = defineEndpoint(
  {
    name: "auth-setup-status",
    method: "GET",
    path: "/auth/setup",
    access: "public",
    request: z.object({}),
    success: 200,
    response: z.object({ is_setup: z.boolean() }),
    errors: [],
    table: { SITE: ["get"] },
    read: () => site.find(),
  },
  async ({ read }) => ({ is_setup: read !== undefined }),
);
