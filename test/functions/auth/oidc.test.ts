import { createHash, createPublicKey, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as site from "../../../lib/accounts/site.ts";
import type * as providers from "../../../lib/providers/providers.ts";
import { atOnce, invoke, type Reply, type Request, refusal, success, tally } from "../../support/http/invoke.ts";
import { losePatience, takePatience } from "../../support/patience.ts";
import * as portal from "../../support/portal.ts";
import { type OidcServer, type Options, startOidcServer, walk } from "../../support/process/oidc-server.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { aMember, anAccount, aProvider, aReader, aUser, type Person } from "../../support/world/fixtures.ts";
import { sendLetters } from "../../support/world/letters.ts";

// Sign-ins by a provider that others have written, from the first request of the page to the session.

const CALLBACK = "http://localhost:3000/sign-in/callback";
const ADA = { sub: "248289761001", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" };

let server: OidcServer;
let provider: providers.ProviderRecord;

async function begin(options?: Options): Promise<void> {
  server = await startOidcServer(options);
}

beforeAll(() => begin());

beforeEach(async () => {
  await freshTable();
  server.fault = undefined;
  server.people = { ada: ADA };
  provider = await register();
});

afterEach(() => vi.useRealTimers());

async function register(fields: Partial<providers.ProviderRecord> = {}): Promise<providers.ProviderRecord> {
  const { issuer } = server;
  const endpoints = {
    authorizationUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    keysUrl: `${issuer}/jwks`,
    authentication: "client_secret_basic" as const,
  };
  return aProvider(server, { endpoints, ...fields });
}

/** An attempt to sign in, as the page makes it. */
function anAttempt({ clientId, scopes, endpoints }: providers.ProviderRecord, more: Record<string, string> = {}) {
  const codeVerifier = randomBytes(32).toString("base64url");
  const nonce = randomBytes(16).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    scope: scopes.join(" "),
    state,
    nonce,
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  });
  return { codeVerifier, nonce, state, url: `${endpoints?.authorizationUrl}?${query}` };
}

type Walked = { name?: string; cookies?: Map<string, string>; more?: Record<string, string> };

/** Goes through the provider. Returns what the page sends to the service. */
async function returned({ name = "ada", cookies = new Map(), more }: Walked = {}) {
  const { codeVerifier, nonce, state, url } = anAttempt(provider, more);
  const answer = await walk(url, { name, cookies });
  expect(answer.get("state")).toBe(state);
  expect(answer.get("error")).toBeNull();
  return {
    code: String(answer.get("code")),
    iss: String(answer.get("iss")),
    codeVerifier,
    nonce,
    redirectUri: CALLBACK,
  };
}

type Returned = Awaited<ReturnType<typeof returned>>;

function send(body: object, more: Request = {}): Promise<Reply> {
  return invoke("auth-oidc", { params: { providerId: provider.providerId }, body, ...more });
}

async function signIn(walked?: Walked) {
  return success(await send(await returned(walked)), 200).user;
}

