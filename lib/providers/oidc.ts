import { errors, jwtVerify } from "jose";
import * as z from "zod/mini";
import { mayCall } from "../outgoing/urls.ts";
import { ask, deadline } from "./calls.ts";
import { Fault } from "./faults.ts";
import { keysAt } from "./keys.ts";
import type { Endpoints, ProviderWithSecret } from "./providers.ts";

// A sign-in by OpenID Connect: the code flow with PKCE. docs/sign-in.md#by-a-provider

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string().check(z.refine(mayCall)),
  token_endpoint: z.string().check(z.refine(mayCall)),
  jwks_uri: z.string().check(z.refine(mayCall)),
  // The default of the specification.
  token_endpoint_auth_methods_supported: z._default(z.array(z.string()), ["client_secret_basic"]),
});

/**
 * Reads where a provider is reached. The document has to be of this issuer, letter by letter, and its urls of the kind
 * that may be called. Throws Fault or ProviderDown.
 */
export async function discover(issuer: string): Promise<Endpoints> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { status, json } = await ask({ url, until: deadline() });
  const found = Discovery.safeParse(json);
  if (status !== 200 || !found.success) throw new Fault("NOT_A_PROVIDER", detailOf(status, found.error));
  const { data } = found;
  if (data.issuer !== issuer) throw new Fault("OTHER_ISSUER", data.issuer.slice(0, 200));
  const methods = data.token_endpoint_auth_methods_supported;
  return {
    authorizationUrl: data.authorization_endpoint,
    tokenUrl: data.token_endpoint,
    keysUrl: data.jwks_uri,
    authentication: methods.includes("client_secret_basic") ? "client_secret_basic" : "client_secret_post",
  };
}

function detailOf(status: number, error: z.core.$ZodError | undefined): string {
  return status === 200 ? String(error?.issues[0]?.path.join(".") ?? "") : String(status);
}

/** What the page brings back from a provider. */
export type Return = {
  code: string;
  codeVerifier: string;
  redirectUri: string;
  nonce: string;
  /** The issuer that the answer names, if it names one (RFC 9207). */
  iss?: string | undefined;
};

/** What an ID token says of a person; `email` and `name` as the provider writes them. */
export type Person = {
  subject: string;
  email: unknown;
  emailVerified: boolean;
  name: unknown;
  /** Whether the provider has asked for a second factor: `mfa` in `amr` (RFC 8176). */
  hasSecondFactor: boolean;
};

const Tokens = z.object({ id_token: z.string() });
const Refused = z.object({ error: z.string() });

/** Exchanges a code and verifies the ID token. Throws Fault or ProviderDown. */
export async function identify(provider: ProviderWithSecret, brought: Return): Promise<Person> {
  const { endpoints, issuer, clientId } = provider;
  if (!endpoints) throw new Fault("NOT_A_PROVIDER", "not read yet");
  if (brought.iss !== undefined && brought.iss !== issuer) throw new Fault("OTHER_ISSUER", brought.iss.slice(0, 200));
  const until = deadline();
  const { status, json } = await ask({ url: endpoints.tokenUrl, until, ...tokenRequest(provider, endpoints, brought) });
  const tokens = Tokens.safeParse(json);
  if (status !== 200 || !tokens.success) throw refusalOf(status, json);
  const claims = await verified(tokens.data.id_token, { endpoints, issuer, clientId, until, nonce: brought.nonce });
  return personIn(claims, provider);
}

/** RFC 6749, section 2.3.1: id and secret are encoded as in a form, then as basic authentication. */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((each) => new URLSearchParams({ "": each }).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(":")).toString("base64")}`;
}

function tokenRequest(
  { clientId, clientSecret }: ProviderWithSecret,
  { authentication }: Endpoints,
  { code, codeVerifier, redirectUri }: Return,
) {
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  });
  if (authentication === "client_secret_basic")
    return { form, headers: { authorization: basic(clientId, clientSecret) } };
  form.set("client_id", clientId);
  form.set("client_secret", clientSecret);
  return { form };
}

function refusalOf(status: number, json: unknown): Fault {
  const { data } = Refused.safeParse(json);
  const detail = (data?.error ?? String(status)).slice(0, 100);
  return new Fault(status === 401 || detail === "invalid_client" ? "CLIENT_REFUSED" : "CODE_REFUSED", detail);
}

// Signatures by a key pair alone: a token that is signed by a secret, or by nothing, is refused.
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

const CLOCK_TOLERANCE_SECONDS = 60;

/** A code is exchanged as soon as it comes, so its ID token is young. */
const OLDEST_SECONDS = 600;

type Expected = { endpoints: Endpoints; issuer: string; clientId: string; until: number; nonce: string };

async function verified(
  idToken: string,
  { endpoints, issuer, clientId, until, nonce }: Expected,
): Promise<Record<string, unknown>> {
  const options = {
    algorithms: ALGORITHMS,
    issuer,
    audience: clientId,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: OLDEST_SECONDS,
    requiredClaims: ["sub", "iat", "exp"],
  };
  try {
    const { payload } = await jwtVerify(idToken, keysAt(endpoints.keysUrl, until), options);
    const { aud, azp, sub } = payload;
    // The token must be for us alone.
    if ([aud].flat().length !== 1 || (azp !== undefined && azp !== clientId))
      throw new Fault("ID_TOKEN_REFUSED", "aud");
    if (payload.nonce !== nonce) throw new Fault("ID_TOKEN_REFUSED", "nonce");
    if (typeof sub !== "string" || sub === "" || sub.length > 255) throw new Fault("ID_TOKEN_REFUSED", "sub");
    return payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error;
    throw new Fault("ID_TOKEN_REFUSED", faultIn(error));
  }
}

/** The claim that is wrong, or jose's code. */
function faultIn(error: Error & { claim?: string; code?: string }): string {
  return error.claim ?? error.code ?? "not a token";
}

/** Microsoft's claim for "the domain is its tenant's", which is also sent as a number. */
const OF_MICROSOFT = "xms_edov";

function personIn(payload: Record<string, unknown>, { claims }: ProviderWithSecret): Person {
  const isVerified = payload[claims.emailVerified];
  const asNumber = claims.emailVerified === OF_MICROSOFT && (isVerified === 1 || isVerified === "1");
  return {
    subject: payload.sub as string,
    email: payload[claims.email],
    emailVerified: isVerified === true || asNumber,
    name: payload[claims.name],
    hasSecondFactor: Array.isArray(payload.amr) && payload.amr.includes("mfa"),
  };
}
