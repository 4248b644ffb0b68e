import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findingsIn, scan } from "../../../infra/operator/check-table/check.ts";
import * as providers from "../../../lib/providers/providers.ts";
import { atOnce, invoke, refusal, success, tally } from "../../support/http/invoke.ts";
import { type OidcServer, startOidcServer } from "../../support/process/oidc-server.ts";
import { anAttempt, startProvider, type TestProvider } from "../../support/process/provider.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { aProvider, aUser, type Person } from "../../support/world/fixtures.ts";

const SECRET = "a secret of the provider";

let owner: Person;
let there: TestProvider;

beforeEach(async () => {
  await freshTable();
  owner = await aUser("owner");
  there ??= await startProvider();
});

afterEach(() => vi.useRealTimers());

function body(more: object = {}) {
  return { name: "Example", issuer: there.issuer, clientId: "feedback", clientSecret: SECRET, ...more };
}

function create(more?: object) {
  return invoke("providers-create", { token: owner.token, body: body(more) });
}

async function made(more?: object) {
  return success(await create(more), 201).provider;
}

function update(providerId: string, change: object) {
  return invoke("providers-update", { token: owner.token, params: { providerId }, body: change });
}

function test(providerId: string, returned?: object) {
  return invoke("providers-test", { token: owner.token, params: { providerId }, body: { returned } });
}

/** Makes a test pass, in its two calls. */
async function pass(providerId: string, claims: object = { sub: "owner" }) {
  success(await test(providerId), 200);
  const attempt = anAttempt(providerId);
  there.grant(attempt.code, { ...attempt, claims: { ...claims } });
  return success(await test(providerId, attempt), 200);
}

const shown = async () => success(await invoke("auth-providers"), 200).providers;

describe("A sign-in provider", () => {
  it("is made with the usual scopes and claims, and is not live before a test", async () => {
    const provider = await made();
    expect(provider).toEqual({
      providerId: expect.any(String),
      name: "Example",
      issuer: there.issuer,
      clientId: "feedback",
      scopes: ["openid", "email", "profile"],
      claims: { email: "email", emailVerified: "email_verified", name: "name" },
      staff: false,
      enabled: true,
      live: false,
      testedAt: null,
      authorizationUrl: null,
      createdAt: expect.any(String),
    });
    expect(await shown()).toEqual([]);
    const listed = success(await invoke("providers-list", { token: owner.token }), 200);
    expect(listed).toEqual({ results: [provider], callbackUrl: "http://localhost:3000/sign-in/callback" });
    await expectSound();
  });

  it("is live after a test, and shown to everybody without what only the owner sees", async () => {
    const { providerId } = await made({ staff: true });
    const person = { sub: "owner", email: "Owner@Example.com", email_verified: true, name: "Olga" };
    const { provider, test } = await pass(providerId, person);
    expect(provider).toMatchObject({ live: true, authorizationUrl: `${there.issuer}/authorize` });
    expect(test).toEqual({
      stage: "sign-in",
      passed: true,
      reason: null,
      reasonCode: null,
      person: { subject: "owner", email: "owner@example.com", emailVerified: true, name: "Olga" },
    });
    expect(await shown()).toEqual([
      {
        id: providerId,
        name: "Example",
        issuer: there.issuer,
        authorizationUrl: `${there.issuer}/authorize`,
        clientId: "feedback",
        scopes: ["openid", "email", "profile"],
      },
    ]);
    // The test made no account.
    expect((await scan()).filter(({ sk }) => sk === "IDENTITY")).toEqual([]);
    await expectSound();
  });

  it.each([
    { issuer: "https://id.example" },
    { clientId: "another" },
    { clientSecret: "another" },
    { scopes: ["email"] },
  ])("has to be tested again after the change %j", async (change) => {
    const { providerId } = await made();
    await pass(providerId);
    const { provider } = success(await update(providerId, change), 200);
    expect(provider).toMatchObject({ live: false, testedAt: null });
    expect(await shown()).toEqual([]);
  });

  it("stays live under another name, and for the team, and is not shown while it is disabled", async () => {
    const { providerId } = await made();
    await pass(providerId);
    expect(success(await update(providerId, { name: "Work", staff: true }), 200).provider.live).toBe(true);
    expect(success(await update(providerId, { enabled: false }), 200).provider.live).toBe(false);
    expect(await shown()).toEqual([]);
    expect(success(await update(providerId, { enabled: true }), 200).provider.live).toBe(true);
    expect(success(await update(providerId, {}), 200).provider.name).toBe("Work");
  });

  it("never answers with its secret, and logs none", async () => {
    const { providerId } = await made();
    const answers = [
      await create(),
      await update(providerId, { clientSecret: SECRET }),
      await pass(providerId),
      await invoke("providers-list", { token: owner.token }),
      await invoke("auth-providers"),
    ];
    expect(JSON.stringify(answers.map((answer) => answer.body ?? answer))).not.toContain(SECRET);
  });

  it("always asks for the scope openid, once", async () => {
    expect((await made({ scopes: ["email", "openid", "email"] })).scopes).toEqual(["openid", "email"]);
  });

  it.each([
    "http://id.example",
    "https://127.0.0.2",
    "https://id.example/?a=b",
    "https://id.example/#a",
    "https://id.example:80",
    "ftp://id.example",
  ])("has no issuer like %s", async (issuer) => {
    const { status, body } = await create({ issuer });
    expect(status).toBe(400);
    expect(["ISSUER_REFUSED", "VALIDATION_ERROR"]).toContain(body.code);
  });

  it.each([{ scopes: ["a b"] }, { scopes: ['"'] }, { claims: { email: "a" } }, { name: "" }, { clientSecret: "" }])(
    "is not made of %j",
    async (more) => refusal(await create(more), "VALIDATION_ERROR"),
  );

  it("is made and changed in a young session, and disabled and deleted in any", async () => {
    const { providerId } = await made();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
    refusal(await create(), "SIGN_IN_AGAIN");
    refusal(await update(providerId, { name: "Another" }), "SIGN_IN_AGAIN");
    refusal(await update(providerId, { name: "Another", enabled: false }), "SIGN_IN_AGAIN");
    success(await update(providerId, { enabled: false }), 200);
    const params = { providerId };
    success(await invoke("providers-delete", { token: owner.token, params }), 204);
    refusal(await invoke("providers-delete", { token: owner.token, params }), "PROVIDER_NOT_FOUND");
    refusal(await test(providerId), "PROVIDER_NOT_FOUND");
    await expectSound();
  });

  it("is one of ten at most, however many are made in parallel", async () => {
    for (let n = 0; n < 8; n++) await made();
    expect(tally(await atOnce(4, () => create()))).toEqual({ 201: 2, "409 TOO_MANY_PROVIDERS": 2 });
    await expectSound();
  });

  it("is missed by the check of the table if its secret or its count is gone", async () => {
    await made();
    const items = await scan();
    for (const family of ["PROVIDER_SECRETS", "PROVIDERS"]) {
      const some = items.filter(({ pk, sk }) => pk !== family || (family === "PROVIDERS" && sk === "#COUNT"));
      expect(findingsIn(some)).not.toEqual([]);
    }
  });
});

