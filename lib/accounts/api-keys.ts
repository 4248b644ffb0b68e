import * as z from "zod/mini";
import { setAlone } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type MaybePart, type Part, remove as removePart, update } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getMany, getRange } from "../table/reads.ts";
import { EXPIRY_ATTRIBUTE } from "../table/table-shape.ts";
import { transact } from "../table/transactions.ts";
import { timeOf } from "../values/ids.ts";

/** The longest life of a key, in milliseconds: a year, which is also the usual one. */
export const LIFE_MS = 365 * 24 * 60 * 60 * 1000;

export const ApiKeyItem = z.pipe(
  z.object({
    sk: z.string(),
    name: z.string(),
    // Permissions: lib/auth/permissions.ts.
    scopes: z.array(z.string()),
    // The hash of the whole key; the key itself is not stored.
    hash: z.string(),
    // The last four characters, by which its owner recognises the key.
    lastFour: z.string(),
    // When the key expires, in milliseconds since 1970. It is still listed and counted until it is deleted.
    endsAt: z.optional(z.number()),
  }),
  z.transform(({ sk, endsAt = timeOf(sk) + LIFE_MS, ...apiKey }) => ({ keyId: sk, endsAt, ...apiKey })),
);

/** An API key of an account. Both the account's role and the scopes limit its rights. */
export type ApiKeyRecord = z.output<typeof ApiKeyItem>;

export const KeyUseItem = z.object({ sk: z.string(), day: z.string() });

export type UsedKey = ApiKeyRecord & { usedOn?: string | undefined };

export const MAX_KEYS = 20;

export function find(userId: string, keyId: string): Promise<ApiKeyRecord | undefined> {
  return get(key.apiKey(userId, keyId), ApiKeyItem);
}

/** Reads keys, each with the account that has it, in no order and without those that are gone. */
export function findAll(keys: { userId: string; keyId: string }[]): Promise<ApiKeyRecord[]> {
  return getMany(
    keys.map(({ userId, keyId }) => key.apiKey(userId, keyId)),
    ApiKeyItem,
  );
}

/** Reads the ids of all keys of an account, also of keys that do not parse. */
export async function idsOf(userId: string): Promise<string[]> {
  return (await getRange(range.apiKeys(userId), z.object({ sk: z.string() }))).map(({ sk }) => sk);
}

/** The API keys of an account, expired ones included, each with the UTC day of its last call. */
export async function allWithUse(userId: string): Promise<UsedKey[]> {
  const [apiKeys, uses] = await Promise.all([
    getRange(range.apiKeys(userId), ApiKeyItem),
    getRange(range.keyUses(userId), KeyUseItem),
  ]);
  return apiKeys.map((apiKey) => ({ ...apiKey, usedOn: uses.find(({ sk }) => sk === apiKey.keyId)?.day }));
}

/**
 * Stores the day of a use, once a day. It is a separate item, so that the many functions that accept keys need not have
 * the right to write keys.
 */
export async function noteUse(userId: string, keyId: string, day: string): Promise<void> {
  const use = { day, [EXPIRY_ATTRIBUTE]: Math.ceil((Date.now() + LIFE_MS) / 1000) };
  await setAlone(key.keyUse(userId, keyId), use, { if: "attribute_not_exists(pk) OR #day < :day" });
}

/**
 * Adds a key to an account as it was read. The account counts its keys, so that parallel calls respect the limit; and
 * it must still have its role and its sessions, so that no key is created at the moment when all keys of the account
 * end.
 */
export async function add(
  { userId, role, tokenVersion }: { userId: string; role: string; tokenVersion: number },
  { keyId, ...fields }: ApiKeyRecord,
  more: { idempotency?: Part | undefined; mail?: MaybePart } = {},
): Promise<"added" | "too many" | "session ended" | "role changed"> {
  const outcome = await transact<"apiKey" | "user">({
    apiKey: create(key.apiKey(userId, keyId), fields),
    user: update(key.user(userId), "ADD apiKeys :one", {
      if: "#role = :role AND tokenVersion = :version AND (attribute_not_exists(apiKeys) OR apiKeys < :most)",
      names: { "#role": "role" },
      values: { ":one": 1, ":role": role, ":version": tokenVersion, ":most": MAX_KEYS },
    }),
    ...more,
  });
  if (outcome.done) return "added";
  const user = await get(key.user(userId), z.object({ role: z.string(), tokenVersion: z.number() }));
  if (user?.tokenVersion !== tokenVersion) return "session ended";
  return user.role === role ? "too many" : "role changed";
}

/** Deletes an API key. */
export async function remove(userId: string, keyId: string): Promise<"removed" | "no such key"> {
  const outcome = await transact({
    apiKey: removePart(key.apiKey(userId, keyId), { if: "attribute_exists(pk)" }),
    user: update(key.user(userId), "ADD apiKeys :less", { if: "attribute_exists(pk)", values: { ":less": -1 } }),
  });
  return outcome.done ? "removed" : "no such key";
}

/**
 * The parts that end all keys, or keep them, in a transaction that changes the account, with their conditions on the
 * account's own item. The transaction fails if a key was added or deleted since the keys were read: it checks their
 * number and each key.
 */
export function endingAll({ userId, keyIds }: { userId: string; keyIds: string[] }, keep = false) {
  const ended = keep ? [] : keyIds;
  return {
    parts: Object.fromEntries(
      ended.map((keyId) => [keyId, removePart(key.apiKey(userId, keyId), { if: "attribute_exists(pk)" })]),
    ),
    set: "apiKeys = :left",
    if: "(attribute_not_exists(apiKeys) OR apiKeys = :keys)",
    values: { ":left": keyIds.length - ended.length, ":keys": keyIds.length },
  };
}
