import { createHash, type webcrypto } from "node:crypto";
import { errors } from "jose";
import { environment, fromEnvironment } from "../runtime/environment.ts";
import { Unavailable } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";
import { onStoreClock } from "../runtime/store-budget.ts";
import { DAY_MS } from "../values/days.ts";
import { type SecretVersion, versionAt } from "./secrets.ts";

type SigningKey = { kid: string; key: webcrypto.CryptoKey };

/** The keys that verify tokens; the first one signs new tokens. */
type KeyRing = readonly [SigningKey, ...SigningKey[]];

// HS256 needs at least as many bytes as its hash has.
const MIN_SECRET_LENGTH = 32;

/**
 * Whether a token can still be valid that was signed before the current version existed. A day longer than a token
 * lives: a rotation may take some hours, and containers learn of it within one.
 */
function mayHaveTokensBefore({ createdAt = Date.now() }: SecretVersion): boolean {
  return Date.now() < createdAt + environment().TOKEN_LIFETIME_SECONDS * 1000 + DAY_MS;
}

// A container that fetched its keys just before a rotation rejects tokens of the new key, and fetches again within a
// minute. So the new key signs later.
const MIN_AGE_TO_SIGN_MS = 5 * 60_000;

function maySign({ createdAt = 0 }: SecretVersion): boolean {
  return Date.now() >= createdAt + MIN_AGE_TO_SIGN_MS;
}

/**
 * The signing keys in Secrets Manager: the current version and, after a rotation, the previous one for as long as its
 * tokens live. The previous one signs for the first five minutes. `kid` is the version's id.
 */
async function keyRing(arn: string): Promise<KeyRing> {
  // In sequence: a rotation between two parallel calls would hide the version that signed all tokens.
  const current = await versionAt(arn, "AWSCURRENT");
  const previous = await versionAt(arn, "AWSPREVIOUS");
  if (!current) throw new RangeError("the signing secret has no value");
  if (!previous || !mayHaveTokensBefore(current)) return [await keyFrom(current)];
  const newer = await keyFrom(current);
  const older = await keyFrom(previous);
  return maySign(current) ? [newer, older] : [older, newer];
}

/** The key of a secret. Keep it: importing a secret costs more than a signature. */
async function keyFrom({ id, value }: Pick<SecretVersion, "id" | "value">): Promise<SigningKey> {
  if (value.length < MIN_SECRET_LENGTH) {
    throw new RangeError(`a version of the signing secret has less than ${MIN_SECRET_LENGTH} characters`);
  }
  const bytes = new TextEncoder().encode(value);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return { kid: id, key: await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]) };
}

/** Shortest time between two fetches caused by an unknown `kid` or a failed fetch, in milliseconds. */
const FETCH_AGAIN_MS = 60_000;

/** Longest use of fetched keys, in milliseconds: then every container refuses a secret that was rotated out. */
const MAX_AGE_MS = 3_600_000;

/** How long keys stay in use while they cannot be fetched, in milliseconds: a key that was rotated out must end. */
const MAX_OUTAGE_MS = 86_400_000;

/** The key that signs new tokens. */
export async function currentKey(): Promise<SigningKey> {
  return (await source().keys())[0];
}

/**
 * A mark of a client's network for the log, the same until the signing key is rotated. It is keyed, so that a reader of
 * the log cannot try out addresses. Undefined while the key cannot be fetched: a log line is not worth an error.
 */
export async function networkMark(network: string): Promise<string | undefined> {
  try {
    const { key } = await currentKey();
    const mark = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`network ${network}`));
    return Buffer.from(mark).toString("hex").slice(0, 16);
  } catch {
    return undefined;
  }
}

/** The key with the id `kid`; throws a JOSE error for an unknown one. */
export async function signingKeyOf(kid: string | undefined): Promise<SigningKey["key"]> {
  const findIn = (ring: KeyRing) => ring.find((key) => key.kid === kid);
  const { keys, newerKeys } = source();
  const key = findIn(await keys()) ?? findIn(await newerKeys());
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key.key;
}

function fixedSource(signingSecret: string) {
  const id = createHash("sha256").update(signingSecret).digest("hex").slice(0, 16);
  const ring = keyFrom({ id, value: signingSecret }).then((key): KeyRing => [key]);
  return { keys: () => ring, newerKeys: () => ring };
}

function fetchedSource(arn: string | undefined) {
  let ring: KeyRing | undefined;
  let fetchedAt = 0;
  let confirmedAt = 0;
  let hasFailed = false;
  let fetching: Promise<KeyRing> | undefined;

  const fetchKeys = async (): Promise<KeyRing> => {
    if (!arn) throw new Error("No signing secret: set SIGNING_SECRET or SIGNING_SECRET_ARN");
    const begunAt = Date.now();
    try {
      ring = await keyRing(arn);
      confirmedAt = Date.now();
      hasFailed = false;
      return ring;
    } catch (error) {
      hasFailed = true;
      const name = error instanceof Error ? error.name : "unknown";
      log.error("the signing keys could not be fetched", { code: name });
      if (Date.now() - confirmedAt >= MAX_OUTAGE_MS) ring = undefined;
      if (ring) return ring;
      throw new Unavailable(`the signing keys could not be fetched: ${name}`);
    } finally {
      // Set at the end, so that calls during the fetch wait for it.
      fetchedAt = begunAt;
    }
  };

  /** The keys, at most `maxAge` milliseconds old. Parallel calls share one fetch. */
  const keysNotOlderThan = async (maxAge: number): Promise<KeyRing> => {
    if (ring && Date.now() - fetchedAt < maxAge) return ring;
    fetching ??= onStoreClock(fetchKeys).finally(() => {
      fetching = undefined;
    });
    return fetching;
  };

  return {
    keys: () => keysNotOlderThan(hasFailed ? FETCH_AGAIN_MS : MAX_AGE_MS),
    /** The keys for a token with an unknown `kid`: the secret may have been rotated since the last fetch. */
    newerKeys: async () => {
      const found = await keysNotOlderThan(FETCH_AGAIN_MS);
      // The token may be valid, signed with a newer key: on a 401 a client would discard it.
      if (hasFailed) throw new Unavailable("the signing keys could not be fetched");
      return found;
    },
  };
}

const source = fromEnvironment(({ SIGNING_SECRET, SIGNING_SECRET_ARN }) =>
  SIGNING_SECRET ? fixedSource(SIGNING_SECRET) : fetchedSource(SIGNING_SECRET_ARN),
);
