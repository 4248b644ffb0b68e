import { createHash, generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, SignJWT } from "jose";
import { listen } from "../http/listen.ts";

// A provider of OpenID Connect on loopback, whose codes a test gives away without a page of its own. The npm package
// oidc-provider, with pages: oidc-server.ts.

/** The person that a code stands for, and the attempt that it belongs to. */
type Grant = { claims: Record<string, unknown>; nonce: string; codeVerifier: string };

export type TestProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The code of a sign-in by this person. */
  grant: (code: string, grant: Grant) => void;
};

const { privateKey, publicKey } = generateKeyPairSync("ed25519");

const CLIENT = { clientId: "feedback", clientSecret: "a secret of the provider" };

/** Starts a provider until the test file ends. */
export async function startProvider(): Promise<TestProvider> {
  const grants = new Map<string, Grant>();
  let issuer = "";
  const answer = (response: ServerResponse, status: number, json: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  const tokens = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const basic = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret.replaceAll(" ", "+")}`).toString("base64");
    if (request.headers.authorization !== `Basic ${basic}`) return answer(response, 401, { error: "invalid_client" });
    const grant = grants.get(form.get("code") ?? "");
    const isSame = grant?.codeVerifier === form.get("code_verifier");
    if (!grant || !isSame) return answer(response, 400, { error: "invalid_grant" });
    const idToken = await new SignJWT({ ...grant.claims, nonce: grant.nonce })
      .setProtectedHeader({ alg: "EdDSA", kid: "one" })
      .setIssuer(issuer)
      .setAudience(CLIENT.clientId)
      .setIssuedAt(Math.floor(Date.now() / 1000))
      .setExpirationTime(Math.floor(Date.now() / 1000) + 300)
      .sign(privateKey);
    return answer(response, 200, { id_token: idToken, token_type: "Bearer" });
  };
  const server = createServer(async (request, response) => {
    if (request.url === "/token") return void (await tokens(request, response));
    if (request.url === "/keys") {
      const key = { ...(await exportJWK(publicKey)), kid: "one", alg: "EdDSA", use: "sig" };
      return void answer(response, 200, { keys: [key] });
    }
    answer(response, 200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    });
  });
  issuer = `http://127.0.0.1:${await listen(server)}`;
  return { issuer, ...CLIENT, grant: (code, grant) => void grants.set(code, grant) };
}

/** What a page brings back from an attempt at a provider. */
export function anAttempt(name: string) {
  const nonce = createHash("sha256").update(name).digest("base64url");
  return {
    code: `code-of-${name}`,
    codeVerifier: nonce.replaceAll("-", "x").padEnd(43, "x"),
    redirectUri: "http://localhost:3000/sign-in/callback",
    nonce,
  };
}