describe("POST /auth/oidc/{providerId}", () => {
  it("signs in, and makes an account with a confirmed address at the first sign-in", async () => {
    const user = await signIn();
    expect(user).toMatchObject({ email: ADA.email, name: ADA.name });
    expect(success(await portal.profile({ token: user.authToken }), 200).user.isVerified).toBe(true);
    expect((await signIn()).userId).toBe(user.userId);
    await expectSound();
  });

  it("gives an account the language of the page where it signs in first", async () => {
    const inLanguage = async (language: string) => {
      const headers = { "accept-language": language };
      const { user } = success(await send(await returned(), { headers }), 200);
      return success(await portal.profile({ token: user.authToken }), 200).user.language;
    };
    expect(await inLanguage("ja")).toBe("ja");
    expect(await inLanguage("de")).toBe("ja");
  });

  it.each([{ prompt: "login" }, { prompt: "consent" }, {}])("takes a sign-in with the request %j", async (more) => {
    const cookies = new Map<string, string>();
    const { userId } = await signIn({ cookies });
    // The second time the provider knows its session.
    expect((await signIn({ cookies, more })).userId).toBe(userId);
  });

  it.each([
    { email: "ada@example.com" },
    { email: "ada@example.com", email_verified: false },
    { email: "ada@example.com", email_verified: "true" },
    { email: "not an address", email_verified: true },
    { email_verified: true },
    {},
  ])("makes an account without an address from %j", async (claims) => {
    server.people.ada = { sub: "1", ...claims } as JWTPayload;
    const user = await signIn();
    expect(user.email).toMatch(/@no-address\.invalid$/);
    expect(success(await portal.profile({ token: user.authToken }), 200).user.isVerified).toBe(false);
    expect((await signIn()).userId).toBe(user.userId);
  });

  it("reads the claims that the owner names, and Microsoft's own as a number too", async () => {
    const claims = { email: "upn", emailVerified: "xms_edov", name: "nickname" };
    const own = { upn: "grace@example.com", xms_edov: 1, nickname: "Grace" };
    server.fault = { idToken: (payload) => signed({ ...payload, ...own }) };
    provider = await register({ claims });
    expect(await signIn()).toMatchObject({ email: "grace@example.com", name: "Grace" });
  });

  it("shortens a name that is too long, and leaves out one that is not good", async () => {
    server.people = { long: { sub: "1", name: "x".repeat(80) }, bad: { sub: "2", name: "\u0000" } };
    expect((await signIn({ name: "long" })).name).toBe("x".repeat(60));
    expect((await signIn({ name: "bad" })).name).toBe("New member");
  });

  it("does not take an address for a name", async () => {
    const ada = { sub: "1", email: "ada@example.com", email_verified: true };
    server.people = {
      nameless: ada,
      addressed: { ...ada, sub: "2", email: "bea@example.com", name: "Bea@Example.com" },
    };
    expect((await signIn({ name: "nameless" })).name).toBe("New member");
    const { name, username } = await signIn({ name: "addressed" });
    expect(name).toBe("New member");
    expect(username).toMatch(/^user_/);
  });

  it("makes one session of a code, and one account if two sign in in parallel", async () => {
    const first = await returned();
    const second = await returned();
    const replies = await atOnce(2, (n) => send(n === 0 ? first : second));
    expect(tally(replies)).toEqual({ 200: 2 });
    expect(new Set(replies.map(({ body }) => body.user.userId)).size).toBe(1);
    refusal(await send(first), "PROVIDER_REFUSED");
    await expectSound();
  });

  it("makes one call to the provider once its keys are known", async () => {
    await signIn();
    const before = { ...server.calls };
    await signIn();
    expect(server.calls["/token"]).toBe((before["/token"] ?? 0) + 1);
    expect(server.calls["/jwks"]).toBe(before["/jwks"]);
  });

  it("refuses a provider that is unknown, disabled or was not tested", async () => {
    const body = await returned();
    for (const fields of [{ enabled: false }, { testedAt: undefined }]) {
      provider = await register(fields as Partial<providers.ProviderRecord>);
      refusal(await send(body), "PROVIDER_NOT_FOUND");
    }
    refusal(await send(body, { params: { providerId: "nothing" } }), "PROVIDER_NOT_FOUND");
  });

  it("takes one redirect URI, letter by letter", async () => {
    const body = await returned();
    for (const redirectUri of [
      `${CALLBACK}/`,
      `${CALLBACK}?a`,
      CALLBACK.replace("http", "https"),
      "http://evil.example",
    ])
      refusal(await send({ ...body, redirectUri }), "VALIDATION_ERROR", "body.redirectUri");
    success(await send(body), 200);
  });

  it("leads to no session of the team, unless the provider is good for it", async () => {
    const moderator = await aUser("moderator");
    provider = await register({ staff: true });
    const link = { token: moderator.token, params: { providerId: provider.providerId }, body: await returned() };
    success(await invoke("auth-oidc-link", link), 200);
    expect((await signIn()).userId).toBe(moderator.userId);
    provider = await register();
    refusal(await send(await returned()), "STAFF_NOT_ALLOWED");
  });

  it("asks for a second factor, unless a provider for the team has asked for one", async () => {
    const { user } = success(await portal.setUp({ email: "owner@example.com", password: "correct horse" }), 201);
    provider = await register({ staff: true });
    const link = { token: user.authToken, params: { providerId: provider.providerId }, body: await returned() };
    success(await invoke("auth-oidc-link", link), 200);
    await site.change((await site.find()) as site.Site, { requireTwoFactor: true });
    expect((await send(await returned())).body.code).toBe("TWO_FACTOR_NEEDED");
    server.fault = { idToken: (claims) => signed({ ...claims, amr: ["pwd", "mfa"] }) };
    expect((await signIn()).userId).toBe(user.userId);
  });

  it("needs a session to link a confirmed account", async () => {
    const reader = await aReader();
    server.people.ada = { ...ADA, email: reader.email };
    refusal(await send(await returned()), "SIGN_IN_TO_LINK");
  });

  it("takes an account that was never confirmed, with all that a stranger had of it", async () => {
    const stranger = await anAccount("correct horse");
    server.people.ada = { ...ADA, email: stranger.email };
    expect((await signIn()).userId).toBe(stranger.userId);
    refusal(await portal.profile(stranger), "INVALID_TOKEN");
    refusal(await portal.logIn(stranger.email, "correct horse"), "INCORRECT_PASSWORD");
  });
});

