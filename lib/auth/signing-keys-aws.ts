import { settings } from "../runtime/settings.ts";
import { type KeyRing, type SigningKey, signingKey } from "./key-ring.ts";
import { type SecretVersion, versionAt } from "./secrets.ts";

// HS256 needs at least as many bytes as its hash has.
const MIN_SECRET_LENGTH = 32;

const DAY_MS = 86_400_000;

/**
 * Whether a token can still live that was signed before the current version was made. A day more than a token lives: a rotation may
 * take some hours, and containers learn of it within one.
 */
const mayHaveTokensBefore = ({ createdAt = Date.now() }: SecretVersion): boolean =>
  Date.now() < createdAt + settings().tokenLifetimeSeconds * 1000 + DAY_MS;

/**
 * The signing keys in Secrets Manager: the current version and, after a rotation, the previous one for as long as its tokens live.
 * `kid` is the version's id.
 */
export const keyRing = async (arn: string): Promise<KeyRing> => {
  const [current, previous] = await Promise.all([versionAt(arn, "AWSCURRENT"), versionAt(arn, "AWSPREVIOUS")]);
  if (!current) throw new RangeError("the signing secret has no value");
  return previous && mayHaveTokensBefore(current)
    ? [await keyFrom(current), await keyFrom(previous)]
    : [await keyFrom(current)];
};

const keyFrom = async ({ id, value }: SecretVersion): Promise<SigningKey> => {
  if (value.length < MIN_SECRET_LENGTH) {
    throw new RangeError(`a version of the signing secret has less than ${MIN_SECRET_LENGTH} characters`);
  }
  return signingKey(id, value);
};
