import * as z from "zod/mini";
import { getsNewPosts, Preferences, preferencesOf } from "../../lib/accounts/preferences.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Returns which notifications the caller gets by mail; `newPosts` are for moderators and the owner. */
export const handler = defineEndpoint({
  name: "users-notifications",
  route: "GET /users/notifications",
  response: z.object({ mail: z.extend(Preferences, { newPosts: z.boolean() }) }),
  handle: async ({ caller }) => ({ mail: { ...preferencesOf(caller), newPosts: getsNewPosts(caller) } }),
});
