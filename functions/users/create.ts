import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { findOrOpen, NEW_ACCOUNT } from "../../lib/auth/accounts.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email, PersonName } from "../../lib/http/account-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { ManagedUser, managedUserView } from "../../lib/http/resources/accounts.ts";

/**
 * Finds the account with an address, or creates one. Use it to vote and post on behalf of people who have not signed
 * up; it works even while signup is closed. An existing account is not changed. A new account gets no mail, and has no
 * password until its holder sets one by POST /auth/password/reset; a signup with its address is a USER_EXISTS.
 */
export const handler = defineEndpoint({
  name: "users-create",
  route: "POST /users",
  permission: "user:write",
  request: z.object({ body: z.object({ email: Email, name: optional(PersonName) }) }),
  response: z.object({ user: ManagedUser, created: z.boolean() }),
  errors: ["EMAIL_INVALID"],
  table: { ...NEW_ACCOUNT, USER: ["get", "put"], EMAIL: ["get", "put"] },
  prefetch: ({ body: { email } }) => users.findByEmail(email),
  audit: "user.created",
  trace: ({ prefetched, result }) => ({ account: result?.user.userId ?? prefetched?.userId }),
  handle: async ({ body: { email, name }, caller, prefetched, addTrace }) => {
    const { user, created } = await findOrOpen(prefetched, {
      email,
      name,
      by: caller.userId,
      onOpening: ({ userId }) => addTrace({ account: userId }),
    });
    return { user: managedUserView(user), created };
  },
});
