import { createHash } from "node:crypto";
import { errors } from "jose";
import { Unavailable } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";
import { settings } from "../runtime/settings.ts";
import { onStoreClock } from "../runtime/store-budget.ts";
import type { KeyRing, SigningKey } from "./key-ring.ts";
import { keyRing } from "./signing-keys-aws-lazy.ts";

/** The signing keys cannot be fetched: answered as a 503. */
export class KeysUnavailable extends Unavailable {
  override readonly name = "KeysUnavailable";
}

/** How often a key that we do not know, or a failure, makes us ask for the keys again at most, in milliseconds. */
const ASK_AGAIN_MS = 60_000;

/** How long keys are used without asking, in milliseconds: after that a secret that was rotated out is refused everywhere. */
const MAX_AGE_MS = 3_600_000;

let ring: KeyRing | undefined;
let askedAt = 0;
let hasFailed = false;
let asking: Promise<KeyRing> | undefined;
let onUse = (): void => {};

/** Forgets the keys that were fetched (tests). */
export const forgetKeys = (): void => {
  ring = undefined;
  askedAt = 0;
  hasFailed = false;
};

/** Hears of each use of the keys (tests: who uses them needs the right to read the secret). */
export const onKeyUse = (listener: () => void): void => {
  onUse = listener;
};

/** The key that signs new tokens. */
export const currentKey = async (): Promise<SigningKey> => (await keys())[0];

/** The secret that a token names; throws a JOSE error when there is none of that name. */
export const keyOf = async (kid: string | undefined): Promise<Uint8Array> => {
  const named = (each: KeyRing) => each.find((key) => key.kid === kid);
  const key = named(await keys()) ?? named(await keysOnceMore());
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key.secret;
};

const keys = async (): Promise<KeyRing> => {
  onUse();
  const { signingSecret } = settings();
  if (signingSecret) return [keyFromEnvironment(signingSecret)];
  const isFresh = Date.now() - askedAt < (hasFailed ? ASK_AGAIN_MS : MAX_AGE_MS);
  return ring && isFresh ? ring : ask();
};

/** The keys for a token that names none of those we have: perhaps the secret was rotated since we asked. */
const keysOnceMore = async (): Promise<KeyRing> => {
  const { signingSecret } = settings();
  if (signingSecret) return keys();
  const found = ring && Date.now() - askedAt < ASK_AGAIN_MS ? ring : await ask();
  // The token may be good and only we do not know: a client would throw it away on a 401.
  if (hasFailed) throw new KeysUnavailable("the signing keys could not be fetched");
  return found;
};

const keyFromEnvironment = (signingSecret: string): SigningKey => ({
  kid: createHash("sha256").update(signingSecret).digest("hex").slice(0, 16),
  secret: new TextEncoder().encode(signingSecret),
});

/** Fetches the keys; where that fails, those that we have go on being used. */
const ask = (): Promise<KeyRing> => {
  asking ??= onStoreClock(fetchKeys).finally(() => {
    asking = undefined;
  });
  return asking;
};

const fetchKeys = async (): Promise<KeyRing> => {
  const { signingSecretArn } = settings();
  if (!signingSecretArn) throw new Error("No signing secret: set SIGNING_SECRET or SIGNING_SECRET_ARN");
  askedAt = Date.now();
  try {
    ring = await keyRing(signingSecretArn);
    hasFailed = false;
    return ring;
  } catch (error) {
    hasFailed = true;
    const name = error instanceof Error ? error.name : "unknown";
    log.error("the signing keys could not be fetched", { code: name });
    if (ring) return ring;
    throw new KeysUnavailable(`the signing keys could not be fetched: ${name}`);
  }
};
