import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

// Tokens that were mailed stay in the table until they expire, also when their account is erased, and nothing finds
// them by the account. So the address that a token is for is sealed by the token, which only the mail has.

const CIPHER = "aes-256-gcm";
const TAG_BYTES = 16;

// A token seals one address only, so its key is used once.
const NONCE = Buffer.alloc(12);

function keyOf(token: string): Buffer {
  // Another hash than the one by which the token is found.
  return createHash("sha256").update(`address\n${token}`).digest();
}

/** Seals an address by a token of at least 128 random bits. */
export function seal(address: string, token: string): string {
  const cipher = createCipheriv(CIPHER, keyOf(token), NONCE);
  const sealed = Buffer.concat([cipher.update(address, "utf8"), cipher.final()]);
  return Buffer.concat([sealed, cipher.getAuthTag()]).toString("base64url");
}

/** Opens what `seal` returned; throws for another token. */
export function open(sealed: string, token: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv(CIPHER, keyOf(token), NONCE);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
}
