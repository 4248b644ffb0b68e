import * as z from "zod/mini";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Text } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";

/**
 * Confirms the caller's address by the token of a mail. The token of another account's mail is an INVALID_TOKEN: nobody
 * can confirm an address by getting its owner to click.
 */
export const handler = defineEndpoint({
  name: "auth-email-validate",
  route: "POST /auth/email/validate",
  refusesKeys: true,
  request: z.object({ body: z.object({ token: Text }) }),
  response: z.object({ verify: Success }),
  errors: ["INVALID_TOKEN"],
  table: { MAIL_TOKEN: ["get", "delete"], USER: ["update"] },
  prefetch: ({ body: { token } }) => mailTokens.find("verify-email", token),
  limit: (_, { network }) => limits.mailToken(network),
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { token }, caller, prefetched, fail }) => {
    const isOwn = prefetched?.userId === caller.userId;
    if (!isOwn || (await mailTokens.confirmAddress(token, prefetched)) === "not good") throw fail("INVALID_TOKEN");
    return { verify: { success: true } };
  },
});
