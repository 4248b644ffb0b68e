import { environment } from "../runtime/environment.ts";
import { sign, type TokenClaims, type VerifiedClaims, verified } from "./signed-tokens.ts";

/** The claims of a verified bearer token. */
export type SessionClaims = VerifiedClaims;

const TYPE = "at+jwt";

/** Issues a bearer token (docs/contract.md#tokens): it contains no e-mail address, name or role. */
export async function issue(claims: TokenClaims, now = Date.now()): Promise<string> {
  return sign(TYPE, claims, environment().TOKEN_LIFETIME_SECONDS, now);
}

/** The claims of a bearer token; undefined if it is not good. */
export function verify(token: string): Promise<SessionClaims | undefined> {
  return verified(TYPE, token);
}
