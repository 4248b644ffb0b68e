import { createHash } from "node:crypto";
import { errors } from "jose";
import { Unavailable } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";
import { fromSettings } from "../runtime/settings.ts";
import { onStoreClock } from "../runtime/store-budget.ts";
import { type KeyRing, type SigningKey, signingKey } from "./key-ring.ts";
import { keyRing } from "./signing-keys-aws.ts";

/** The signing keys cannot be fetched: answered as a 503. */
class KeysUnavailable extends Unavailable {
  override readonly name = "KeysUnavailable";
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

/** The key with the id `kid`; throws a JOSE error for an unknown one. */
export async function keyOf(kid: string | undefined): Promise<SigningKey["key"]> {
  const findIn = (ring: KeyRing) => ring.find((key) => key.kid === kid);
  const { keys, newerKeys } = source();
  const key = findIn(await keys()) ?? findIn(await newerKeys());
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key.key;
}

type KeySource = {
  keys: () => Promise<KeyRing>;
  /** The keys for a token with an unknown `kid`: the secret may have been rotated since the last fetch. */
  newerKeys: () => Promise<KeyRing>;
};

function fixedSource(signingSecret: string): KeySource {
  const kid = createHash("sha256").update(signingSecret).digest("hex").slice(0, 16);
  const ring = signingKey(kid, signingSecret).then((key): KeyRing => [key]);
  const keys = (): Promise<KeyRing> => ring;
  return { keys, newerKeys: keys };
}

function fetchedSource(arn: string | undefined): KeySource {
  let ring: KeyRing | undefined;
  let fetchedAt = 0;
  let confirmedAt = 0;
  let hasFailed = false;
  let fetching: Promise<KeyRing> | undefined;

  /** Fetches the keys; after a failure the last ones stay in use for a day. */
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
      throw new KeysUnavailable(`the signing keys could not be fetched: ${name}`);
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
    newerKeys: async () => {
      const found = await keysNotOlderThan(FETCH_AGAIN_MS);
      // The token may be valid, signed with a newer key: on a 401 a client would discard it.
      if (hasFailed) throw new KeysUnavailable("the signing keys could not be fetched");
      return found;
    },
  };
}

const source = fromSettings(({ signingSecret, signingSecretArn }) =>
  signingSecret ? fixedSource(signingSecret) : fetchedSource(signingSecretArn),
);
