import * as z from "zod/mini";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { KeyId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";

/** Deletes an API key; the next call with it fails. The owner also deletes keys of the account `userId`. */
export const handler = defineEndpoint({
  name: "keys-delete",
  route: "DELETE /keys/{keyId}",
  refusesKeys: true,
  endsAccess: true,
  permissionsOf: ({ query: { userId } }, viewerId) => (userId && userId !== viewerId ? ["user:write"] : []),
  request: z.object({ params: z.object({ keyId: KeyId }), query: z.object({ userId: optional(KeyId) }) }),
  success: 204,
  errors: ["KEY_NOT_FOUND"],
  table: { API_KEYS: ["get", "delete"], USER: ["update"] },
  prefetch: ({ params: { keyId }, query }, viewerId) => apiKeys.find(query.userId ?? viewerId, keyId),
  audit: "key.deleted",
  trace: ({ params: { keyId }, query: { userId } }) => ({ account: userId, item: keyId }),
  handle: async ({ params: { keyId }, query, caller, prefetched, fail }) => {
    const userId = query.userId ?? caller.userId;
    if (!prefetched || (await apiKeys.remove(userId, keyId)) === "no such key") throw fail("KEY_NOT_FOUND");
  },
});
