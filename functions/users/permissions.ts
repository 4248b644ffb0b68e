import * as z from "zod/mini";
import { scopesOf, wordsOf } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/**
 * Returns the caller's permissions, and the scopes that an API key of the caller can have. Permissions have the names
 * of LogChimp's permissions where there are such.
 */
export const handler = defineEndpoint({
  name: "users-permissions",
  route: "GET /users/permissions",
  response: z.object({ permissions: z.array(z.string()), scopes: z.array(z.string()) }),
  handle: async ({ caller }) => ({ permissions: wordsOf(caller), scopes: scopesOf(caller) }),
});
