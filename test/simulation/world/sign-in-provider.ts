import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { Scheduler } from "../../simulator/scheduler/scheduler.ts";
import type { Network, WireAnswer } from "../../simulator/scheduler/wire.ts";

// A provider that people sign in by, in the network of the service. A code is the person whom it stands for.

const ISSUER = "https://id.provider.example";
const CLIENT_ID = "simulated";

// Always the same, so that a run repeats.
const KEY = {
  kty: "OKP",
  crv: "Ed25519",
  d: "Dkhe5JK3rGoMQrRah2HuL93btU31oorBXG7gNWdDoYU",
  x: "FRWk10rO0ASZBMH2xw8jWhxS9g_3MK3bYE_pY5cGcUw",
};
const privateKey = createPrivateKey({ key: KEY, format: "jwk" });
const publicJwk = createPublicKey({ key: KEY, format: "jwk" }).export({ format: "jwk" });

const ANSWER_MS = 50;

const NONCE = "a-nonce-of-the-simulation";

export const PROVIDER = { name: "Simulated", issuer: ISSUER, clientId: CLIENT_ID, clientSecret: "a simulated secret" };

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

/** Who signs in at the provider: with a confirmed address, unless it is said. */
type Person = { sub: string; email?: string | undefined; email_verified?: boolean; name?: string };

/** What the page sends of a person whom the provider has signed in. */
export function returnedFor(person: Person) {
  return {
    code: encoded({ email_verified: true, ...person }),
    codeVerifier: "v".repeat(43),
    redirectUri: "http://localhost:3000/sign-in/callback",
    nonce: NONCE,
  };
}

function idTokenOf(body: string, now: number): string {
  const code = new URLSearchParams(body).get("code") ?? "";
  const iat = Math.floor(now / 1000);
  const person = JSON.parse(Buffer.from(code, "base64url").toString());
  const claims = { ...person, iss: ISSUER, aud: CLIENT_ID, nonce: NONCE, iat, exp: iat + 600 };
  const signed = `${encoded({ alg: "EdDSA", kid: "one" })}.${encoded(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
}

function answerOf(host: string, body: string, now: number): object {
  if (host.startsWith("token.")) return { id_token: idTokenOf(body, now), token_type: "Bearer" };
  if (host.startsWith("keys.")) return { keys: [{ ...publicJwk, kid: "one", alg: "EdDSA", use: "sig" }] };
  return {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: "https://token.provider.example/",
    jwks_uri: "https://keys.provider.example/",
  };
}

/** The network with the provider in it. */
export function withProvider(network: Network, scheduler: Scheduler): Network {
  return {
    receive: (request, connection) => {
      const { host, body } = request;
      if (!host.endsWith(".provider.example")) return network.receive(request, connection);
      const text = JSON.stringify(answerOf(host, body, scheduler.now));
      const answer: WireAnswer = { status: 200, headers: {}, body: text };
      scheduler.after(ANSWER_MS, () => connection.answer(answer));
    },
  };
}
