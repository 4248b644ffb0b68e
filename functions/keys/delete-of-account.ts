import * as z from "zod/mini";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { KeyId, UserId } from "../../lib/http/inputs.ts";

/** Deletes an API key of an account: the next call with it fails. */
export const handler = defineEndpoint({
  name: "keys-delete-of-account",
  route: "DELETE /users/{userId}/keys/{keyId}",
  access: "bearer",
  refusesKeys: true,
  permission: "user:write",
  request: z.object({ params: z.object({ userId: UserId, keyId: KeyId }) }),
  success: 204,
  errors: ["USER_NOT_FOUND", "KEY_NOT_FOUND"],
  table: { USER: ["get", "update"], API_KEYS: ["get", "delete"] },
  prefetch: ({ params: { userId, keyId } }) => Promise.all([users.find(userId), apiKeys.find(userId, keyId)]),
  trace: ({ params: { userId, keyId } }) => ({ account: userId, item: keyId }),
  handle: async ({ params: { userId, keyId }, prefetched: [user, apiKey], fail }) => {
    if (!user) throw fail("USER_NOT_FOUND");
    if (!apiKey || (await apiKeys.remove(userId, keyId)) === "no such key") throw fail("KEY_NOT_FOUND");
  },
});
