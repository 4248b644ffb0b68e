import { createHmac } from "node:crypto";
import * as site from "../../../lib/accounts/site.ts";
import * as sso from "../../../lib/accounts/sso.ts";

// Tokens as the server of a product signs them, with no library.

export function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

/** Two encoded parts with their signature by a secret. */
export function sealed(secret: string, parts: string): string {
  return `${parts}.${createHmac("sha256", secret).update(parts).digest("base64url")}`;
}

/** A token with this header and these claims, with a signature by a secret. */
export function signedBy(secret: string, claims: object, header: object = { alg: "HS256", typ: "JWT" }): string {
  return sealed(secret, `${encoded(header)}.${encoded(claims)}`);
}

const ADA = { id: "42", email: "ada@example.com", name: "Ada" };

/** Claims that are good now. */
export function claimsOf(person: object = {}, now = Date.now()) {
  const iat = Math.floor(now / 1000);
  return { ...ADA, iat, exp: iat + 300, ...person };
}

/** Makes the secret of a site that is set up; a second one replaces the first. */
export async function aSsoSecret(): Promise<string> {
  const secret = await sso.rotate((await site.find()) as site.Site);
  if (secret === "changed meanwhile") throw new Error(secret);
  return secret;
}
