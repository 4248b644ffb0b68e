import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import * as twoFactor from "../../lib/accounts/two-factor.ts";
import { accountOf } from "../../lib/auth/second-factor.ts";
import { addressOf, base32 } from "../../lib/auth/totp.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Text } from "../../lib/http/text-inputs.ts";

/**
 * Begins to switch a second factor on: returns the secret for an authenticator app, as text and as the address of a QR
 * code. No other call returns it. The `challenge` comes with TWO_FACTOR_NEEDED, or from POST
 * /users/profile/two-factor. The first code of the app, sent to POST /auth/two-factor within 15 minutes, ends it.
 */
export const handler = defineEndpoint({
  name: "auth-two-factor-enrol",
  route: "POST /auth/two-factor/enrol",
  access: "public",
  request: z.object({ body: z.object({ challenge: Text }) }),
  response: z.object({ secret: z.string(), address: z.string() }),
  errors: ["INVALID_TOKEN", "TWO_FACTOR_ON"],
  table: { SITE: ["get"], USER: ["get"], TWO_FACTOR: ["put"] },
  // It reads challenges, which the signing secret has signed.
  readsSigningSecret: true,
  prefetch: async ({ body: { challenge } }) => {
    const [account, ofSite] = await Promise.all([accountOf(challenge), site.find()]);
    return { account, ofSite };
  },
  limit: (_, { network }) => limits.secondFactor(network),
  trace: ({ prefetched: { account } }) => ({ account: account?.userId }),
  handle: async ({ prefetched: { account, ofSite }, fail }) => {
    if (!account) throw fail("INVALID_TOKEN");
    if (account.twoFactor) throw fail("TWO_FACTOR_ON");
    const secret = await twoFactor.enrol(account.userId);
    return { secret: base32(secret), address: addressOf(secret, ofSite?.title ?? "Feedback", account.email) };
  },
});
