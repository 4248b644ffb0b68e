import { createHash } from "node:crypto";
import { errors, type JWTPayload, jwtVerify } from "jose";
import * as z from "zod/mini";
import type { Once } from "../accounts/sso.ts";
import { environment } from "../runtime/environment.ts";

// Tokens that the server of the owner's product signs, with a secret that this service has made: docs/sign-in.md

const ALGORITHM = "HS256";

/** Both times of a token lie this close to now, in seconds. */
const LONGEST_SECONDS = 600;

/** How far the clock of the other server may be ahead or behind. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** All that a header needs. Anything else would change what the token means. */
const HEADER_FIELDS = ["alg", "typ", "kid"];

/** The issuer of all identities that come by these tokens: no provider has it, because it is not a url. */
export const SSO_ISSUER = "sso";

/** What a token says of a person; `email` and `name` as the other server writes them. */
type SsoPerson = { subject: string; email: unknown; emailVerified: boolean; name: unknown };

/** A token that signs nobody in. The message says why, for the log. */
export class SsoFault extends Error {
  override readonly name = "SsoFault";
}

const Claims = z.object({
  id: z.string().check(
    z.maxLength(255),
    z.regex(/\S/),
    z.refine((id) => id.isWellFormed()),
  ),
  iat: z.number(),
  exp: z.number(),
  iss: z.optional(z.string().check(z.refine(isOurs))),
  aud: z.optional(z.string().check(z.refine(isOurs))),
  email: z.unknown(),
  email_verified: z.optional(z.unknown()),
  name: z.optional(z.unknown()),
});

/** Whether an issuer or an audience, which a token need not have, is this site. */
function isOurs(url: string): boolean {
  return url === environment().SITE_URL;
}

/** Verifies a token by the secrets of the site. Throws SsoFault. */
export async function verify(token: string, secrets: string[]): Promise<{ person: SsoPerson; once: Once }> {
  const parsed = Claims.safeParse(await payloadOf(token, secrets));
  if (!parsed.success) throw new SsoFault(String(parsed.error.issues[0]?.path[0]));
  const { id, iat, exp, email, email_verified, name } = parsed.data;
  if (exp - iat > LONGEST_SECONDS) throw new SsoFault("exp");
  // Who signs addresses that nobody has checked says so.
  const person = { subject: id, email, emailVerified: email_verified !== false, name };
  return { person, once: { hash: hashOf(token), endsAt: Math.ceil(exp) + 2 * CLOCK_TOLERANCE_SECONDS } };
}

/** Of what is signed: anybody can write the signature of a token in other ways, and a second use must be known. */
function hashOf(token: string): string {
  return createHash("sha256")
    .update(token.slice(0, token.lastIndexOf(".")))
    .digest("hex");
}

async function payloadOf(token: string, secrets: string[]): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await byOneOf(secrets, token);
    const { typ = "JWT" } = protectedHeader;
    const unknown = Object.keys(protectedHeader).find((name) => !HEADER_FIELDS.includes(name));
    if (unknown !== undefined) throw new SsoFault(unknown);
    if (typ !== "JWT") throw new SsoFault("typ");
    return payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error;
    throw new SsoFault(faultIn(error));
  }
}

/** The claim that is wrong, or jose's code. */
function faultIn(error: Error & { claim?: string; code?: string }): string {
  return error.claim ?? error.code ?? "not a token";
}

/** Verifies by the first secret that fits. */
async function byOneOf([secret, ...others]: string[], token: string): ReturnType<typeof jwtVerify> {
  const options = {
    algorithms: [ALGORITHM],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: LONGEST_SECONDS,
    requiredClaims: ["id", "email", "exp"],
  };
  try {
    return await jwtVerify(token, new TextEncoder().encode(secret), options);
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || others.length === 0) throw error;
    return byOneOf(others, token);
  }
}