describe("A provider that takes id and secret in the body", () => {
  it("gets them there", async () => {
    const usual = server;
    await begin({ authentication: "client_secret_post" });
    try {
      server.people = { ada: ADA };
      const endpoints = { authorizationUrl: `${server.issuer}/auth`, tokenUrl: `${server.issuer}/token` };
      const keysUrl = `${server.issuer}/jwks`;
      provider = await register({ endpoints: { ...endpoints, keysUrl, authentication: "client_secret_post" } });
      expect((await signIn()).email).toBe(ADA.email);
    } finally {
      server = usual;
    }
  });
});

/** An ID token of the provider with other claims, or with another header or key. */
function signed(claims: JWTPayload, header: object = {}, key: Parameters<SignJWT["sign"]>[0] = server.privateKey) {
  return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "one", ...header }).sign(key);
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

/** The public key of the provider, as a text that a signature by a secret could use. */
async function publicPem(): Promise<Uint8Array> {
  const { n, e, kty } = await exportJWK(server.privateKey);
  const key = createPublicKey({ key: { n, e, kty } as never, format: "jwk" });
  return new TextEncoder().encode(key.export({ type: "spki", format: "pem" }) as string);
}

const now = () => Math.floor(Date.now() / 1000);

const wrongTokens: Record<string, (claims: JWTPayload) => Promise<string> | string> = {
  "another audience": (claims) => signed({ ...claims, aud: "another" }),
  "a further audience": (claims) => signed({ ...claims, aud: ["feedback", "another"], azp: "feedback" }),
  "another party": (claims) => signed({ ...claims, azp: "another" }),
  "another issuer": (claims) => signed({ ...claims, iss: "https://evil.example" }),
  "the issuer with a slash": (claims) => signed({ ...claims, iss: `${claims.iss}/` }),
  "another nonce": (claims) => signed({ ...claims, nonce: "another nonce of some length" }),
  "a missing nonce": ({ nonce: _, ...claims }) => signed(claims),
  "a missing subject": ({ sub: _, ...claims }) => signed(claims),
  "an empty subject": (claims) => signed({ ...claims, sub: "" }),
  "the algorithm none": (claims) => `${encoded({ alg: "none" })}.${encoded(claims)}.`,
  "HS256 with the public key": async (claims) => signed(claims, { alg: "HS256" }, await publicPem()),
  "HS256 with the client secret": (claims) =>
    signed(claims, { alg: "HS256" }, new TextEncoder().encode(server.clientSecret.padEnd(32))),
  "an end in the past": (claims) => signed({ ...claims, iat: now() - 500, exp: now() - 120 }),
  "a missing end": ({ exp: _, ...claims }) => signed(claims),
  "an issue in the future": (claims) => signed({ ...claims, iat: now() + 3600, exp: now() + 7200 }),
  "an issue long ago": (claims) => signed({ ...claims, iat: now() - 3600, exp: now() + 3600 }),
  "an unknown key": (claims) => signed(claims, { kid: "another" }),
  "a signature by another key": async (claims) => signed(claims, {}, (await generateKeyPair("RS256")).privateKey),
  "no form": () => "not a token",
  "our own bearer": () => bearer,
};

