import * as z from "zod/mini";
import * as preferences from "../../lib/accounts/preferences.ts";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";

/**
 * Chooses which notifications the caller gets by mail. Without `ownPosts`, `newPosts` or `digest` that choice stays as
 * it is. Only moderators and the owner can choose `newPosts` and `digest`.
 */
export const handler = defineEndpoint({
  name: "users-update-notifications",
  route: "PUT /users/notifications",
  permission: "profile:update",
  request: z.object({
    body: z.extend(preferences.Preferences, {
      ownPosts: optional(z.boolean()),
      newPosts: optional(z.boolean()),
      digest: optional(z.boolean()),
    }),
  }),
  response: z.object({ mail: preferences.AllMails }),
  table: { USER: ["update"], SITE: ["put", "delete"] },
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { newPosts, digest, ...own }, caller }) => {
    const { ownPosts = preferences.preferencesOf(caller).ownPosts } = own;
    const mail = { ...own, ownPosts };
    const team: preferences.TeamChoice = may(caller, "post:moderate") ? { newPosts, digest } : {};
    await preferences.choose(caller.userId, { mail, ...team });
    const current = { newPosts: team.newPosts ?? caller.newPosts, digest: team.digest ?? caller.digest };
    return { mail: preferences.allMailsOf({ ...caller, mail, ...current }) };
  },
});
