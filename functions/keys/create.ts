import * as z from "zod/mini";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import { mailPart } from "../../lib/accounts/outbox.ts";
import { newKey } from "../../lib/auth/api-keys.ts";
import { scopes } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { mapped, optional } from "../../lib/http/inputs.ts";
import { NEW_KEYS } from "../../lib/http/rate-limits.ts";
import { ApiKey, apiKeyView } from "../../lib/http/resources/accounts.ts";
import { Line } from "../../lib/http/text-inputs.ts";
import { canSend } from "../../lib/runtime/mail.ts";
import { newId } from "../../lib/values/ids.ts";

const Scopes = z.array(z.enum(scopes)).check(
  z.minLength(1),
  z.refine((words) => new Set(words).size === words.length, "Must name a scope once"),
  z.meta({ uniqueItems: true }),
);

/** The end of a key, as an ISO 8601 date-time with an offset or `Z`; read as milliseconds since 1970. */
const EndTime = mapped(z.iso.datetime({ offset: true }), (text) => Date.parse(text)).check(
  z.refine((time) => time > Date.now() && time <= Date.now() + apiKeys.LIFE_MS, "Must be within 365 days from now"),
  z.meta({ type: "string", format: "date-time" }),
);

/**
 * Creates an API key for a program that acts as the caller. Requires a session younger than ten minutes, and a role
 * that allows the scopes; the account gets a mail that names the key. The secret is shown only once: keep it where
 * passwords are kept. A call with `Authorization: Bearer <secret>` may do what both the role of the account and the
 * scopes of the key allow. A repeated Idempotency-Key creates no second key and returns no `secret`: delete that key
 * and create another.
 */
export const handler = defineEndpoint({
  name: "keys-create",
  route: "POST /keys",
  refusesKeys: true,
  permission: "key:create",
  permissionsOf: ({ body: { scopes } }) => scopes,
  request: z.object({ body: z.object({ name: Line(60), scopes: Scopes, expiresAt: optional(EndTime) }) }),
  success: 201,
  response: z.object({ key: ApiKey, secret: z.optional(z.string()) }),
  errors: ["SIGN_IN_AGAIN", "KEY_NOT_FOUND", "TOO_MANY_KEYS", "INVALID_TOKEN", "NOT_ENOUGH_PERMISSION"],
  table: { API_KEYS: ["get", "put"], USER: ["update"], OUTBOX: ["put"] },
  idempotency: z.object({ keyId: z.string() }),
  callLimits: NEW_KEYS,
  audit: "key.created",
  trace: ({ result }) => ({ item: result?.key.keyId }),
  handle: async ({ body: { name, scopes, expiresAt }, caller, fail, idempotencyPart, addTrace }) => {
    const { userId, email } = caller;
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    const keyId = newId();
    addTrace({ item: keyId });
    const { text, hash } = newKey(userId, keyId);
    const endsAt = expiresAt ?? Date.now() + apiKeys.LIFE_MS;
    const apiKey = { keyId, name, scopes, hash, lastFour: text.slice(-4), endsAt };
    const outcome = await apiKeys.add(caller, apiKey, {
      idempotency: idempotencyPart?.({ keyId }),
      mail: canSend() && mailPart({ to: email, userId, template: "new-key", keyName: name }),
    });
    if (outcome === "too many") throw fail("TOO_MANY_KEYS");
    if (outcome === "session ended") throw fail("INVALID_TOKEN");
    if (outcome === "role changed") throw fail("NOT_ENOUGH_PERMISSION");
    return { key: apiKeyView(apiKey), secret: text };
  },
  replay: async ({ keyId }, { caller: { userId }, fail }) => {
    const apiKey = await apiKeys.find(userId, keyId);
    if (!apiKey) throw fail("KEY_NOT_FOUND");
    return { key: apiKeyView(apiKey) };
  },
});
