import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import * as z from "zod/mini";
import { fromEnvironment } from "../runtime/environment.ts";
import { ask } from "./calls.ts";
import { ProviderDown, reasons } from "./faults.ts";

// The public keys of providers. A container keeps them, so that most sign-ins make one call: for the ID token. A token
// with an unknown key makes it read them again, once a minute at most, however many such tokens come.

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

const KEPT_MS = 60 * 60 * 1000;
const AGAIN_AFTER_MS = 60 * 1000;

/** More than a site has providers: old ones are forgotten. */
const MOST_SETS = 20;

type Kept = { keys: JWTVerifyGetKey; readAt: number };

const sets = fromEnvironment(() => new Map<string, Promise<Kept>>());

async function read(url: string, until: number): Promise<Kept> {
  const { status, json } = await ask({ url, until });
  const parsed = KeySet.safeParse(json);
  if (status !== 200 || !parsed.success) throw new ProviderDown(`${reasons.PROVIDER_FAILED}: ${status}`);
  return { keys: createLocalJWKSet(parsed.data as Parameters<typeof createLocalJWKSet>[0]), readAt: Date.now() };
}

/** Reads keys, once for all calls that want them meanwhile. A reading that fails is not kept. */
function readAgain(url: string, until: number): Promise<Kept> {
  const reading = read(url, until);
  const kept = sets();
  kept.delete(url);
  for (const oldest of kept.keys()) if (kept.size >= MOST_SETS) kept.delete(oldest);
  kept.set(url, reading);
  reading.catch(() => {
    if (kept.get(url) === reading) kept.delete(url);
  });
  return reading;
}

/** Finds the key of a token among those at a url; throws ProviderDown if they cannot be read. */
export function keysAt(url: string, until: number): JWTVerifyGetKey {
  return async (header, token) => {
    const kept = await sets().get(url);
    const now = Date.now();
    const fresh = kept && now < kept.readAt + KEPT_MS ? kept : await readAgain(url, until);
    try {
      return await fresh.keys(header, token);
    } catch (error) {
      const mayBeNew = error instanceof errors.JWKSNoMatchingKey && now >= fresh.readAt + AGAIN_AFTER_MS;
      if (!mayBeNew) throw error;
      const { keys } = await readAgain(url, until);
      return keys(header, token);
    }
  };
}
