import * as z from "zod/mini";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { UserId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { ApiKey, apiKeyView } from "../../lib/http/resources/accounts.ts";

/**
 * Lists the caller's API keys, oldest first, without their secrets. Expired keys are included until they are deleted.
 * `lastUsedOn` is the UTC day of the last call with the key. The owner lists the keys of the account `userId`.
 */
export const handler = defineEndpoint({
  name: "keys-list",
  route: "GET /keys",
  refusesKeys: true,
  permissionsOf: ({ query: { userId } }, viewerId) => (userId && userId !== viewerId ? ["user:write"] : []),
  request: z.object({ query: z.object({ userId: optional(UserId) }) }),
  response: z.object({ results: z.array(ApiKey), keys: z.array(ApiKey) }),
  errors: ["USER_NOT_FOUND"],
  table: { USER: ["get"], API_KEYS: ["query"], KEY_USES: ["query"] },
  prefetch: ({ query: { userId = "" } }, viewerId) =>
    Promise.all([userId ? users.find(userId) : "the caller", apiKeys.allWithUse(userId || viewerId)]),
  handle: async ({ prefetched: [account, keys], fail }) => {
    if (!account) throw fail("USER_NOT_FOUND");
    const results = keys.map(apiKeyView);
    return { results, keys: results };
  },
});
