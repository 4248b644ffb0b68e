import * as z from "zod/mini";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { ApiKey, apiKeyView } from "../../lib/http/resources.ts";

/**
 * Lists the caller's API keys, oldest first, without their secrets. Expired keys are included until they are deleted.
 * `lastUsedOn` is the UTC day of the last call with the key.
 */
export const handler = defineEndpoint({
  name: "keys-list",
  route: "GET /keys",
  access: "bearer",
  refusesKeys: true,
  response: z.object({ keys: z.array(ApiKey) }),
  table: { API_KEYS: ["query"], KEY_USES: ["query"] },
  prefetch: (_, userId) => apiKeys.allWithUse(userId),
  handle: async ({ prefetched }) => ({ keys: prefetched.map(apiKeyView) }),
});
