import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { ProviderId } from "../../lib/http/id-inputs.ts";
import * as providers from "../../lib/providers/providers.ts";

/**
 * Deletes a sign-in provider with its secret: nobody signs in by it any more. Sessions stay, and a provider that is
 * added later with the same issuer finds the accounts again.
 */
export const handler = defineEndpoint({
  name: "providers-delete",
  route: "DELETE /providers/{providerId}",
  permission: "settings:update",
  refusesKeys: true,
  endsAccess: true,
  request: z.object({ params: z.object({ providerId: ProviderId }) }),
  success: 204,
  errors: ["PROVIDER_NOT_FOUND"],
  table: { PROVIDERS: ["get", "delete", "update"], PROVIDER_SECRETS: ["delete"] },
  prefetch: ({ params: { providerId } }) => providers.find(providerId),
  audit: "provider.deleted",
  trace: ({ params: { providerId }, prefetched }) => ({ item: providerId, itemName: prefetched?.name }),
  handle: async ({ params: { providerId }, prefetched, fail }) => {
    if (!prefetched || (await providers.remove(providerId)) === "no such provider") throw fail("PROVIDER_NOT_FOUND");
  },
});
