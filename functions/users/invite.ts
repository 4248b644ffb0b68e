import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { findOrOpen, NEW_ACCOUNT } from "../../lib/auth/accounts.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email, PersonName } from "../../lib/http/account-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { INVITATIONS } from "../../lib/http/rate-limits.ts";
import { ManagedUser, managedUserView } from "../../lib/http/resources/accounts.ts";
import { replanned } from "../../lib/table/retries.ts";
import { LANGUAGES } from "../../lib/values/languages.ts";

/**
 * Invites a person by mail: finds the account with the address, or creates one, also while signup is closed. The mail
 * has a link that sets a password and confirms the address: `<siteUrl>/password-reset/confirm?token=`. Its token works
 * once, for a week. A new account has the `role`; an account that there is keeps its own. Who has confirmed the address
 * before, and who calls, gets no mail: `invited` is false. The mail comes in the `language`, or else in the one of the
 * account or of the site. A mailbox gets three invitations in 30 days.
 */
export const handler = defineEndpoint({
  name: "users-invite",
  route: "POST /users/invitations",
  permission: "user:write",
  requires: "mail",
  request: z.object({
    body: z.object({
      email: Email,
      name: optional(PersonName),
      role: optional(z.enum(["member", "moderator"])),
      language: optional(z.enum(LANGUAGES)),
    }),
  }),
  response: z.object({ user: ManagedUser, created: z.boolean(), invited: z.boolean() }),
  errors: ["EMAIL_INVALID"],
  table: { ...NEW_ACCOUNT, USER: ["get", "put", "update"], EMAIL: ["get", "put"], OUTBOX: ["put"] },
  callLimits: INVITATIONS,
  prefetch: ({ body: { email } }) => users.findByEmail(email),
  audit: "user.invited",
  trace: ({ prefetched, result }) => ({ account: result?.user.userId ?? prefetched?.userId }),
  handle: async ({ body: { email, name, role = "member", language }, caller, prefetched, addTrace }) => {
    const onOpening = ({ userId }: users.UserRecord) => addTrace({ account: userId, to: role });
    const asked = { email, name, by: caller.userId, invitation: { role, language }, onOpening };
    return replanned(
      prefetched,
      () => users.findByEmail(email),
      async (found) => {
        const { user, created } = await findOrOpen(found, asked);
        // Who calls has a way in.
        const invited = !user.isVerified && user.userId !== caller.userId;
        // The mail to a new account belongs to its transaction.
        const outcome = invited && !created ? await users.inviteAgain(user, caller.userId, language) : "invited";
        return outcome === "invited" ? { user: managedUserView(user), created, invited } : outcome;
      },
    );
  },
});
