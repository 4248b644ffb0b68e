import * as z from "zod/mini";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { KeyId } from "../../lib/http/inputs.ts";

/** Deletes an API key of the caller: the next call with it fails. */
export const handler = defineEndpoint({
  name: "keys-delete",
  route: "DELETE /keys/{keyId}",
  access: "bearer",
  refusesKeys: true,
  request: z.object({ params: z.object({ keyId: KeyId }) }),
  success: 204,
  errors: ["KEY_NOT_FOUND"],
  table: { API_KEYS: ["get", "delete"], USER: ["update"] },
  prefetch: ({ params: { keyId } }, userId) => apiKeys.find(userId, keyId),
  trace: ({ params: { keyId } }) => ({ item: keyId }),
  handle: async ({ params: { keyId }, caller: { userId }, prefetched, fail }) => {
    if (!prefetched || (await apiKeys.remove(userId, keyId)) === "no such key") throw fail("KEY_NOT_FOUND");
  },
});
