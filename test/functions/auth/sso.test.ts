import { spawn } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as sso from "../../../lib/accounts/sso.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { commandsOf, filled } from "../../support/docs/commands.ts";
import { atOnce, invoke, type Reply, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aFolder } from "../../support/process/server-process.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { conflicts, withFaults } from "../../support/store/faults.ts";
import { anAccount, aReader, aUser, type Person } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";
import { sendLetters } from "../../support/world/letters.ts";
import { aSsoSecret, claimsOf, encoded, sealed, signedBy } from "../../support/world/sso.ts";
import { withTwoFactor } from "../../support/world/two-factor.ts";

// Sign-ins by tokens of the owner's product. The tokens are signed by hand, as any server may sign them.

const PASSWORD = "correct horse";
const HOUR_MS = 3_600_000;

let secret = "";
let owner: Person;

beforeEach(async () => {
  await freshTable();
  const account = newAccount("owner@example.com", "Olga", "owner");
  await site.setUp("Ideas", account, "no password", site.firstBoard(newId()));
  owner = { ...account, token: await tokens.issue(account) };
  secret = await aSsoSecret();
});

afterEach(() => vi.useRealTimers());

function send(token: unknown): Promise<Reply> {
  return invoke("auth-sso", { body: { token } });
}

/** A good token of a person. */
function aToken(person: object = {}): string {
  return signedBy(secret, claimsOf(person));
}

async function signIn(person: object = {}) {
  return success(await send(aToken(person)), 200).user;
}

/** Another second: two tokens of one second and one person are the same. */
function later(seconds = 1): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
}

