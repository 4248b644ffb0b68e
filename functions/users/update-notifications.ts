import * as z from "zod/mini";
import * as preferences from "../../lib/accounts/preferences.ts";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";

/**
 * Chooses which notifications the caller gets by mail. Without `ownPosts` or `newPosts` that choice stays as it is.
 * Only moderators and the owner can choose `newPosts`.
 */
export const handler = defineEndpoint({
  name: "users-update-notifications",
  route: "PUT /users/notifications",
  permission: "profile:update",
  request: z.object({
    body: z.extend(preferences.Preferences, {
      ownPosts: optional(z.boolean()),
      newPosts: optional(z.boolean()),
    }),
  }),
  response: z.object({ mail: z.extend(preferences.Preferences, { newPosts: z.boolean() }) }),
  table: { USER: ["update"], SITE: ["put", "delete"] },
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { newPosts: asked, ...body }, caller }) => {
    const { ownPosts = preferences.preferencesOf(caller).ownPosts } = body;
    const mail = { ...body, ownPosts };
    const newPosts = may(caller, "post:moderate") ? asked : undefined;
    await preferences.choose(caller.userId, mail, newPosts);
    const getsNewPosts = preferences.getsNewPosts({ ...caller, ...(newPosts !== undefined && { newPosts }) });
    return { mail: { ...mail, newPosts: getsNewPosts } };
  },
});
