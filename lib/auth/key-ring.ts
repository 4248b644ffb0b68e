import type { webcrypto } from "node:crypto";

/** A key that signs tokens; tokens name it in their `kid`. */
export type SigningKey = { kid: string; key: webcrypto.CryptoKey };

/** The keys that verify tokens; the first one signs new tokens. */
export type KeyRing = readonly [SigningKey, ...SigningKey[]];

/** The key of a secret. Keep it: importing a secret costs more than a signature. */
export async function signingKey(kid: string, secret: string): Promise<SigningKey> {
  return {
    kid,
    key: await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(secret),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign", "verify"],
    ),
  };
}
