import * as z from "zod/mini";
import * as preferences from "../../lib/accounts/preferences.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";
import { replanned } from "../../lib/table/retries.ts";

const Choice = optional(z.boolean());

/** Changes which notifications the caller gets by mail. */
export const handler = defineEndpoint({
  name: "users-update-notifications",
  route: "PATCH /users/notifications",
  access: "bearer",
  permission: "profile:update",
  request: z.object({ body: z.object({ status: Choice, comments: Choice, replies: Choice }) }),
  response: z.object({ mail: preferences.Preferences }),
  table: { USER: ["update"] },
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body, caller }) => ({
    mail: await replanned<users.UserRecord, preferences.Preferences>(
      caller,
      async () => (await users.find(caller.userId)) ?? caller,
      (user) => preferences.change(user, body),
    ),
  }),
});