describe("POST /auth/sso", () => {
  it("gives an account the language of the page where it signs in first", async () => {
    const inLanguage = async (language: string) => {
      later();
      const headers = { "accept-language": language };
      const { user } = success(await invoke("auth-sso", { body: { token: aToken() }, headers }), 200);
      return success(await portal.profile({ token: user.authToken }), 200).user.language;
    };
    expect(await inLanguage("ja")).toBe("ja");
    expect(await inLanguage("de")).toBe("ja");
  });

  it("signs in, and makes an account with a confirmed address at the first sign-in", async () => {
    const user = await signIn();
    expect(user).toMatchObject({ email: "ada@example.com", name: "Ada" });
    expect(success(await portal.profile({ token: user.authToken }), 200).user.isVerified).toBe(true);
    later();
    expect((await signIn()).userId).toBe(user.userId);
    await expectSound();
  });

  it("finds the account by the id, whatever address and name it has now", async () => {
    const { userId } = await signIn();
    later();
    expect(await signIn({ email: "lovelace@example.com", name: "Lovelace" })).toMatchObject({
      userId,
      email: "ada@example.com",
    });
  });

  it("gives no address to a person whose server says that nobody has checked it", async () => {
    expect((await signIn({ email_verified: false })).email).toMatch(/@no-address\.invalid$/);
  });

  it.each([{ name: undefined }, { name: null }, { name: 7 }, { name: "\u0000" }, { name: "x".repeat(90) }])(
    "needs no good name: %j",
    async (person) => {
      expect((await signIn(person)).name).toMatch(/^(New member|x{60})$/);
    },
  );

  it.each([
    { typ: undefined },
    { kid: "any" },
    { iss: "http://localhost:3000" },
    { aud: "http://localhost:3000" },
    { nbf: Math.floor(Date.now() / 1000) },
    { jti: "1", sub: "another", role: "owner" },
  ])("takes a token with %j", async ({ typ = "JWT", kid, ...claims }: Record<string, unknown>) => {
    success(await send(signedBy(secret, claimsOf(claims), { alg: "HS256", typ, kid })), 200);
    expect((await users.findByEmail("ada@example.com"))?.role).toBe("member");
  });

  it("takes the secret before the last rotation for 24 hours, and no older one", async () => {
    const first = secret;
    const second = await aSsoSecret();
    success(await send(signedBy(first, claimsOf())), 200);
    success(await send(signedBy(second, claimsOf({ jti: "2" }))), 200);
    later(24 * 3600 - 1);
    success(await send(signedBy(first, claimsOf())), 200);
    later(2);
    refusal(await send(signedBy(first, claimsOf())), "SSO_REFUSED");
    await aSsoSecret();
    await aSsoSecret();
    refusal(await send(signedBy(second, claimsOf())), "SSO_REFUSED");
  });

  it("makes one account if two people of one id sign in in parallel, each by a token of their own", async () => {
    const replies = await atOnce(2, (n) => send(aToken({ jti: `${n}` })));
    expect(tally(replies)).toEqual({ 200: 2 });
    expect(new Set(replies.map(({ body }) => body.user.userId)).size).toBe(1);
    await expectSound();
  });

  it("is refused while the owner has made no secret, and once it is deleted", async () => {
    const token = aToken();
    success(await invoke("sso-delete", owner), 204);
    refusal(await send(token), "SSO_NOT_ALLOWED");
    secret = await aSsoSecret();
    refusal(await send(token), "SSO_REFUSED");
    await signIn();
  });

  it("asks for the second factor of an account", async () => {
    const { userId } = await signIn();
    const member = (await users.find(userId)) as users.UserRecord;
    await withTwoFactor({ ...member, token: "" });
    later();
    const token = aToken();
    expect((await send(token)).body.code).toBe("TWO_FACTOR_NEEDED");
    // It was used up.
    refusal(await send(token), "SSO_REFUSED");
  });

  it("opens a session that may read, for a suspended account", async () => {
    const { userId } = await signIn();
    await transact({ user: setFields(key.user(userId), { role: "suspended" }) });
    later();
    const user = await signIn();
    refusal(await portal.post({ title: "A dark mode" }, { token: user.authToken }), "NOT_ENOUGH_PERMISSION");
  });

  it("takes an account that was never confirmed, with all that a stranger had of it", async () => {
    const stranger = await anAccount(PASSWORD);
    expect((await signIn({ email: stranger.email })).userId).toBe(stranger.userId);
    refusal(await portal.profile(stranger), "INVALID_TOKEN");
    refusal(await portal.logIn(stranger.email, PASSWORD), "INCORRECT_PASSWORD");
  });

  it("opens no account of another person or of the team, and leaves the token good", async () => {
    const reader = await aReader();
    const token = aToken({ email: reader.email });
    refusal(await send(token), "SIGN_IN_TO_LINK");
    refusal(await send(aToken({ email: owner.email })), "SIGN_IN_TO_LINK");
    success(await invoke("auth-sso-link", { token: reader.token, body: { token } }), 200);
  });

  it("lets nobody of the team in, unless the owner allows it", async () => {
    const { userId } = await signIn();
    await transact({ user: setFields(key.user(userId), { role: "moderator" }) });
    later();
    refusal(await send(aToken()), "STAFF_NOT_ALLOWED");
    success(await invoke("sso-update", { token: owner.token, body: { staff: true } }), 200);
    expect((await signIn()).userId).toBe(userId);
  });

  it("makes an account only where signup is open to the address", async () => {
    await site.change((await site.find()) as site.Site, { signupDomains: ["example.org"] });
    const token = aToken();
    refusal(await send(token), "SIGNUP_NOT_ALLOWED");
    await signIn({ email: "ada@example.org" });
    await site.change((await site.find()) as site.Site, { signupDomains: [] });
    // It was not used up.
    success(await send(token), 200);
  });
});

function publicPem(): string {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return publicKey.export({ type: "spki", format: "pem" }) as string;
}

