import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { CLIENT_ID } from "./forget.ts";

// A sign-in provider for development: people are who they say they are. It listens on this machine alone, and nothing
// of it is deployed.

export const CLIENT = { clientId: CLIENT_ID, clientSecret: "no secret: this machine alone" };

/** What a page has asked for, which belongs to a code. */
type Asked = { email: string; name: string; nonce: string; challenge: string; redirectUri: string };

type Provider = { issuer: string; callbackUrl: string };

/** Serves the provider on a port of this machine until `close`. Throws if the port is taken. */
export async function serveProvider(port: number, callbackUrl: string): Promise<{ issuer: string; close: () => void }> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: "local", alg: "ES256", use: "sig" };
  const codes = new Map<string, Asked>();
  const provider = { issuer: "", callbackUrl };
  const server = createServer(async (request, response) => {
    const address = URL.parse(request.url ?? "/", provider.issuer);
    if (!address) return json(response, 400, { error: "invalid_request" });
    const { pathname, searchParams } = address;
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    if (pathname === "/.well-known/openid-configuration") return json(response, 200, discoveryOf(provider));
    if (pathname === "/keys") return json(response, 200, { keys: [key] });
    if (pathname === "/token") return sendTokens(request, response, form);
    if (pathname === "/authorize") return authorize(request, response, searchParams, form);
    json(response, 404, { error: "not_found" });
  });

  function authorize(
    { method }: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
    form: URLSearchParams,
  ): void {
    const isOurs = query.get("client_id") === CLIENT.clientId && query.get("redirect_uri") === provider.callbackUrl;
    if (!isOurs) json(response, 400, { error: "invalid_request" });
    else if (method === "POST") enter(response, query, form);
    else response.setHeader("content-type", "text/html").end(PAGE);
  }

  /** Leads back with a code for who has typed an address. */
  function enter(response: ServerResponse, query: URLSearchParams, form: URLSearchParams): void {
    const code = randomBytes(16).toString("base64url");
    const email = form.get("email") ?? "";
    const outcome = email === "" ? { error: "access_denied" } : { code };
    codes.set(code, {
      email,
      name: form.get("name") ?? "",
      nonce: query.get("nonce") ?? "",
      challenge: query.get("code_challenge") ?? "",
      redirectUri: provider.callbackUrl,
    });
    const answer = new URLSearchParams({ state: query.get("state") ?? "", iss: provider.issuer, ...outcome });
    response.writeHead(303, { location: `${provider.callbackUrl}?${answer}` }).end();
  }

  async function sendTokens(request: IncomingMessage, response: ServerResponse, form: URLSearchParams): Promise<void> {
    if (request.headers.authorization !== BASIC) return json(response, 401, { error: "invalid_client" });
    const code = form.get("code") ?? "";
    const asked = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isSame = asked?.challenge === challenge && asked.redirectUri === form.get("redirect_uri");
    if (!asked || !isSame) return json(response, 400, { error: "invalid_grant" });
    const { email, name, nonce } = asked;
    const idToken = await new SignJWT({ email, email_verified: true, nonce, ...(name && { name }) })
      .setProtectedHeader({ alg: "ES256", kid: "local" })
      .setIssuer(provider.issuer)
      .setAudience(CLIENT.clientId)
      .setSubject(email.toLowerCase())
      .setIssuedAt()
      .setExpirationTime("5 minutes")
      .sign(privateKey);
    json(response, 200, { id_token: idToken, token_type: "Bearer" });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  provider.issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`;
  return { issuer: provider.issuer, close: () => void server.close(() => {}).closeAllConnections() };
}

// RFC 6749, section 2.3.1: id and secret are encoded as in a form first.
const BASIC = `Basic ${Buffer.from(
  Object.values(CLIENT)
    .map((each) => new URLSearchParams({ "": each }).toString().slice(1))
    .join(":"),
).toString("base64")}`;

const PAGE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Local sign-in provider</title>
<h1>Local sign-in provider</h1>
<p>For development: whoever you say you are, you are. Without an address it says no.</p>
<form method="post">
<p><label>Email <input name="email" type="email" autofocus></label></p>
<p><label>Name <input name="name"></label></p>
<p><button>Continue</button></p>
</form>`;

function discoveryOf({ issuer }: Provider): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
    code_challenge_methods_supported: ["S256"],
  };
}

function json(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
}
