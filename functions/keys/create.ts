import * as z from "zod/mini";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import { newKey } from "../../lib/auth/api-keys.ts";
import { scopes } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { FutureTime, Line, optional } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { ApiKey, apiKeyView } from "../../lib/http/resources.ts";
import { newId } from "../../lib/values/ids.ts";

const Scopes = z.array(z.enum(scopes)).check(
  z.minLength(1),
  z.refine((words) => new Set(words).size === words.length, "Must name a scope once"),
  z.meta({ uniqueItems: true }),
);

/**
 * Creates an API key for a program that acts as the caller. The secret is shown once: keep it where passwords are kept.
 * A call with `Authorization: Bearer <secret>` may do what both the role of the account and the scopes of the key
 * allow. A repeated Idempotency-Key creates no second key and returns no `secret`: delete that key and create another.
 */
export const handler = defineEndpoint({
  name: "keys-create",
  route: "POST /keys",
  access: "bearer",
  refusesKeys: true,
  permission: "key:create",
  request: z.object({ body: z.object({ name: Line(60), scopes: Scopes, expiresAt: optional(FutureTime) }) }),
  success: 201,
  response: z.object({ key: ApiKey, secret: z.optional(z.string()) }),
  errors: ["KEY_NOT_FOUND", "TOO_MANY_KEYS"],
  table: { API_KEYS: ["get", "put"], USER: ["update"] },
  idempotency: z.object({ keyId: z.string() }),
  limit: (_, { session }) => limits.createKey(session),
  trace: ({ result }) => ({ item: result?.key.keyId }),
  handle: async ({ body: { name, scopes, expiresAt }, caller: { userId }, fail, idempotencyPart }) => {
    const keyId = newId();
    const { text, hash } = newKey(userId, keyId);
    const apiKey = { keyId, name, scopes, hash, lastFour: text.slice(-4), endsAt: expiresAt };
    if ((await apiKeys.add(userId, apiKey, idempotencyPart)) === "too many") throw fail("TOO_MANY_KEYS");
    return { key: apiKeyView(apiKey), secret: text };
  },
  replay: async ({ keyId }, { caller: { userId }, fail }) => {
    const apiKey = await apiKeys.find(userId, keyId);
    if (!apiKey) throw fail("KEY_NOT_FOUND");
    return { key: apiKeyView(apiKey) };
  },
});
