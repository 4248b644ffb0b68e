import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import * as sso from "../../lib/accounts/sso.ts";
import { linkTo } from "../../lib/auth/linking.ts";
import { SsoFault } from "../../lib/auth/sso.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { assertedBySso } from "../../lib/http/asserted.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { SsoToken } from "../../lib/http/provider-inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";
import * as log from "../../lib/runtime/log.ts";
import { canSend } from "../../lib/runtime/mail.ts";

/**
 * Links the person of a token that the owner's product has signed to the caller's account, in a session younger than
 * ten minutes. The token has to name the address of the account, and counts once. A mail tells of it.
 */
export const handler = defineEndpoint({
  name: "auth-sso-link",
  route: "POST /auth/sso/link",
  refusesKeys: true,
  request: z.object({ body: z.object({ token: SsoToken }) }),
  response: z.object({ link: Success }),
  errors: [
    "SSO_NOT_ALLOWED",
    "SSO_REFUSED",
    "SIGN_IN_AGAIN",
    "OTHER_ACCOUNT",
    "STAFF_NOT_ALLOWED",
    "IDENTITY_TAKEN",
    "TOO_MANY_IDENTITIES",
    "INVALID_TOKEN",
  ],
  table: {
    SITE: ["get"],
    SSO_SECRET: ["get"],
    SSO_USES: ["put"],
    IDENTITY: ["put"],
    USER: ["update"],
    OUTBOX: ["put"],
  },
  prefetch: () => Promise.all([site.find(), sso.secrets()]),
  limit: (_, { network, account }) => limits.linkSignIn(account, network),
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { token }, caller, prefetched: [ofSite, secrets], fail }) => {
    if (secrets.length === 0) throw fail("SSO_NOT_ALLOWED");
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    const { asserted, once } = await assertedBySso(token, secrets, ofSite).catch((error: unknown) => {
      if (!(error instanceof SsoFault)) throw error;
      log.warn("a token of the product is not good", { error });
      throw fail("SSO_REFUSED");
    });
    if (!asserted.emailVerified || asserted.email !== caller.email) throw fail("OTHER_ACCOUNT");
    const outcome = await linkTo(caller, asserted, { once: sso.usePart(once), sendsMail: canSend() });
    if (outcome === "used") throw fail("SSO_REFUSED");
    if (outcome === "not for staff") throw fail("STAFF_NOT_ALLOWED");
    if (outcome === "of another account") throw fail("IDENTITY_TAKEN");
    if (outcome === "too many") throw fail("TOO_MANY_IDENTITIES");
    if (outcome === "session ended") throw fail("INVALID_TOKEN");
    return { link: { success: true } };
  },
});
