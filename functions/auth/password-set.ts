import * as z from "zod/mini";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Text } from "../../lib/http/inputs.ts";
import { Password } from "../../lib/http/new-password.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources.ts";

/** Sets a new password by the token of a mail. Also confirms the address, and ends all sessions of the account. */
export const handler = defineEndpoint({
  name: "auth-password-set",
  route: "POST /auth/password/set",
  access: "public",
  request: z.object({ body: z.object({ token: Text, password: Password }) }),
  response: z.object({ reset: Success }),
  errors: ["PASSWORD_MISSING", "INVALID_TOKEN"],
  table: { MAIL_TOKEN: ["get", "delete"], USER: ["get", "update"], CREDENTIALS: ["update"] },
  hashesPasswords: true,
  // Before the password is hashed: a bad token costs one read, no hash.
  prefetch: ({ body: { token } }) => mailTokens.findForReset(token),
  limit: (_, { network }) => limits.mailToken(network),
  trace: ({ prefetched }) => ({ account: prefetched?.userId }),
  handle: async ({ body: { token, password }, prefetched, network, fail }) => {
    if (!prefetched) throw fail("INVALID_TOKEN");
    const outcome = await mailTokens.setPassword(token, prefetched, await passwords.hash(password));
    if (outcome === "not good") throw fail("INVALID_TOKEN");
    await limits.provedMailbox(prefetched.email, network);
    return { reset: { success: true } };
  },
});
