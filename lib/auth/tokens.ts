import { randomUUID } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { environment } from "../runtime/environment.ts";
import { readId } from "../values/ids.ts";
import { currentKey, signingKeyOf } from "./signing-keys.ts";

type TokenClaims = { userId: string; tokenVersion: number };

/** The claims of a verified token; `issuedAt` in milliseconds since 1970. */
export type SessionClaims = TokenClaims & { issuedAt: number };

const ALGORITHM = "HS256";
const TYPE = "at+jwt";

/** Issues a bearer token (docs/contract.md#tokens): it contains no e-mail address, name or role. */
export async function issue({ userId, tokenVersion }: TokenClaims, now = Date.now()): Promise<string> {
  const { TOKEN_ISSUER, TOKEN_AUDIENCE, TOKEN_LIFETIME_SECONDS } = environment();
  const { kid, key } = await currentKey();
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ tv: tokenVersion })
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
    .setJti(randomUUID())
    .sign(key);
}

/** The claims of a token; undefined if forged, expired or meant for another service. Does not read the account. */
export async function verify(token: string): Promise<SessionClaims | undefined> {
  const { TOKEN_ISSUER, TOKEN_AUDIENCE } = environment();
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => signingKeyOf(kid), {
      algorithms: [ALGORITHM],
      typ: TYPE,
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
