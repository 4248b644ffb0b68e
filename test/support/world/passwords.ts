import { createHook } from "node:async_hooks";
import { argon2Sync, randomBytes } from "node:crypto";

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

function hashWith(message: string, memory: number, passes: number): string {
  const nonce = randomBytes(16);
  const hash = argon2Sync("argon2id", { message, nonce, memory, passes, parallelism: 1, tagLength: 32 });
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${base64(nonce)}$${base64(hash)}`;
}

/** The hash of a password as an earlier version stored it, with less work. */
export function outdatedHash(message: string): string {
  return hashWith(message, 64, 1);
}

/** The hash of a password as an earlier version stored it: of what was typed. */
export function hashOfTyped(message: string): string {
  return hashWith(message, 19_456, 2);
}

export async function countHashes<T>(work: () => Promise<T>): Promise<{ result: T; hashes: number }> {
  let hashes = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === "ARGON2REQUEST" || type === "SCRYPTREQUEST") hashes++;
    },
  }).enable();
  try {
    const result = await work();
    return { result, hashes };
  } finally {
    hook.disable();
  }
}
