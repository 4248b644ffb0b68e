import * as z from "zod/mini";
import { Preferences, preferencesOf } from "../../lib/accounts/preferences.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Returns which notifications the caller gets by mail. */
export const handler = defineEndpoint({
  name: "users-notifications",
  route: "GET /users/notifications",
  response: z.object({ mail: Preferences }),
  handle: async ({ caller }) => ({ mail: preferencesOf(caller) }),
});
