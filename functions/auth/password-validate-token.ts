import * as z from "zod/mini";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { ResetAccount } from "../../lib/http/resources/accounts.ts";
import { Text } from "../../lib/http/text-inputs.ts";

/** Checks whether a token can set a new password, without using it up, and says of whose account. */
export const handler = defineEndpoint({
  name: "auth-password-validate-token",
  route: "POST /auth/password/validateToken",
  access: "public",
  request: z.object({ body: z.object({ token: Text }) }),
  response: z.object({ reset: z.object({ valid: z.boolean(), account: ResetAccount }) }),
  errors: ["INVALID_TOKEN"],
  table: { MAIL_TOKEN: ["get"], USER: ["get"] },
  prefetch: ({ body: { token } }) => mailTokens.findForReset(token, users.find),
  limit: (_, { network }) => limits.mailToken(network),
  handle: async ({ prefetched, fail }) => {
    if (!prefetched) throw fail("INVALID_TOKEN");
    const { email, name, role } = prefetched;
    return { reset: { valid: true, account: { email, name, role } } };
  },
});
