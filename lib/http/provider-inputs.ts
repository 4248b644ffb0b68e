import * as z from "zod/mini";
import { mayCall } from "../outgoing/urls.ts";
import { callbackUrl } from "../providers/callback.ts";
import type { Return } from "../providers/oidc.ts";
import { mapped, optional, refuse } from "./inputs.ts";
import { Line, WebAddress } from "./text-inputs.ts";

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return mayCall(text) && url?.search === "" && url.hash === "";
}

/** An issuer of OpenID Connect, letter by letter as the provider writes it. */
export const Issuer = mapped(WebAddress, (url, context) =>
  isIssuer(url) ? url : refuse(context, "Must be callable", { code: "ISSUER_REFUSED" }),
).check(z.meta({ minLength: 9 }));

/** A word of RFC 6749, of which scopes are, and names of claims. */
const Word = z
  .string()
  .check(z.regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/, "Must be a word of visible ASCII characters"));

/** The scopes that a sign-in asks for: `openid` is always among them. */
export const Scopes = mapped(z.array(Word).check(z.minLength(1), z.maxLength(10)), (scopes) => [
  ...new Set(["openid", ...scopes]),
]);

export const defaultScopes = ["openid", "email", "profile"];

/** The names of claims in the ID token. */
export const ClaimNames = z.object({ email: Word, emailVerified: Word, name: Word });

export const defaultClaims = { email: "email", emailVerified: "email_verified", name: "name" };

export const ClientId = Line(300);
export const ClientSecret = Line(500);
export const ProviderName = Line(40);

/** RFC 7636, section 4.1. */
const CodeVerifier = z.string().check(z.regex(/^[A-Za-z0-9._~-]{43,128}$/, "Must be a code verifier of PKCE"));

const RedirectUri = z.string().check(z.refine((url) => url === callbackUrl(), "Must be the site's /sign-in/callback"));

function visible(min: number, max: number) {
  return z.string().check(z.regex(new RegExp(`^[\\x21-\\x7E]{${min},${max}}$`), "Must be visible ASCII characters"));
}

/** A token of the owner's product. What is longer than any token that has what it needs is not verified. */
export const SsoToken = visible(1, 4096);

/** What the page brings back from a provider. */
export const Returned = z.object({
  /** The `code` of the answer. */
  code: visible(1, 4000),
  codeVerifier: CodeVerifier,
  redirectUri: RedirectUri,
  nonce: visible(16, 200),
  /** The `iss` of the answer, if it has one (RFC 9207). */
  iss: optional(visible(1, 2000)),
}) satisfies z.ZodMiniType<Return>;
