import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { profileTag } from "../../lib/http/preconditions.ts";
import { Profile, profileView } from "../../lib/http/resources/accounts.ts";

/** Returns the caller's account. */
export const handler = defineEndpoint({
  name: "users-profile",
  route: "GET /users/profile",
  response: z.object({ user: Profile }),
  etagOf: ({ user }) => profileTag(user),
  handle: async ({ caller }) => ({ user: profileView(caller) }),
});
