import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload } from "jose";
// @ts-expect-error The package has no types.
import { Provider } from "oidc-provider";
import { listen } from "../http/listen.ts";

// A provider that others have written: the npm package oidc-provider, on loopback. Its page asks a person for a name,
// and a fault changes what it answers.

/** Changes what the provider answers at its token endpoint or with its keys; undefined sends its answer. */
export type Fault = {
  idToken?: (claims: JWTPayload, header: object) => Promise<string> | string;
  /** Holds or ends an answer. */
  answer?: (path: string, response: ServerResponse) => boolean;
};

export type OidcServer = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The people, by the name that the page asks for. */
  people: Record<string, JWTPayload>;
  fault: Fault | undefined;
  privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  /** How often each path was called. */
  calls: Record<string, number>;
};

export type Options = { authentication?: "client_secret_basic" | "client_secret_post"; redirectUri?: string };

const CLIENT = { clientId: "feedback", clientSecret: "a secret: of the provider" };

/** Starts a provider until the test file ends. */
export async function startOidcServer({
  authentication = "client_secret_basic",
  redirectUri = "http://localhost:3000/sign-in/callback",
}: Options = {}): Promise<OidcServer> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const started: OidcServer = { issuer: "", ...CLIENT, people: {}, fault: undefined, privateKey, calls: {} };
  const server = createServer((request, response) => void serve(request, response));
  started.issuer = `http://127.0.0.1:${await listen(server)}`;
  const jwk = { ...(await exportJWK(privateKey)), kid: "one", alg: "RS256", use: "sig" };
  const provider = new Provider(started.issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: authentication,
      },
    ],
    clientAuthMethods: [authentication],
    jwks: { keys: [jwk] } as never,
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["a key for cookies"] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/who/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => Object.values(started.people).find(({ sub }) => sub === accountId),
    }),
  });
  provider.on("server_error", (_: unknown, error: Error) => console.error(error));
  const handle = provider.callback();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "", started.issuer).pathname;
    started.calls[path] = (started.calls[path] ?? 0) + 1;
    // No connection is left to the server of an earlier test.
    response.setHeader("connection", "close");
    if (started.fault?.answer?.(path, response)) return;
    if (path.startsWith("/who/")) return interact(request, response);
    if (path === "/token" && started.fault?.idToken) intercept(response, started.fault.idToken);
    await handle(request, response);
  }

  /** The page of the provider: a name signs in, an empty one says no. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
    if (request.method !== "POST" && prompt.name === "login") {
      const page = `<!doctype html><title>Provider</title><form method="post"><label>Person <input name="name"></label><button>Continue</button></form>`;
      return void response.setHeader("content-type", "text/html").end(page);
    }
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const accountId = started.people[form.get("name") ?? ""]?.sub ?? session?.accountId;
    if (!accountId) {
      const no = { error: "access_denied", error_description: "The person says no" };
      return provider.interactionFinished(request, response, no, { mergeWithLastSubmission: false });
    }
    const { Grant } = provider;
    const known = grantId ? await Grant.find(grantId) : undefined;
    const grant = known ?? new Grant({ accountId, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const result = { login: { accountId }, consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }

  return started;
}

/** Puts another ID token in the place of the provider's. */
function intercept(response: ServerResponse, change: NonNullable<Fault["idToken"]>): void {
  const end = response.end.bind(response);
  response.end = ((body: string | Buffer) => {
    void (async () => {
      const answer = JSON.parse(String(body));
      if (answer.id_token) {
        const [header = "", claims = ""] = answer.id_token.split(".");
        const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
        answer.id_token = await change(read(claims), read(header));
      }
      const text = JSON.stringify(answer);
      response.setHeader("content-length", Buffer.byteLength(text));
      end(text);
    })();
    return response;
  }) as typeof response.end;
}

/** Walks through the provider as a browser would; returns what the callback gets. `cookies` are the browser's. */
export async function walk(
  start: string,
  { name, cookies = new Map() }: { name: string; cookies?: Map<string, string> },
): Promise<URLSearchParams> {
  let url = start;
  let form: string | undefined;
  for (let step = 0; step < 12; step++) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { cookie, ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }) },
      ...(form !== undefined && { method: "POST", body: form }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(key, value);
    }
    const location = answer.headers.get("location");
    form = location ? undefined : new URLSearchParams({ name }).toString();
    if (!location && !(await answer.text()).includes("<form")) throw new Error(`the provider answers ${answer.status}`);
    url = location ? new URL(location, url).href : url;
    if (url.includes("/sign-in/callback")) return new URL(url).searchParams;
  }
  throw new Error("the provider leads nowhere");
}
