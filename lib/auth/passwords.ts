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

/**
 * The form of a password that is hashed: NFKC, as NIST SP 800-63B asks, because devices send an ä or a blank in several
 * forms. Case, blanks at the ends and letters stay as they are.
 */
function hashedForm(password: string): string {
  return password.normalize("NFKC");
}

/** Hashes a password by argon2id. The text contains salt and parameters. */
export async function hash(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${PREFIX}${base64(salt)}$${base64(await argon2id(hashedForm(password), salt, COST))}`;
}

/** A hash that no password matches, with the parameters of a new hash: verifying one takes as long as usual. */
export const hashOfNone = `${PREFIX}${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(HASH_BYTES))}`;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,})\$([A-Za-z0-9+/]+)$/;

/** Whether text matches a PHC string. None matches a hash of another kind or of a far greater cost than ours. */
async function matches(text: string, phc: string): Promise<boolean> {
  const [, m, t, p, salt = "", expected = ""] = PHC.exec(phc) ?? [];
  const memory = Number(m);
  const passes = Number(t);
  const parallelism = Number(p);
  // Bounded: a stored hash could otherwise demand gigabytes.
  const isMemoryBounded = memory >= 8 * parallelism && memory <= 8 * COST.memory;
  const isBounded = isMemoryBounded && passes >= 1 && passes <= 10 && parallelism >= 1 && parallelism <= 4;
  if (!isBounded) return matches(text, hashOfNone);
  const actual = await argon2id(text, Buffer.from(salt, "base64"), { memory, passes, parallelism });
  const expectedBytes = Buffer.from(expected, "base64");
  return expectedBytes.length === actual.length && timingSafeEqual(expectedBytes, actual);
}

/**
 * Whether a password is right for a PHC string, and whether it should be hashed anew. Earlier versions hashed what was
 * typed: where its form differs, that is tried second, for every account, so that the time reveals nothing.
 */
export async function verify(password: string, phc: string): Promise<{ isRight: boolean; isOutdated: boolean }> {
  const form = hashedForm(password);
  if (await matches(form, phc)) return { isRight: true, isOutdated: !phc.startsWith(PREFIX) };
  const isRight = form !== password && (await matches(password, phc));
  return { isRight, isOutdated: isRight };
}
