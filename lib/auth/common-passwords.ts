import { createHash } from "node:crypto";
import common from "./common-passwords.json" with { type: "json" };

// The 3,000 commonest passwords of at least 8 characters, by rank in the list that common-passwords.json names, each as
// the first four bytes of its SHA-256: 12 KB in memory. One other password in 1.4 million has such a hash.

const BYTES = 4;

/** The hash by which a password stands in the list of common ones. */
export function shortHash(password: string): Buffer {
  return createHash("sha256").update(password.toLowerCase()).digest().subarray(0, BYTES);
}

let hashes: Set<number> | undefined;

function read(): Set<number> {
  const bytes = Buffer.from(common.hashes, "base64");
  return new Set(Array.from({ length: bytes.length / BYTES }, (_, at) => bytes.readUInt32BE(at * BYTES)));
}

export function isCommon(password: string): boolean {
  hashes ??= read();
  return hashes.has(shortHash(password).readUInt32BE());
}
