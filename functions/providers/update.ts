import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { ProviderId } from "../../lib/http/id-inputs.ts";
import { toldIn } from "../../lib/http/inputs.ts";
import * as inputs from "../../lib/http/provider-inputs.ts";
import { Provider, providerView } from "../../lib/http/resources/providers.ts";
import * as providers from "../../lib/providers/providers.ts";
import { changeStored } from "../../lib/table/retries.ts";

function onlyDisables(body: providers.ProviderChange): boolean {
  const { enabled, ...more } = body;
  return enabled === false && Object.keys(more).length === 0;
}

/**
 * Changes a sign-in provider, in a session younger than ten minutes; a field that is not given stays. After a change of
 * the issuer, the client, the scopes or the claims it is live again once a test has passed. `enabled: false` needs no
 * young session.
 */
export const handler = defineEndpoint({
  name: "providers-update",
  route: "PATCH /providers/{providerId}",
  permission: "settings:update",
  refusesKeys: true,
  endsAccess: ({ body }) => onlyDisables(body),
  request: z.object({
    params: z.object({ providerId: ProviderId }),
    body: z.object({
      name: z.exactOptional(inputs.ProviderName),
      issuer: z.exactOptional(inputs.Issuer),
      clientId: z.exactOptional(inputs.ClientId),
      clientSecret: z.exactOptional(inputs.ClientSecret),
      scopes: z.exactOptional(inputs.Scopes),
      claims: z.exactOptional(inputs.ClaimNames),
      staff: z.exactOptional(z.boolean()),
      enabled: z.exactOptional(z.boolean()),
    }),
  }),
  response: z.object({ provider: Provider }),
  errors: ["PROVIDER_NOT_FOUND", "ISSUER_REFUSED", "SIGN_IN_AGAIN"],
  table: { PROVIDERS: ["get", "update"], PROVIDER_SECRETS: ["put"] },
  prefetch: ({ params: { providerId } }) => providers.find(providerId),
  audit: "provider.updated",
  trace: ({ params: { providerId }, body }) => ({ item: providerId, changed: toldIn(body) }),
  handle: async ({ params: { providerId }, body, caller, prefetched, fail }) => {
    if (!prefetched) throw fail("PROVIDER_NOT_FOUND");
    if (!onlyDisables(body) && !isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    const changed = await changeStored(
      prefetched as providers.ProviderRecord | undefined,
      () => providers.find(providerId),
      (provider) => providers.change(provider, body),
    );
    if (!changed) throw fail("PROVIDER_NOT_FOUND");
    return { provider: providerView(changed) };
  },
});
