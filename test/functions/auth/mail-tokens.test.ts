import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { newId } from "../../../lib/values/ids.ts";
import { atOnce, invoke, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { freshTable } from "../../support/setup.ts";
import { costOf, measured, planOf } from "../../support/store/calls.ts";
import { aMember, anAccount } from "../../support/world/fixtures.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";
import { countHashes } from "../../support/world/passwords.ts";

const OLD = "correct horse";
const NEW = "battery staple";

beforeEach(freshTable);

async function resetTokenOf(email: string): Promise<string> {
  await invoke("auth-password-reset", { body: { email } });
  return tokenIn((await sendLetters()).at(-1));
}

function setPassword(token: unknown, password: unknown = NEW) {
  return invoke("auth-password-set", { body: { token, password } });
}

function validate(token: unknown) {
  return invoke("auth-password-validate-token", { body: { token } });
}

function confirm(token: unknown, session: { token: string } | undefined) {
  return invoke("auth-email-validate", { token: session?.token, body: { token } });
}

async function isVerified(session: { token: string }): Promise<boolean> {
  return success(await portal.profile(session), 200).user.isVerified;
}

describe("The mail of signup", () => {
  it("confirms the address by its link, once only", async () => {
    const name = "Visit evil.example now";
    const { user } = success(await portal.signUp({ email: "ada@example.com", password: OLD, name }), 201);
    const session = { token: user.authToken };
    expect(await isVerified(session)).toBe(false);
    const [letter] = await sendLetters();
    expect(letter).toMatchObject({ to: "ada@example.com", subject: "Welcome to http://localhost:3000" });
    expect(letter?.text).toMatch(/http:\/\/localhost:3000\/email-verify\?token=[\w-]{43}\n/);
    // The address may be of another person than the one who signs up.
    expect(JSON.stringify(letter)).not.toContain("evil");
    expect(success(await confirm(tokenIn(letter), session), 200)).toEqual({ verify: { success: true } });
    expect(await isVerified(session)).toBe(true);
    refusal(await confirm(tokenIn(letter), session), "INVALID_TOKEN");
  });

  it("contains a token that expires after two hours, and of which the table holds only a hash", async () => {
    await portal.signUp({ email: "ada@example.com", password: OLD });
    expect((await scan()).some(({ pk }) => pk.startsWith("MAIL_TOKEN#"))).toBe(false);
    const token = tokenIn((await sendLetters())[0]);
    const items = await scan();
    expect(JSON.stringify(items)).not.toContain(token);
    expect(items.find(({ pk }) => pk.startsWith("MAIL_TOKEN#"))).toEqual({
      ...key.mailToken("verify-email", createHash("sha256").update(token).digest("hex")),
      userId: expect.any(String),
      tokenVersion: 1,
      sealed: expect.not.stringContaining("ada"),
      expiresAt: expect.closeTo(Date.now() / 1000 + 2 * 60 * 60, -2),
    });
  });
});

describe("The link of a mail", () => {
  it.each([
    ["auth-sign-up", "email-verify", "ada@example.com"],
    ["auth-password-reset", "password-reset/confirm", undefined],
  ])("leads to the post on which a visitor wanted something, if %s was asked for that", async (name, page, free) => {
    const email = free ?? (await anAccount(OLD)).email;
    const ask = (wants: unknown) => invoke(name, { body: { email, password: OLD, wants } });
    const postId = newId();
    const wrong = [{ does: "vote", postId: "//evil.example" }, { does: "pay", postId }, { does: "vote" }, "vote"];
    for (const wants of wrong) refusal(await ask(wants), "VALIDATION_ERROR");
    expect(await sendLetters()).toEqual([]);
    expect((await ask({ does: "comment", postId, url: "//evil.example" })).status).toBeLessThan(300);
    const link = new RegExp(`http://localhost:3000/${page}\\?token=[\\w-]{43}&wants=comment&post=${postId}\n`);
    expect((await sendLetters()).at(-1)?.text).toMatch(link);
  });
});

describe("POST /auth/email/verify", () => {
  it("mails another link and keeps the earlier one valid", async () => {
    const ada = await anAccount(OLD, { welcome: true });
    const welcome = tokenIn((await sendLetters())[0]);
    const reply = await invoke("auth-email-verify", { token: ada.token });
    expect(success(reply, 200)).toEqual({ verify: { success: true } });
    const [letter] = await sendLetters();
    expect(letter).toMatchObject({ to: ada.email, subject: "Confirm your email address" });
    success(await confirm(tokenIn(letter), ada), 200);
    success(await confirm(welcome, ada), 200);
  });

  it("sends nothing if the address is confirmed", async () => {
    const ada = await anAccount(OLD, { welcome: true });
    await confirm(tokenIn((await sendLetters())[0]), ada);
    const reply = await invoke("auth-email-verify", { token: ada.token });
    expect(success(reply, 200)).toEqual({ verify: { success: true } });
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });
});

describe("POST /auth/email/validate", () => {
  it("confirms once if one token is sent 32 times in parallel", async () => {
    const ada = await anAccount(OLD, { welcome: true });
    const token = tokenIn((await sendLetters())[0]);
    const replies = await atOnce(32, () => confirm(token, ada));
    expect(tally(replies)).toEqual({ 200: 1, "401 INVALID_TOKEN": 31 });
    expect(await isVerified(ada)).toBe(true);
  });

  it("confirms nothing without a session of the account, and leaves the token good", async () => {
    const thief = await anAccount(OLD, { welcome: true });
    const token = tokenIn((await sendLetters())[0]);
    // The owner of the address, with which the thief signed up, clicks on the link.
    const victim = await anAccount(OLD);
    refusal(await confirm(token, undefined), "INVALID_AUTH_HEADER");
    refusal(await confirm(token, victim), "OTHER_ACCOUNT");
    for (const account of [thief, victim]) expect(await isVerified(account)).toBe(false);
    success(await confirm(token, thief), 200);
  });
});

describe("An endpoint that takes the token of a mail", () => {
  it.each(["", "abc", "x".repeat(43), "a#b", "x".repeat(5000)])("answers INVALID_TOKEN to %.9j", async (token) => {
    refusal(await confirm(token, await aMember()), "INVALID_TOKEN");
    refusal(await setPassword(token), "INVALID_TOKEN");
    refusal(await validate(token), "INVALID_TOKEN");
  });
});

describe("POST /auth/password/reset", () => {
  it("mails a link that sets a new password", async () => {
    const { email } = await anAccount(OLD);
    const reply = await invoke("auth-password-reset", { body: { email: email.toUpperCase() } });
    expect(success(reply, 200)).toEqual({ reset: { success: true } });
    const [letter] = await sendLetters();
    expect(letter).toMatchObject({ to: email, subject: "Set a new password" });
    expect(letter?.text).toMatch(/http:\/\/localhost:3000\/password-reset\/confirm\?token=[\w-]{43}\n/);
  });

  it("answers the same after the same work for an unknown address, and sends no mail to it", async () => {
    const { email } = await anAccount(OLD);
    const known = await measured(() => invoke("auth-password-reset", { body: { email } }));
    await sendLetters();
    const unknown = await measured(() => invoke("auth-password-reset", { body: { email: "nobody@example.com" } }));
    expect(success(unknown, 200)).toEqual(success(known, 200));
    expect(planOf(known.calls)).toBe("TransactWriteItems (Put OUTBOX)");
    expect(planOf(unknown.calls)).toBe(planOf(known.calls));
    expect(costOf(unknown.calls)).toEqual(costOf(known.calls));
    expect(await sendLetters()).toEqual([]);
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });
});

describe("POST /auth/password/set", () => {
  it("sets the new password once, confirms the address of the letter and revokes all bearer tokens", async () => {
    const ada = await anAccount(OLD);
    const { user } = success(await portal.logIn(ada.email, OLD), 200);
    const reset = await resetTokenOf(ada.email);
    const account = { email: ada.email, name: ada.name, role: "member" };
    for (const _ of [1, 2]) expect(success(await validate(reset), 200)).toEqual({ reset: { valid: true, account } });
    expect(await isVerified(ada)).toBe(false);
    expect(success(await setPassword(reset), 200)).toEqual({ reset: { success: true } });
    refusal(await validate(reset), "INVALID_TOKEN");
    for (const token of [ada.token, user.authToken]) refusal(await portal.profile({ token }), "INVALID_TOKEN");
    refusal(await portal.logIn(ada.email, OLD), "INCORRECT_PASSWORD");
    const { authToken: token } = success(await portal.logIn(ada.email, NEW), 200).user;
    expect(await isVerified({ token })).toBe(true);
  });

  it("sets one of 16 passwords if one token is sent 16 times in parallel", async () => {
    const ada = await anAccount(OLD);
    const token = await resetTokenOf(ada.email);
    const replies = await atOnce(16, (n) => setPassword(token, `password number ${n}`));
    expect(tally(replies)).toEqual({ 200: 1, "401 INVALID_TOKEN": 15 });
    const winner = replies.findIndex(({ status }) => status === 200);
    success(await portal.logIn(ada.email, `password number ${winner}`), 200);
    refusal(await portal.logIn(ada.email, `password number ${(winner + 1) % 16}`), "INCORRECT_PASSWORD");
    expect((await users.find(ada.userId))?.tokenVersion).toBe(2);
  });

  it("invalidates the user's other mail tokens, also if two are used in parallel", async () => {
    const ada = await anAccount(OLD);
    const tokens: string[] = [];
    for (let n = 0; n < 3; n++) tokens.push(await resetTokenOf(ada.email));
    const replies = await atOnce(2, (n) => setPassword(tokens[n], `the password ${n}`));
    expect(tally(replies)).toEqual({ 200: 1, "401 INVALID_TOKEN": 1 });
    refusal(await validate(tokens[2]), "INVALID_TOKEN");
    refusal(await setPassword(tokens[2]), "INVALID_TOKEN");
    expect((await users.find(ada.userId))?.tokenVersion).toBe(2);
  });

  it("refuses a password against the rules and does not use up the token", async () => {
    const token = await resetTokenOf((await anAccount(OLD)).email);
    for (const missing of [null, ""]) refusal(await setPassword(token, missing), "PASSWORD_MISSING");
    refusal(await invoke("auth-password-set", { body: { token } }), "PASSWORD_MISSING");
    for (const bad of ["seven77", "x".repeat(129), 12345678]) {
      refusal(await setPassword(token, bad), "VALIDATION_ERROR", "body.password");
    }
    success(await validate(token), 200);
  });

  it("hashes nothing for an invalid token", async () => {
    const { hashes, result } = await countHashes(() => setPassword("worthless"));
    expect(hashes).toBe(0);
    expect(result.calls.length).toBe(1);
  });

  it("revokes only tokens of logins with the old password, also while people log in", async () => {
    const ada = await anAccount(OLD);
    const token = await resetTokenOf(ada.email);
    // Enough logins, one after another, that some fall before the commit, some around it and some after.
    const tries = async (password: string) => {
      const replies = [];
      for (let n = 0; n < 12; n++) replies.push(await portal.logIn(ada.email, password));
      return replies.filter(({ status }) => status === 200).map(({ body }) => ({ token: body.user.authToken }));
    };
    const [old, renewed, again, reply] = await Promise.all([tries(OLD), tries(NEW), tries(NEW), setPassword(token)]);
    success(reply, 200);
    for (const session of old) refusal(await portal.profile(session), "INVALID_TOKEN");
    for (const session of [...renewed, ...again]) success(await portal.profile(session), 200);
    expect(renewed.length).toBeGreaterThan(0);
  });
});

describe("A mail token", () => {
  it("fails after its expiry, even if the item still exists", async () => {
    const ada = await aMember();
    const reset = await mailTokens.issue("reset-password", ada, -1);
    const verify = await mailTokens.issue("verify-email", ada, 0);
    refusal(await validate(reset), "INVALID_TOKEN");
    refusal(await setPassword(reset), "INVALID_TOKEN");
    refusal(await confirm(verify, ada), "INVALID_TOKEN");
  });

  it("fails at the commit if it expires after it was read", async () => {
    const ada = await aMember();
    const reset = await mailTokens.issue("reset-password", ada, -1);
    const verify = await mailTokens.issue("verify-email", ada, -1);
    expect(await mailTokens.setPassword(reset, { ...ada, keyIds: [] }, { passwordHash: "$hash" })).toBe("not good");
    expect(await mailTokens.confirmAddress(verify, ada)).toBe("not good");
  });

  it("serves its own purpose only, neither another mail's nor a session's", async () => {
    const ada = await anAccount(OLD, { welcome: true });
    const verify = tokenIn((await sendLetters())[0]);
    const reset = await resetTokenOf(ada.email);
    for (const token of [reset, ada.token]) refusal(await confirm(token, ada), "INVALID_TOKEN");
    for (const token of [verify, ada.token]) {
      refusal(await setPassword(token), "INVALID_TOKEN");
      refusal(await validate(token), "INVALID_TOKEN");
    }
    for (const token of [verify, reset]) refusal(await portal.profile({ token }), "INVALID_TOKEN");
    success(await validate(reset), 200);
    success(await confirm(verify, ada), 200);
  });
});
