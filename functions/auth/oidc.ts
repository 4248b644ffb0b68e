import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { NEW_ACCOUNT } from "../../lib/auth/accounts.ts";
import { enterBy } from "../../lib/auth/linking.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { assertedOf } from "../../lib/http/asserted.ts";
import { openSession } from "../../lib/http/entering.ts";
import { ProviderId } from "../../lib/http/id-inputs.ts";
import { Returned } from "../../lib/http/provider-inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { User } from "../../lib/http/resources/accounts.ts";
import { likedLanguage } from "../../lib/mail/language.ts";
import { Fault } from "../../lib/providers/faults.ts";
import { identify } from "../../lib/providers/oidc.ts";
import { findWithSecret, isLive } from "../../lib/providers/providers.ts";
import * as log from "../../lib/runtime/log.ts";

/**
 * Signs in by a provider: docs/sign-in.md#by-a-provider. The page sends what the provider brought back, with the code
 * verifier and the nonce of its attempt; the service exchanges the code and checks the ID token. The first sign-in of a
 * person may make an account and then counts as a signup. A provider for the team that asserts a second factor
 * (`amr`) spares the one of this service. If the provider does not answer within five seconds, the
 * answer is a 503.
 */
export const handler = defineEndpoint({
  name: "auth-oidc",
  route: "POST /auth/oidc/{providerId}",
  access: "public",
  callsProviders: true,
  request: z.object({ params: z.object({ providerId: ProviderId }), body: Returned }),
  response: z.object({ user: User }),
  errors: ["PROVIDER_NOT_FOUND", "PROVIDER_REFUSED", "SIGNUP_NOT_ALLOWED", "SIGN_IN_TO_LINK", "STAFF_NOT_ALLOWED"],
  table: {
    ...NEW_ACCOUNT,
    PROVIDERS: ["get"],
    PROVIDER_SECRETS: ["get"],
    IDENTITY: ["get", "put", "delete"],
    EMAIL: ["get", "put"],
    USER: ["get", "put", "update"],
    CREDENTIALS: ["put", "update"],
    SITE: ["get"],
    TWO_FACTOR: ["delete"],
    API_KEYS: ["query", "delete"],
  },
  isFirstFactor: true,
  storesLanguage: true,
  readsSigningSecret: true,
  prefetch: ({ params: { providerId } }) => Promise.all([findWithSecret(providerId), site.find()]),
  limit: (_, { network }) => limits.signInByProvider(network),
  trace: ({ params: { providerId }, result }) => ({ item: providerId, account: result?.user.userId }),
  handle: async ({ body, prefetched: [provider, ofSite], network, accepted, fail }) => {
    if (!provider || !isLive(provider)) throw fail("PROVIDER_NOT_FOUND");
    const person = await identify(provider, body).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      log.warn("a provider confirmed no sign-in", { item: provider.providerId, error });
      throw fail("PROVIDER_REFUSED");
    });
    const language = likedLanguage(accepted);
    const asserted = { ...assertedOf(person, provider), language };
    const outcome = await enterBy(asserted, (subject) => limits.countSignUp(subject, network));
    if (outcome === "signup closed") throw fail("SIGNUP_NOT_ALLOWED");
    if (outcome === "sign in to link") throw fail("SIGN_IN_TO_LINK");
    if (outcome === "not for staff") throw fail("STAFF_NOT_ALLOWED");
    const hasSecondFactor = person.hasSecondFactor && provider.staff;
    return { user: await openSession(outcome, ofSite, { language, hasSecondFactor }) };
  },
});
