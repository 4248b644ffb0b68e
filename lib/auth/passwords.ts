import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

// Stored as PHC strings: $argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

function argon2id(message: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  return promisify(argon2)("argon2id", { message, nonce, ...cost, tagLength: HASH_BYTES });
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

export async function hash(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${PREFIX}${base64(salt)}$${base64(await argon2id(password, salt, COST))}`;
}

/** A hash that no password matches, with the parameters of a new hash: verifying one takes as long as usual. */
export const hashOfNone = `${PREFIX}${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(HASH_BYTES))}`;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,})\$([A-Za-z0-9+/]+)$/;

/** Whether a password matches a PHC string. None matches a hash of another kind or of a far greater cost than ours. */
export async function verify(password: string, phc: string): Promise<boolean> {
  const [, m, t, p, salt = "", expected = ""] = PHC.exec(phc) ?? [];
  const [memory, passes, parallelism] = [Number(m), Number(t), Number(p)];
  // Bounded: a stored hash could otherwise demand gigabytes.
  const isMemoryBounded = memory >= 8 * parallelism && memory <= 8 * COST.memory;
  const isBounded = isMemoryBounded && passes >= 1 && passes <= 10 && parallelism >= 1 && parallelism <= 4;
  if (!isBounded) return verify(password, hashOfNone);
  const actual = await argon2id(password, Buffer.from(salt, "base64"), { memory, passes, parallelism });
  const expectedBytes = Buffer.from(expected, "base64");
  return expectedBytes.length === actual.length && timingSafeEqual(expectedBytes, actual);
}

export function isOutdated(phc: string): boolean {
  return !phc.startsWith(PREFIX);
}
