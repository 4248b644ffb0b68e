import * as z from "zod/mini";
import * as preferences from "../../lib/accounts/preferences.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Chooses which notifications the caller gets by mail. */
export const handler = defineEndpoint({
  name: "users-update-notifications",
  route: "PUT /users/notifications",
  permission: "profile:update",
  request: z.object({ body: preferences.Preferences }),
  response: z.object({ mail: preferences.Preferences }),
  table: { USER: ["update"] },
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body, caller }) => {
    await preferences.choose(caller.userId, body);
    return { mail: body };
  },
});
