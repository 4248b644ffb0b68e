import { settings } from "../runtime/settings.ts";
import { type KeyRing, type SigningKey, signingKey } from "./key-ring.ts";
import { type SecretVersion, versionAt } from "./secrets.ts";

// HS256 needs at least as many bytes as its hash has.
const MIN_SECRET_LENGTH = 32;

const DAY_MS = 86_400_000;

/**
 * Whether a token can still be valid that was signed before the current version existed. A day longer than a token
 * lives: a rotation may take some hours, and containers learn of it within one.
 */
function mayHaveTokensBefore({ createdAt = Date.now() }: SecretVersion): boolean {
  return Date.now() < createdAt + settings().tokenLifetimeSeconds * 1000 + DAY_MS;
}

// A container that fetched its keys just before a rotation rejects tokens of the new key, and fetches again within a
// minute (signing-keys.ts). So the new key signs later.
const MIN_AGE_TO_SIGN_MS = 5 * 60_000;

function maySign({ createdAt = 0 }: SecretVersion): boolean {
  return Date.now() >= createdAt + MIN_AGE_TO_SIGN_MS;
}

/**
 * The signing keys in Secrets Manager: the current version and, after a rotation, the previous one for as long as its
 * tokens live. The previous one signs for the first five minutes. `kid` is the version's id.
 */
export async function keyRing(arn: string): Promise<KeyRing> {
  // In sequence: a rotation between two parallel calls would hide the version that signed all tokens.
  const current = await versionAt(arn, "AWSCURRENT");
  const previous = await versionAt(arn, "AWSPREVIOUS");
  if (!current) throw new RangeError("the signing secret has no value");
  if (!previous || !mayHaveTokensBefore(current)) return [await keyFrom(current)];
  const [newer, older] = [await keyFrom(current), await keyFrom(previous)];
  return maySign(current) ? [newer, older] : [older, newer];
}

async function keyFrom({ id, value }: SecretVersion): Promise<SigningKey> {
  if (value.length < MIN_SECRET_LENGTH) {
    throw new RangeError(`a version of the signing secret has less than ${MIN_SECRET_LENGTH} characters`);
  }
  return signingKey(id, value);
}
