import { errors, jwtVerify, SignJWT } from "jose";
import { environment } from "../runtime/environment.ts";
import { readId } from "../values/ids.ts";
import { currentKey, signingKeyOf } from "./signing-keys.ts";

// A challenge shows that a person has passed the first factor of a sign-in: a signed token of another type than the
// bearer tokens, so that neither is taken for the other. Nothing of it is stored.

const ALGORITHM = "HS256";
const TYPE = "challenge+jwt";

/** Long enough to install an app. */
const LIFETIME_SECONDS = 15 * 60;

/** The account that has passed the first factor, and its token version then. */
export type Challenged = { userId: string; tokenVersion: number };

export async function issue({ userId, tokenVersion }: Challenged, now = Date.now()): Promise<string> {
  const { TOKEN_ISSUER, TOKEN_AUDIENCE } = environment();
  const { kid, key } = await currentKey();
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ tv: tokenVersion })
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(key);
}

/** Reads a challenge; undefined if it is forged or expired, or another token. */
export async function read(challenge: string): Promise<Challenged | undefined> {
  const { TOKEN_ISSUER, TOKEN_AUDIENCE } = environment();
  try {
    const { payload } = await jwtVerify(challenge, ({ kid }) => signingKeyOf(kid), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      requiredClaims: ["sub", "iat", "exp", "tv"],
    });
    const userId = readId(payload.sub);
    return userId && typeof payload.tv === "number" ? { userId, tokenVersion: payload.tv } : undefined;
  } catch (error) {
    // Any other error: the keys could not be fetched.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
