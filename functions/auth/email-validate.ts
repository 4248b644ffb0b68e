import * as z from "zod/mini";
import { isBlocked } from "../../lib/accounts/gate.ts";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import { take, waitedFor } from "../../lib/accounts/new-address.ts";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { changeStored } from "../../lib/table/retries.ts";

/**
 * Confirms the caller's address by the token of a mail, or the new address that the caller asked for, which then
 * replaces the old one; USER_EXISTS if another account has it by now. The token of another account's mail gets
 * OTHER_ACCOUNT: nobody can confirm an address by getting its owner to click.
 */
export const handler = defineEndpoint({
  name: "auth-email-validate",
  route: "POST /auth/email/validate",
  refusesKeys: true,
  request: z.object({ body: z.object({ token: Text }) }),
  response: z.object({ verify: Success }),
  errors: ["INVALID_TOKEN", "OTHER_ACCOUNT", "DOMAIN_BLOCKED", "USER_EXISTS"],
  table: {
    SITE: ["get"],
    MAIL_TOKEN: ["get", "delete"],
    USER: ["update"],
    EMAIL: ["put", "delete"],
    PEOPLE: ["put", "delete"],
    OUTBOX: ["put"],
  },
  prefetch: ({ body: { token } }) => Promise.all([mailTokens.find("verify-email", token), site.find()]),
  limit: (_, { network }) => limits.mailToken(network),
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { token }, caller, prefetched: [mailed, ofSite], fail }) => {
    if (!mailed) throw fail("INVALID_TOKEN");
    if (mailed.userId !== caller.userId) throw fail("OTHER_ACCOUNT");
    const reread = () => users.find(caller.userId);
    const outcome = await changeStored<users.UserRecord, string>(caller, reread, async (user) => {
      const { email = user.email } = mailed;
      if (email === user.email) return mailTokens.confirmAddress(token, user);
      if (email !== waitedFor(user)) return "not good";
      return isBlocked(email, ofSite) ? "blocked" : take(token, mailed, user);
    });
    if (outcome === "blocked") throw fail("DOMAIN_BLOCKED");
    if (outcome === "of another account") throw fail("USER_EXISTS");
    if (outcome === undefined || outcome === "not good") throw fail("INVALID_TOKEN");
    return { verify: { success: true } };
  },
});
