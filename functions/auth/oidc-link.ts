import * as z from "zod/mini";
import { linkTo } from "../../lib/auth/linking.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { assertedOf } from "../../lib/http/asserted.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { ProviderId } from "../../lib/http/id-inputs.ts";
import { Returned } from "../../lib/http/provider-inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";
import { Fault } from "../../lib/providers/faults.ts";
import { identify } from "../../lib/providers/oidc.ts";
import { findWithSecret, isLive } from "../../lib/providers/providers.ts";
import { canSend } from "../../lib/runtime/mail.ts";

/**
 * Links the caller's sign-in at a provider to the caller's account, in a session younger than ten minutes. From then on
 * it signs in to this account. A mail tells of it. An account has at most five linked sign-ins.
 */
export const handler = defineEndpoint({
  name: "auth-oidc-link",
  route: "POST /auth/oidc/{providerId}/link",
  refusesKeys: true,
  callsProviders: true,
  request: z.object({ params: z.object({ providerId: ProviderId }), body: Returned }),
  response: z.object({ link: Success }),
  errors: [
    "PROVIDER_NOT_FOUND",
    "PROVIDER_REFUSED",
    "SIGN_IN_AGAIN",
    "STAFF_NOT_ALLOWED",
    "IDENTITY_TAKEN",
    "TOO_MANY_IDENTITIES",
    "INVALID_TOKEN",
  ],
  table: { PROVIDERS: ["get"], PROVIDER_SECRETS: ["get"], IDENTITY: ["put"], USER: ["update"], OUTBOX: ["put"] },
  prefetch: ({ params: { providerId } }) => findWithSecret(providerId),
  limit: (_, { network, account }) => limits.linkSignIn(account, network),
  audit: "own affair",
  trace: ({ params: { providerId }, caller }) => ({ item: providerId, account: caller.userId }),
  handle: async ({ body, caller, prefetched: provider, fail }) => {
    if (!provider || !isLive(provider)) throw fail("PROVIDER_NOT_FOUND");
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    const person = await identify(provider, body).catch((error: unknown) => {
      throw error instanceof Fault ? fail("PROVIDER_REFUSED") : error;
    });
    const outcome = await linkTo(caller, assertedOf(person, provider), { sendsMail: canSend() });
    if (outcome === "not for staff") throw fail("STAFF_NOT_ALLOWED");
    if (outcome === "of another account") throw fail("IDENTITY_TAKEN");
    if (outcome === "too many") throw fail("TOO_MANY_IDENTITIES");
    if (outcome === "session ended") throw fail("INVALID_TOKEN");
    return { link: { success: true } };
  },
});
