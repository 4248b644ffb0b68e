import * as z from "zod/mini";
import { wordsOf } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** What the caller may do, in the words of LogChimp's front end and some of our own. */
export const handler = defineEndpoint({
  name: "users-permissions",
  method: "GET",
  path: "/users/permissions",
  access: "bearer",
  response: z.object({ permissions: z.array(z.string()) }),
  handle: async ({ caller }) => ({ permissions: wordsOf(caller) }),
});