let bearer = "";

describe("An ID token", () => {
  it.each(Object.keys(wrongTokens))("leads to no session if it has %s", async (name) => {
    bearer = (await aMember()).token;
    server.fault = { idToken: wrongTokens[name] as NonNullable<OidcServer["fault"]>["idToken"] & {} };
    refusal(await send(await returned()), "PROVIDER_REFUSED");
    server.fault = undefined;
    success(await send(await returned()), 200);
  });

  it("leads to no session with the nonce, verifier or issuer of another attempt", async () => {
    for (const field of ["nonce", "codeVerifier", "iss"] as const) {
      const own = await returned();
      const other: Returned = { ...(await returned()), iss: "https://other.example" };
      refusal(await send({ ...own, [field]: other[field] }), "PROVIDER_REFUSED");
    }
  });

  it("makes the provider's keys be read once a minute at most, however many have an unknown key", async () => {
    newContainer();
    await signIn();
    const read = () => server.calls["/jwks"] ?? 0;
    const before = read();
    server.fault = { idToken: (claims) => signed(claims, { kid: "another" }) };
    const later = Date.now() + 61_000;
    vi.useFakeTimers({ toFake: ["Date"], now: later });
    const bodies: Returned[] = [];
    for (let n = 0; n < 8; n++) bodies.push(await returned());
    const replies = await atOnce(8, (n) => send(bodies[n] as object));
    expect(tally(replies)).toEqual({ "401 PROVIDER_REFUSED": 8 });
    expect(read()).toBe(before + 1);
  });
});

describe("A provider that does not answer", () => {
  const silent = (path: string) => (at: string) => at === path;
  const broken = (path: string) => (at: string, response: ServerResponse) =>
    at === path && Boolean(response.writeHead(502).end("<html>"));

  async function expectUnavailable(body: object): Promise<void> {
    const { status, headers } = await send(body);
    expect(status).toBe(503);
    expect(headers["retry-after"]).toBe("1");
  }

  it.each(["/token", "/jwks"])("is a 503 after five seconds of silence at %s, and sessions stay", async (path) => {
    losePatience();
    try {
      newContainer();
      const body = await returned();
      const { token } = await aMember();
      server.fault = { answer: silent(path) };
      const started = Date.now();
      const waiting = expectUnavailable(body);
      success(await portal.profile({ token }), 200);
      await waiting;
      expect(Date.now() - started).toBeGreaterThan(4900);
    } finally {
      takePatience();
    }
  });

  it.each(["/token", "/jwks"])("is a 503 if %s is broken, until it works again", async (path) => {
    newContainer();
    server.fault = { answer: broken(path) };
    await expectUnavailable(await returned());
    server.fault = undefined;
    success(await send(await returned()), 200);
  });

  it("is a 503 if nothing listens", async () => {
    const body = await returned();
    const { endpoints } = provider;
    const nobody = { tokenUrl: "http://127.0.0.1:1/token" };
    provider = await register({ endpoints: { ...(endpoints as providers.Endpoints), ...nobody } });
    await expectUnavailable(body);
  });

  it("confirms nothing if its token is not JSON, or longer than a token is", async () => {
    for (const text of ["<html>", "{}", `{"id_token":7}`]) {
      server.fault = { answer: (at, response) => at === "/token" && Boolean(response.end(text)) };
      refusal(await send(await returned()), "PROVIDER_REFUSED");
    }
    server.fault = { answer: (at, response) => at === "/token" && Boolean(response.end("x".repeat(200_000))) };
    await expectUnavailable(await returned());
  });

  it("is not followed to another place", async () => {
    const moved = (response: ServerResponse) => response.writeHead(302, { location: `${server.issuer}/jwks` }).end();
    server.fault = { answer: (at, response) => at === "/token" && Boolean(moved(response)) };
    const before = server.calls["/jwks"];
    refusal(await send(await returned()), "PROVIDER_REFUSED");
    expect(server.calls["/jwks"]).toBe(before);
  });
});

