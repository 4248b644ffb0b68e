import { answer } from "./api.ts";
import { define, useRead } from "./data.ts";
import { ofTab } from "./store.ts";

// Signing in by a provider. The tab keeps what belongs to an attempt, by its state: two attempts do not meet, and an
// answer that another browser has asked for finds none.

const ways = define("ways", async (api) => answer(api.GET("/auth/providers")));

/** The providers that people can sign in by, where they lead back to, and whether the owner's product signs in. */
export function useWays() {
  return useRead(ways()).data ?? { providers: [], callbackUrl: "", sso: false };
}

/** Where the page of the owner finds the result of a test. */
export const TEST_RESULT = "provider test";

/** What a provider is asked for: a session, a link to the account, or a test by the owner. */
export type Purpose = "sign-in" | "link" | "test";

export type Attempt = {
  purpose: Purpose;
  providerId: string;
  name: string;
  issuer: string;
  codeVerifier: string;
  nonce: string;
  redirectUri: string;
  /** Where the person goes afterwards. */
  next: string | undefined;
};

type Provider = {
  id: string;
  name: string;
  issuer: string;
  authorizationUrl: string;
  clientId: string;
  scopes: string[];
};

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "");
}

function newSecret(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Leads to a provider: the same request for every purpose. */
export async function leaveFor(
  provider: Provider,
  { purpose, callbackUrl, next }: { purpose: Purpose; callbackUrl: string; next?: string | undefined },
): Promise<void> {
  const codeVerifier = newSecret();
  const nonce = newSecret();
  const state = newSecret();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  const { id: providerId, name, issuer, authorizationUrl, clientId, scopes } = provider;
  const attempt: Attempt = { purpose, providerId, name, issuer, codeVerifier, nonce, redirectUri: callbackUrl, next };
  ofTab.set(`attempt ${state}`, JSON.stringify(attempt));
  const url = new URL(authorizationUrl);
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: callbackUrl,
    scope: scopes.join(" "),
    state,
    nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  location.assign(url.href);
}

/** Takes the attempt of a state; undefined if this tab has none, or has taken it before. */
export function takeAttempt(state: string): Attempt | undefined {
  const kept = ofTab.get(`attempt ${state}`);
  ofTab.remove(`attempt ${state}`);
  return kept === undefined ? undefined : JSON.parse(kept);
}
