import { randomUUID } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { environment } from "../runtime/environment.ts";
import { readId } from "../values/ids.ts";
import { currentKey, signingKeyOf } from "./signing-keys.ts";

// Tokens that this service signs for itself (docs/contract.md#tokens). Each names its type, so that none is taken for
// one of another type.

/** What a token says: an account, and its token version when it was issued. */
export type TokenClaims = { userId: string; tokenVersion: number };

/** The claims of a verified token; `issuedAt` in milliseconds since 1970. */
export type VerifiedClaims = TokenClaims & { issuedAt: number };

type TokenType = "at+jwt" | "challenge+jwt";

const ALGORITHM = "HS256";

/** Signs a token that is valid for some seconds from `now`, in milliseconds since 1970. */
export async function sign(
  type: TokenType,
  { userId, tokenVersion }: TokenClaims,
  lifetimeSeconds: number,
  now: number,
): Promise<string> {
  const { TOKEN_ISSUER, TOKEN_AUDIENCE } = environment();
  const { kid, key } = await currentKey();
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ tv: tokenVersion })
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: type })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .setJti(randomUUID())
    .sign(key);
}

/**
 * The claims of a token; undefined if it is forged or expired, of another type or meant for another service. Does not
 * read the account.
 */
export async function verified(type: TokenType, token: string): Promise<VerifiedClaims | undefined> {
  const { TOKEN_ISSUER, TOKEN_AUDIENCE } = environment();
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => signingKeyOf(kid), {
      algorithms: [ALGORITHM],
      typ: type,
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      requiredClaims: ["sub", "iat", "exp", "jti", "tv"],
    });
    const userId = readId(payload.sub);
    const { tv, iat = 0 } = payload;
    return userId && typeof tv === "number" ? { userId, tokenVersion: tv, issuedAt: iat * 1000 } : undefined;
  } catch (error) {
    // Any other error: the keys could not be fetched.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
