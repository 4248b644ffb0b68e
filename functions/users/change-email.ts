import * as z from "zod/mini";
import { isBlocked } from "../../lib/accounts/gate.ts";
import * as newAddress from "../../lib/accounts/new-address.ts";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email } from "../../lib/http/account-inputs.ts";
import { isFresh } from "../../lib/http/callers.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";

/**
 * Asks for another e-mail address, in a session younger than ten minutes. The link
 * `<siteUrl>/email-verify?token=` is mailed to the new address, which counts once POST /auth/email/validate has
 * confirmed it; a confirmed old address is told of both. A second request replaces the first one. The present address
 * withdraws it, and so do a logout and a new password. Sessions and API keys stay valid.
 */
export const handler = defineEndpoint({
  name: "users-change-email",
  route: "POST /users/profile/email",
  refusesKeys: true,
  permission: "profile:update",
  requires: "mail",
  request: z.object({ body: z.object({ email: Email }) }),
  success: 202,
  response: z.object({ verify: Success }),
  errors: ["EMAIL_INVALID", "SIGN_IN_AGAIN", "DOMAIN_BLOCKED", "USER_EXISTS", "INVALID_TOKEN"],
  table: { SITE: ["get"], EMAIL: ["get"], USER: ["update"], OUTBOX: ["put"] },
  prefetch: ({ body: { email } }) => Promise.all([users.idOf(email), site.find()]),
  limit: (_, { network, account }) => limits.mail(account, network),
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { email }, caller, prefetched: [holderId, ofSite], fail }) => {
    if (email === caller.email) {
      await newAddress.withdraw(caller);
      return { verify: { success: true } };
    }
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    if (isBlocked(email, ofSite)) throw fail("DOMAIN_BLOCKED");
    if (holderId !== undefined) throw fail("USER_EXISTS");
    if ((await newAddress.ask(caller, email)) === "session ended") throw fail("INVALID_TOKEN");
    return { verify: { success: true } };
  },
});
