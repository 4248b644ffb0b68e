import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { optional } from "../../lib/http/inputs.ts";
import * as inputs from "../../lib/http/provider-inputs.ts";
import { Provider, providerView } from "../../lib/http/resources/providers.ts";
import * as providers from "../../lib/providers/providers.ts";
import { newId } from "../../lib/values/ids.ts";

/**
 * Adds a sign-in provider of OpenID Connect, in a session younger than ten minutes: docs/sign-in.md#by-a-provider. It
 * is live once a test has passed. No answer has its secret. A site has at most 10.
 */
export const handler = defineEndpoint({
  name: "providers-create",
  route: "POST /providers",
  permission: "settings:update",
  refusesKeys: true,
  request: z.object({
    body: z.object({
      name: inputs.ProviderName,
      issuer: inputs.Issuer,
      clientId: inputs.ClientId,
      clientSecret: inputs.ClientSecret,
      scopes: optional(inputs.Scopes),
      claims: optional(inputs.ClaimNames),
      staff: optional(z.boolean()),
      enabled: optional(z.boolean()),
    }),
  }),
  success: 201,
  response: z.object({ provider: Provider }),
  errors: ["ISSUER_REFUSED", "SIGN_IN_AGAIN", "PROVIDER_NOT_FOUND", "TOO_MANY_PROVIDERS"],
  table: { PROVIDERS: ["get", "put", "update"], PROVIDER_SECRETS: ["put"] },
  idempotency: z.object({ providerId: z.string() }),
  audit: "provider.created",
  trace: ({ result }) => ({ item: result?.provider.providerId }),
  handle: async ({ body, caller, fail, idempotencyPart, addTrace }) => {
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    const { scopes = inputs.defaultScopes, claims = inputs.defaultClaims, staff = false, enabled = true } = body;
    const provider = { ...body, providerId: newId(), scopes, claims, staff, enabled, version: 1 };
    addTrace({ item: provider.providerId });
    const outcome = await providers.add(provider, idempotencyPart?.({ providerId: provider.providerId }));
    if (outcome === "too many") throw fail("TOO_MANY_PROVIDERS");
    return { provider: providerView(provider) };
  },
  replay: async ({ providerId }, { fail }) => {
    const provider = await providers.find(providerId);
    if (!provider) throw fail("PROVIDER_NOT_FOUND");
    return { provider: providerView(provider) };
  },
});
