import * as z from "zod/mini";
import type { IdempotencyPart } from "../table/idempotency.ts";
import { key, range } from "../table/keys.ts";
import { create, remove as removePart, update } from "../table/parts.ts";
import { get, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";

export const ApiKeyItem = z.pipe(
  z.object({
    sk: z.string(),
    name: z.string(),
    // Permissions: lib/auth/permissions.ts.
    scopes: z.array(z.string()),
    // Of the whole key; the key itself is not stored.
    hash: z.string(),
    // By these last four characters its owner recognises the key.
    lastFour: z.string(),
    // The end of the key, in milliseconds since 1970. Its item is listed, and counts, until it is deleted.
    endsAt: z.optional(z.number()),
  }),
  z.transform(({ sk, ...apiKey }) => ({ keyId: sk, ...apiKey })),
);

/** An API key of an account. Both the account's role and the scopes limit its rights. */
export type ApiKeyRecord = z.output<typeof ApiKeyItem>;

export const MAX_KEYS = 20;

/** Reads a key of an account; undefined if there is none with this id. */
export function find(userId: string, keyId: string): Promise<ApiKeyRecord | undefined> {
  return get(key.apiKey(userId, keyId), ApiKeyItem);
}

/** Reads all keys of an account, oldest first. */
export function all(userId: string): Promise<ApiKeyRecord[]> {
  return getRange(range.apiKeys(userId), ApiKeyItem);
}

/** Adds a key to an account. The account counts its keys, so that parallel calls respect the limit. */
export async function add(
  userId: string,
  { keyId, ...fields }: ApiKeyRecord,
  idempotencyPart?: IdempotencyPart<{ keyId: string }>,
): Promise<"added" | "too many"> {
  const outcome = await transact({
    apiKey: create(key.apiKey(userId, keyId), fields),
    user: update(key.user(userId), "ADD apiKeys :one", {
      if: "attribute_exists(pk) AND (attribute_not_exists(apiKeys) OR apiKeys < :most)",
      values: { ":one": 1, ":most": MAX_KEYS },
    }),
    idempotency: idempotencyPart?.({ keyId }),
  });
  return outcome.done ? "added" : "too many";
}

/** Ends a key of an account. */
export async function remove(userId: string, keyId: string): Promise<"removed" | "no such key"> {
  const outcome = await transact({
    apiKey: removePart(key.apiKey(userId, keyId), { if: "attribute_exists(pk)" }),
    user: update(key.user(userId), "ADD apiKeys :less", { if: "attribute_exists(pk)", values: { ":less": -1 } }),
  });
  return outcome.done ? "removed" : "no such key";
}
