import * as z from "zod/mini";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import * as users from "../../lib/accounts/users.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Password } from "../../lib/http/new-password.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";
import { Text } from "../../lib/http/text-inputs.ts";

/**
 * Sets a new password by the token of a mail. It also confirms the address, and ends all sessions and API keys of the
 * account; with `keepKeys`, its API keys stay valid.
 */
export const handler = defineEndpoint({
  name: "auth-password-set",
  route: "POST /auth/password/set",
  access: "public",
  request: z.object({ body: z.object({ token: Text, password: Password, keepKeys: optional(z.boolean()) }) }),
  response: z.object({ reset: Success }),
  errors: ["PASSWORD_MISSING", "INVALID_TOKEN"],
  table: {
    MAIL_TOKEN: ["get", "delete"],
    USER: ["get", "update"],
    CREDENTIALS: ["update"],
    TWO_FACTOR: ["delete"],
    API_KEYS: ["query", "delete"],
    IDENTITY: ["delete"],
  },
  hashesPasswords: true,
  // Checked before the password is hashed: a bad token costs one read and no hash.
  prefetch: ({ body: { token } }) => mailTokens.findForReset(token, users.findWithKeys),
  limit: (_, { network }) => limits.mailToken(network),
  trace: ({ prefetched }) => ({ account: prefetched?.userId }),
  handle: async ({ body: { token, password, keepKeys }, prefetched, network, fail }) => {
    if (!prefetched) throw fail("INVALID_TOKEN");
    const passwordHash = await passwords.hash(password);
    const outcome = await mailTokens.setPassword(token, prefetched, { passwordHash, keepKeys });
    if (outcome === "not good") throw fail("INVALID_TOKEN");
    await limits.provedMailbox(prefetched.email, network);
    return { reset: { success: true } };
  },
});
