import * as z from "zod/mini";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { UserId } from "../../lib/http/inputs.ts";
import { ApiKey, apiKeyView } from "../../lib/http/resources.ts";

/** Lists the API keys of an account, as GET /keys does for the caller. */
export const handler = defineEndpoint({
  name: "keys-list-of-account",
  route: "GET /users/{userId}/keys",
  access: "bearer",
  refusesKeys: true,
  permission: "user:write",
  request: z.object({ params: z.object({ userId: UserId }) }),
  response: z.object({ keys: z.array(ApiKey) }),
  errors: ["USER_NOT_FOUND"],
  table: { USER: ["get"], API_KEYS: ["query"], KEY_USES: ["query"] },
  prefetch: ({ params: { userId } }) => Promise.all([users.find(userId), apiKeys.allWithUse(userId)]),
  handle: async ({ prefetched: [user, keys], fail }) => {
    if (!user) throw fail("USER_NOT_FOUND");
    return { keys: keys.map(apiKeyView) };
  },
});
