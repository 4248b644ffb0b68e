import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { idOfHex } from "../values/ids.ts";

// An API key: `fb_` and 76 characters of base64url, which are the id of its account, its own id and 25 random bytes. So
// no index is needed to find it, and secret scanners recognise it: fb_[A-Za-z0-9_-]{76}.

const PREFIX = "fb_";
const KEY = /^fb_[\w-]{76}$/;
// 200 bits, and no bits of the last character are unused: one key is one text.
const RANDOM_BYTES = 25;

export type KeyClaims = { userId: string; keyId: string; hash: string };

// Keys are long and random: a fast hash is enough.
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** The text of a new key, which is shown once and kept nowhere, and the hash to store. */
export function newKey(userId: string, keyId: string): { text: string; hash: string } {
  const ids = Buffer.from(`${userId}${keyId}`.replaceAll("-", ""), "hex");
  const text = `${PREFIX}${Buffer.concat([ids, randomBytes(RANDOM_BYTES)]).toString("base64url")}`;
  return { text, hash: hashOf(text) };
}

/** Whether a bearer token is an API key: a JWT begins otherwise. */
export function isKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Reads the text of a key; undefined if it cannot be one. Does not look the key up. */
export function readKey(text: string): KeyClaims | undefined {
  if (!KEY.test(text)) return undefined;
  const hex = Buffer.from(text.slice(PREFIX.length), "base64url").toString("hex");
  return { userId: idOfHex(hex.slice(0, 32)), keyId: idOfHex(hex.slice(32, 64)), hash: hashOf(text) };
}

/** Compares two hashes in constant time. */
export function isSameHash(hash: string, stored: string): boolean {
  const given = Buffer.from(hash);
  const expected = Buffer.from(stored);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