describe("A test of a sign-in provider", () => {
  it.each([
    ["https://id.invalid", "HOST_UNKNOWN|CONNECTION_FAILED"],
    ["http://127.0.0.1:1", "CONNECTION_REFUSED"],
  ])("says why %s has no discovery document", async (issuer, reasonCode) => {
    const { providerId } = await made({ issuer });
    const { test: result, provider } = success(await test(providerId), 200);
    expect(result).toMatchObject({ stage: "discovery", passed: false, reason: expect.any(String) });
    expect(result.reasonCode).toMatch(new RegExp(reasonCode));
    expect(provider.live).toBe(false);
  });

  it("wants the issuer of the document, letter by letter", async () => {
    const { providerId } = await made({ issuer: `${there.issuer}/` });
    expect(success(await test(providerId), 200).test.reasonCode).toBe("OTHER_ISSUER");
  });

  it("says if the provider refuses the secret or the code", async () => {
    const { providerId } = await made({ clientSecret: "wrong" });
    success(await test(providerId), 200);
    expect(success(await test(providerId, anAttempt("nothing")), 200).test.reasonCode).toBe("CLIENT_REFUSED");
    success(await update(providerId, { clientSecret: SECRET }), 200);
    success(await test(providerId), 200);
    const { test: result } = success(await test(providerId, anAttempt("nothing")), 200);
    expect(result).toMatchObject({ reasonCode: "CODE_REFUSED", reason: expect.stringContaining("invalid_grant") });
    expect(await shown()).toEqual([]);
  });

  it("says if the provider was changed meanwhile, which is not live then", async () => {
    const provider = await aProvider(there, { testedAt: undefined as never });
    await providers.change(provider, { clientId: "another" });
    expect(await providers.note(provider, { testedAt: Date.now() })).toBe("changed meanwhile");
    expect(await shown()).toEqual([]);
  });

  it("has to be passed again if the discovery document names other endpoints", async () => {
    const provider = await aProvider(there);
    const { endpoints } = provider;
    const moved = { ...(endpoints as providers.Endpoints), tokenUrl: `${there.issuer}/other` };
    expect(await providers.note(provider, { endpoints: moved })).toMatchObject({ testedAt: undefined });
    expect(await shown()).toEqual([]);
  });
});

describe("A test and a sign-in", () => {
  let server: OidcServer;

  it("send the provider the same bytes", async () => {
    server = await startOidcServer();
    const sent: string[] = [];
    server.fault = {
      answer: (path, response) => {
        if (path !== "/token") return false;
        const { req: request } = response;
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          sent.push(`${request.rawHeaders.join("\n")}\n\n${Buffer.concat(chunks)}`);
          response.writeHead(400).end("{}");
        });
        return true;
      },
    };
    const endpoints = {
      authorizationUrl: `${server.issuer}/auth`,
      tokenUrl: `${server.issuer}/token`,
      keysUrl: `${server.issuer}/jwks`,
      authentication: "client_secret_basic" as const,
    };
    const { providerId } = await aProvider(server, { endpoints });
    const returned = anAttempt("both");
    success(await test(providerId, returned), 200);
    refusal(await invoke("auth-oidc", { params: { providerId }, body: returned }), "PROVIDER_REFUSED");
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
  });
});