function byRsa(claims: object): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const text = `${encoded({ alg: "RS256" })}.${encoded(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
}

const now = () => Math.floor(Date.now() / 1000);

const withClaims = (claims: object) => signedBy(secret, claimsOf(claims));
const withText = (text: string) =>
  sealed(secret, `${encoded({ alg: "HS256" })}.${Buffer.from(text).toString("base64url")}`);
const withHeader = (header: object) => signedBy(secret, claimsOf(), { alg: "HS256", typ: "JWT", ...header });

/** Each is made with the right secret, unless its name says otherwise. */
const forgeries: Record<string, () => string | Promise<string>> = {
  "the algorithm none": () => `${encoded({ alg: "none" })}.${encoded(claimsOf())}.`,
  "the algorithm none, signed": () => withHeader({ alg: "none" }),
  "no algorithm": () => signedBy(secret, claimsOf(), { typ: "JWT" }),
  "the algorithm RS256, with the secret as a key": () => withHeader({ alg: "RS256" }),
  "a signature by RS256": () => byRsa(claimsOf()),
  "the algorithm HS512": () => new SignJWT(claimsOf()).setProtectedHeader({ alg: "HS512" }).sign(Buffer.from(secret)),
  "the wrong secret": () => signedBy(`${secret}x`, claimsOf()),
  "an empty secret": () => signedBy("", claimsOf()),
  "the secret decoded": () => signedBy(Buffer.from(secret.slice(4), "base64url").toString("latin1"), claimsOf()),
  "a public key as secret": () => signedBy(publicPem(), claimsOf()),
  "the signing secret of this service": () => signedBy(String(process.env.SIGNING_SECRET), claimsOf()),
  "no signature": () => withClaims({}).replace(/[^.]+$/, ""),
  "claims that were changed": () => withClaims({}).replace(/\.[^.]+\./, `.${encoded(claimsOf({ id: "1" }))}.`),
  "an end in the past": () => withClaims({ iat: now() - 400, exp: now() - 100 }),
  "an issue in the future": () => withClaims({ iat: now() + 120, exp: now() + 400 }),
  "an issue long ago": () => withClaims({ iat: now() - 700, exp: now() + 100 }),
  "an end too far from its issue": () => withClaims({ exp: now() + 601 }),
  "an end in a century": () => withClaims({ exp: now() + 3_000_000_000 }),
  "an end that is no number": () => withClaims({ exp: `${now() + 300}` }),
  "an end beyond all numbers": () => withText(JSON.stringify(claimsOf()).replace(/"exp":\d+/, '"exp":1e999')),
  "no end": () => withClaims({ exp: undefined }),
  "no issue": () => withClaims({ iat: undefined }),
  "a beginning in the future": () => withClaims({ nbf: now() + 120 }),
  "no id": () => withClaims({ id: undefined }),
  "an id that is a number": () => withClaims({ id: 42 }),
  "an id that is a list": () => withClaims({ id: ["42"] }),
  "an empty id": () => withClaims({ id: "" }),
  "a blank id": () => withClaims({ id: " \t" }),
  "an id of 256 characters": () => withClaims({ id: "x".repeat(256) }),
  "an id with half a character": () => withClaims({ id: "\ud83d" }),
  "no address": () => withClaims({ email: undefined }),
  "an address that is null": () => withClaims({ email: null }),
  "an address that is none": () => withClaims({ email: "ada" }),
  "two addresses": () => withClaims({ email: ["ada@example.com"] }),
  "another issuer": () => withClaims({ iss: "https://evil.example" }),
  "another audience": () => withClaims({ aud: "https://evil.example" }),
  "a further audience": () => withClaims({ aud: ["http://localhost:3000", "https://evil.example"] }),
  "the audience of our bearer": () => withClaims({ aud: "feedback-board-api" }),
  "the type of our bearer": () => withHeader({ typ: "at+jwt" }),
  "a critical field": () => withHeader({ crit: ["exp"] }),
  "a critical field that is unknown": () => withHeader({ crit: ["evil"], evil: true }),
  "content that is not encoded": () => withHeader({ b64: false }),
  "content that is not encoded, critically": () => withHeader({ b64: false, crit: ["b64"] }),
  "a key in its header": () => withHeader({ jwk: { kty: "oct", k: "AA" } }),
  "the address of keys in its header": () => withHeader({ jku: "https://evil.example/keys" }),
  "compressed content": () => withHeader({ zip: "DEF" }),
  "a kid that is a path, and the wrong secret": () =>
    signedBy("", claimsOf(), { alg: "HS256", kid: "../../../dev/null" }),
  "a kid that is a prototype, and the wrong secret": () =>
    signedBy("undefined", claimsOf(), { alg: "HS256", kid: "__proto__" }),
  "claims that are a list": () => withText(JSON.stringify([claimsOf()])),
  "claims that are no JSON": () => withText("{"),
  "two dots only": () => "..",
  "no form": () => "not-a-token",
  "five parts": () => `${withClaims({})}.a.b`,
  "our own bearer": () => tokens.issue(owner),
  "our own challenge": async () => (await invoke("users-two-factor", owner)).body.challenge,
};

describe("A forged token", () => {
  it.each(Object.keys(forgeries))("opens no session and no account: %s", async (name) => {
    await aSsoSecret();
    secret = await aSsoSecret();
    const before = await users.count();
    refusal(await send(await forgeries[name]?.()), "SSO_REFUSED");
    expect(await users.count()).toBe(before);
    success(await send(aToken()), 200);
  });

  it.each([7, null, undefined, {}, ["a.b.c"], "", " ", "not a token", "x".repeat(4097)])(
    "is not verified if its form is wrong: %j",
    async (token) => {
      refusal(await send(token), "VALIDATION_ERROR", "body.token");
    },
  );

  it("is told from our own tokens in both directions", async () => {
    refusal(await portal.profile({ token: aToken() }), "INVALID_TOKEN");
    const body = { challenge: aToken(), code: "123456" };
    refusal(await invoke("auth-two-factor", { body }), "INVALID_TOKEN");
  });
});

describe("A token", () => {
  it("counts once, in another container too", async () => {
    const token = aToken();
    success(await send(token), 200);
    refusal(await send(token), "SSO_REFUSED");
    newContainer();
    refusal(await send(token), "SSO_REFUSED");
    const used = (await scan()).filter(({ pk }) => String(pk).startsWith("SSO_USES#"));
    expect(used).toHaveLength(1);
    expect(used[0]?.expiresAt).toBeGreaterThan(claimsOf().exp);
    expect(JSON.stringify(used)).not.toContain(token.split(".")[1]);
  });

  it("counts once, however its signature is written", async () => {
    const token = aToken();
    success(await send(token), 200);
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    // The last letter has two bits that no byte needs.
    for (const letter of letters) refusal(await send(token.slice(0, -1) + letter), "SSO_REFUSED");
    for (const end of ["=", "==", ".", "A"]) refusal(await send(token + end), "SSO_REFUSED");
  });

  it("counts once under each secret", async () => {
    const claims = claimsOf();
    success(await send(signedBy(secret, claims)), 200);
    refusal(await send(signedBy(await aSsoSecret(), claims)), "SSO_REFUSED");
  });

  generated("opens one session if it is sent several times in parallel, through conflicts", async ({ below }) => {
    const person = { id: `${below(1e9)}`, email: "new@example.com" };
    const token = aToken(person);
    const known = below(2) === 0 && (await signIn({ ...person, jti: "before" }));
    const replies = await withFaults(conflicts(2, below), () => atOnce(4, () => send(token)));
    expect(tally(replies)).toEqual({ 200: 1, "401 SSO_REFUSED": 3 });
    const opened = replies.find(({ status }) => status === 200)?.body.user;
    if (known) expect(opened.userId).toBe(known.userId);
    await expectSound();
  });
});

describe("POST /auth/sso/link", () => {
  function link({ token }: { token: string }, ofPerson: string): Promise<Reply> {
    return invoke("auth-sso-link", { token, body: { token: ofPerson } });
  }

  it("lets the person sign in to the caller's account, which lists it", async () => {
    const reader = await aReader();
    const token = aToken({ email: reader.email });
    success(await link(reader, token), 200);
    refusal(await send(token), "SSO_REFUSED");
    // It changes nothing, so that a lost answer can be asked for again.
    success(await link(reader, token), 200);
    later();
    expect((await signIn({ email: reader.email })).userId).toBe(reader.userId);
    const { results } = success(await invoke("users-identities", reader), 200);
    expect(results).toMatchObject([{ issuer: "sso", provider: null }]);
    const [letter] = await sendLetters();
    expect(letter?.to).toBe(reader.email);
    expect(letter?.text).toContain("a sign-in was linked to your account at Ideas: a link in the product.");
    await expectSound();
  });

  it("wants the address of the account, confirmed by the product", async () => {
    const reader = await aReader();
    refusal(await link(reader, aToken()), "OTHER_ACCOUNT");
    refusal(await link(reader, aToken({ email: reader.email, email_verified: false })), "OTHER_ACCOUNT");
  });

  it("wants a young session, a good token and a member", async () => {
    const reader = await aReader();
    refusal(await link(reader, `${aToken({ email: reader.email })}x`), "SSO_REFUSED");
    refusal(await link(owner, aToken({ email: owner.email })), "STAFF_NOT_ALLOWED");
    await sso.setStaff(true);
    success(await link(owner, aToken({ email: owner.email })), 200);
    later(601);
    refusal(await link(reader, aToken({ email: reader.email })), "SIGN_IN_AGAIN");
    await sso.switchOff();
    refusal(await link(reader, aToken({ email: reader.email })), "SSO_NOT_ALLOWED");
  });

  it("links a person of the product to one account", async () => {
    await signIn({ email: "first@example.com" });
    const reader = await aReader();
    refusal(await link(reader, aToken({ email: reader.email })), "IDENTITY_TAKEN");
  });
});

describe("The secret", () => {
  const show = async () => success(await invoke("sso-show", owner), 200).sso;

  it("is shown once, and says when it was made", async () => {
    success(await invoke("sso-delete", owner), 204);
    const off = { enabled: false, rotatedAt: null, staff: false, signInUrl: "http://localhost:3000/sign-in/sso" };
    expect(await show()).toEqual(off);
    const made = success(await invoke("sso-rotate", owner), 200);
    expect(made.secret).toMatch(/^sso_[\w-]{43}$/);
    expect(await show()).toEqual({ ...off, enabled: true, rotatedAt: expect.stringMatching(/Z$/) });
    expect(JSON.stringify(await show())).not.toContain(made.secret);
    secret = made.secret;
    await signIn();
    await expectSound();
  });

  it("takes a young session of the owner to make it and to let the team in, and none to switch off", async () => {
    for (const name of ["sso-show", "sso-rotate", "sso-delete"]) {
      refusal(await invoke(name, await aUser("moderator")), "NOT_ENOUGH_PERMISSION");
    }
    const update = (staff: unknown) => invoke("sso-update", { token: owner.token, body: { staff } });
    expect(success(await update(true), 200).sso.staff).toBe(true);
    later(HOUR_MS / 1000);
    refusal(await invoke("sso-rotate", owner), "SIGN_IN_AGAIN");
    refusal(await update(true), "SIGN_IN_AGAIN");
    refusal(await update("yes"), "VALIDATION_ERROR", "body.staff");
    expect(success(await update(false), 200).sso.staff).toBe(false);
    success(await invoke("sso-delete", owner), 204);
    success(await invoke("sso-delete", owner), 204);
  });

  it("is one if two are made in parallel, and the other one is the one before it", async () => {
    const made = await atOnce(2, () => invoke("sso-rotate", owner));
    const [first, second] = made.map((reply) => success(reply, 200).secret);
    success(await send(signedBy(first, claimsOf({ jti: "1" }))), 200);
    success(await send(signedBy(second, claimsOf({ jti: "2" }))), 200);
    await expectSound();
  });
});

describe("The program of docs/sign-in.md", () => {
  it("leads a person to the portal, who is signed in by the token behind the #", async () => {
    const folder = aFolder();
    const [, program = ""] = /```js\n([\s\S]*?)```/.exec(readFileSync("docs/sign-in.md", "utf8")) ?? [];
    writeFileSync(join(folder, "product.mjs"), program);
    const documented = commandsOf("docs/sign-in.md").find(({ text }) => text.endsWith("node product.mjs"));
    const command = filled(documented?.text ?? "false", { secret });
    const server = spawn("bash", ["-c", `exec env ${command}`], { cwd: folder, env: { ...process.env, PORT: "0" } });
    onTestFinished(() => void server.kill());
    const [line] = await Promise.race([once(server.stdout, "data"), once(server, "exit")]);
    const [origin = ""] = /http:\S+/.exec(String(line)) ?? [];
    const answer = await fetch(origin, { redirect: "manual" });
    const [page, token] = answer.headers.get("location")?.split("#") ?? [];
    expect(page).toBe("http://localhost:3000/sign-in/sso");
    expect(success(await send(token), 200).user).toMatchObject({ email: "ada@example.com", name: "Ada" });
  });
});
