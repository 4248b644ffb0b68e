import * as z from "zod/mini";
import * as preferences from "../../lib/accounts/preferences.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";

/** Chooses which notifications the caller gets by mail. Without `ownPosts` that choice stays as it is. */
export const handler = defineEndpoint({
  name: "users-update-notifications",
  route: "PUT /users/notifications",
  permission: "profile:update",
  request: z.object({ body: z.extend(preferences.Preferences, { ownPosts: optional(z.boolean()) }) }),
  response: z.object({ mail: preferences.Preferences }),
  table: { USER: ["update"] },
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body, caller }) => {
    const { ownPosts = preferences.preferencesOf(caller).ownPosts } = body;
    const mail = { ...body, ownPosts };
    await preferences.choose(caller.userId, mail);
    return { mail };
  },
});