describe("POST /auth/oidc/{providerId}/link", () => {
  async function link(person: Person, body: object) {
    return invoke("auth-oidc-link", { token: person.token, params: { providerId: provider.providerId }, body });
  }

  const linked = async ({ token }: Person) => success(await invoke("users-identities", { token }), 200).results;

  it("lets the identity sign in to the caller's account, which lists it", async () => {
    const reader = await aReader();
    success(await link(reader, await returned()), 200);
    expect((await signIn()).userId).toBe(reader.userId);
    const [identity] = await linked(reader);
    expect(identity).toMatchObject({ issuer: server.issuer, provider: provider.name });
    refusal(await link(await aMember(), await returned()), "IDENTITY_TAKEN");
    await expectSound();
  });

  it("is told by a mail to a confirmed address, and to no other", async () => {
    const reader = await aReader();
    success(await link(reader, await returned()), 200);
    server.people.ada = { sub: "2" };
    success(await link(await aMember(), await returned()), 200);
    const letters = await sendLetters();
    expect(letters.map(({ to }) => to)).toEqual([reader.email]);
    expect(letters[0]?.text).toContain(
      `a sign-in was linked to your account at http://localhost:3000: ${provider.name}.`,
    );
  });

  it("wants a young session and a provider that confirms the sign-in", async () => {
    const reader = await aReader();
    const body = await returned();
    refusal(await link(reader, { ...body, nonce: "another-nonce-of-some-length" }), "PROVIDER_REFUSED");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
    refusal(await link(reader, await returned()), "SIGN_IN_AGAIN");
  });

  it("is undone by the caller, as long as one way in stays", async () => {
    const reader = await aReader();
    const stranger = await aMember();
    const unlink = async (person: Person) => {
      const [{ identityId }] = await linked(person);
      return invoke("users-unlink", { token: person.token, params: { identityId } });
    };
    success(await link(reader, await returned()), 200);
    success(await unlink(reader), 204);
    expect(await linked(reader)).toEqual([]);
    const { authToken, userId } = await signIn({ name: "ada" });
    const own = { ...stranger, token: authToken, userId };
    // Its address is confirmed, so a mail leads in.
    success(await unlink(own), 204);
    server.people.ada = { sub: "7" };
    const nameless = { ...stranger, token: (await signIn()).authToken };
    refusal(await unlink(nameless), "LAST_WAY_IN");
    server.people.ada = { sub: "8" };
    success(await link(nameless, await returned()), 200);
    success(await unlink(nameless), 204);
    refusal(await unlink(nameless), "LAST_WAY_IN");
    await expectSound();
  });

  it("does not unlink what another account has", async () => {
    const reader = await aReader();
    success(await link(reader, await returned()), 200);
    const [{ identityId }] = await linked(reader);
    const { token } = await aReader();
    refusal(await invoke("users-unlink", { token, params: { identityId } }), "IDENTITY_NOT_FOUND");
  });
});
