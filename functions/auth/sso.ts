import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import * as sso from "../../lib/accounts/sso.ts";
import { NEW_ACCOUNT } from "../../lib/auth/accounts.ts";
import { enterBy } from "../../lib/auth/linking.ts";
import { SsoFault } from "../../lib/auth/sso.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { assertedBySso } from "../../lib/http/asserted.ts";
import { openSession } from "../../lib/http/entering.ts";
import { SsoToken } from "../../lib/http/provider-inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { User } from "../../lib/http/resources/accounts.ts";
import { likedLanguage } from "../../lib/mail/language.ts";
import * as log from "../../lib/runtime/log.ts";

/**
 * Signs in by a token that the server of the owner's product has signed: docs/sign-in.md#by-your-own-product. A token
 * counts once. The first sign-in of a person may make an account and then counts as a signup. An account with a second
 * factor gets TWO_FACTOR_NEEDED: POST /auth/two-factor. Suspended accounts may sign in and read.
 */
export const handler = defineEndpoint({
  name: "auth-sso",
  route: "POST /auth/sso",
  access: "public",
  request: z.object({ body: z.object({ token: SsoToken }) }),
  response: z.object({ user: User }),
  errors: ["SSO_NOT_ALLOWED", "SSO_REFUSED", "SIGNUP_NOT_ALLOWED", "SIGN_IN_TO_LINK", "STAFF_NOT_ALLOWED"],
  table: {
    ...NEW_ACCOUNT,
    SITE: ["get"],
    SSO_SECRET: ["get"],
    SSO_USES: ["put"],
    IDENTITY: ["get", "put", "delete"],
    EMAIL: ["get", "put"],
    USER: ["get", "put", "update", "check"],
    CREDENTIALS: ["put", "update"],
    TWO_FACTOR: ["delete"],
    API_KEYS: ["query", "delete"],
  },
  isFirstFactor: true,
  storesLanguage: true,
  readsSigningSecret: true,
  prefetch: () => Promise.all([site.find(), sso.secrets()]),
  limit: (_, { network }) => limits.signInByToken(network),
  trace: ({ result }) => ({ account: result?.user.userId }),
  handle: async ({ body: { token }, prefetched: [ofSite, secrets], network, accepted, fail }) => {
    if (secrets.length === 0) throw fail("SSO_NOT_ALLOWED");
    const { asserted, once } = await assertedBySso(token, secrets, ofSite).catch((error: unknown) => {
      if (!(error instanceof SsoFault)) throw error;
      log.warn("a token of the product is not good", { error });
      throw fail("SSO_REFUSED");
    });
    const countSignUp = (subject: string) => limits.countSignUp(subject, network);
    const language = likedLanguage(accepted);
    const outcome = await enterBy({ ...asserted, language }, countSignUp, sso.usePart(once));
    if (outcome === "used") throw fail("SSO_REFUSED");
    if (outcome === "signup closed") throw fail("SIGNUP_NOT_ALLOWED");
    if (outcome === "sign in to link") throw fail("SIGN_IN_TO_LINK");
    if (outcome === "not for staff") throw fail("STAFF_NOT_ALLOWED");
    return { user: await openSession(outcome, ofSite, { language }) };
  },
});
