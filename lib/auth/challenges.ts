import { sign, type TokenClaims, verified } from "./signed-tokens.ts";

// A challenge shows that a person has passed the first factor of a sign-in. Nothing of it is stored.

const TYPE = "challenge+jwt";

/** Long enough to install an app. */
const LIFETIME_SECONDS = 15 * 60;

/** Issues a challenge for the account that has passed the first factor, with its token version now. */
export function issue(claims: TokenClaims, now = Date.now()): Promise<string> {
  return sign(TYPE, claims, LIFETIME_SECONDS, now);
}

/** Reads a challenge; undefined if it is not good. */
export function read(challenge: string): Promise<TokenClaims | undefined> {
  return verified(TYPE, challenge);
}
