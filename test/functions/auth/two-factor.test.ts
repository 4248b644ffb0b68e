import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as challenges from "../../../lib/auth/challenges.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { key } from "../../../lib/table/keys.ts";
import { atOnce, invoke, type Reply, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { conflicts, withFaults } from "../../support/store/faults.ts";
import { aMember, anAccount, aReader, aUser, type Person } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";
import { sendLetters } from "../../support/world/letters.ts";
import { codeNow, secretIn, withTwoFactor } from "../../support/world/two-factor.ts";

const PASSWORD = "correct horse";

beforeEach(freshTable);
afterEach(() => vi.useRealTimers());

function verify(challenge: string, code: string, sourceIp?: string): Promise<Reply> {
  return invoke("auth-two-factor", { body: { challenge, code }, ...(sourceIp && { sourceIp }) });
}

function enrol(challenge: string): Promise<Reply> {
  return invoke("auth-two-factor-enrol", { body: { challenge } });
}

/** The challenge of a sign-in that needs a second factor. */
function challengeIn(reply: Reply, isOn = true): string {
  refusal(reply, "TWO_FACTOR_NEEDED");
  expect(reply.body.twoFactor.isOn).toBe(isOn);
  return reply.body.twoFactor.challenge;
}

async function aSite(): Promise<{ owner: { token: string; userId: string; email: string } }> {
  const email = "owner@example.com";
  const { user } = success(await portal.setUp({ email, password: PASSWORD }), 201);
  await sendLetters();
  return { owner: { token: user.authToken, userId: user.userId, email } };
}

/** Switches the second factor on as a person does it, from a session. */
async function switchedOn(token: string) {
  const { challenge } = success(await invoke("users-two-factor", { token }), 200);
  const { secret, address } = success(await enrol(challenge), 200);
  const answer = success(await verify(challenge, codeNow(secretIn(secret))), 200);
  return { secret: secretIn(secret), address, ...answer };
}

function later(steps = 1): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + steps * 30_000 });
}

describe("Switching the second factor on", () => {
  it("shows the secret once, takes the app's first code, ends other sessions and shows ten recovery codes", async () => {
    const { owner } = await aSite();
    const on = await switchedOn(owner.token);
    expect(on.address).toContain("otpauth://totp/Feedback:owner%40example.com?secret=");
    expect(new Set(on.recoveryCodes).size).toBe(10);
    refusal(await portal.profile({ token: owner.token }), "INVALID_TOKEN");
    expect(success(await portal.profile({ token: on.user.authToken }), 200).user.twoFactor).toBe(true);
    expect((await sendLetters()).map(({ subject }) => subject)).toEqual(["Two-step sign-in is on"]);
    const stored = JSON.stringify(await scan());
    for (const code of on.recoveryCodes) expect(stored).not.toContain(code);
    await expectSound();
    refusal(await invoke("users-two-factor", { token: on.user.authToken }), "TWO_FACTOR_ON");
  });

  it("needs a young session, and no API key", async () => {
    const member = await aMember();
    const old = await tokens.issue(member, Date.now() - 11 * 60_000);
    refusal(await invoke("users-two-factor", { token: old }), "SIGN_IN_AGAIN");
  });

  it("changes nothing before the first code, and begins anew with another secret", async () => {
    const member = await aMember();
    const challenge = await challenges.issue(member);
    const first = success(await enrol(challenge), 200);
    const second = success(await enrol(challenge), 200);
    expect(second.secret).not.toBe(first.secret);
    refusal(await verify(challenge, codeNow(secretIn(first.secret))), "INCORRECT_CODE");
    success(await portal.profile(member), 200);
    success(await verify(challenge, codeNow(secretIn(second.secret))), 200);
    refusal(await enrol(challenge), "INVALID_TOKEN");
  });

  it("ends with the session, and after 15 minutes", async () => {
    const member = await aMember();
    const challenge = await challenges.issue(member);
    const { secret } = success(await enrol(challenge), 200);
    later(31);
    refusal(await verify(challenge, codeNow(secretIn(secret))), "INVALID_TOKEN");
    vi.useRealTimers();
    success(await invoke("auth-log-out", { token: member.token }), 204);
    refusal(await verify(challenge, codeNow(secretIn(secret))), "INVALID_TOKEN");
  });
});

describe("A sign-in with a second factor", () => {
  it("asks for it after the password, and after a link or a code of a mail", async () => {
    const account = await anAccount(PASSWORD);
    await switchedOn((await portal.logIn(account.email, PASSWORD)).body.user.authToken);
    challengeIn(await portal.logIn(account.email, PASSWORD));
    refusal(await portal.logIn(account.email, "another horse"), "INCORRECT_PASSWORD");
    const { secret, person } = await withTwoFactor(await aReader());
    const { token, code } = await signInMails.issue({ email: person.email, askedFrom: "" });
    const challenge = challengeIn(await invoke("auth-magic-verify", { body: { token } }));
    // The link is used up: the challenge continues.
    refusal(await invoke("auth-magic-verify", { body: { email: person.email, code } }), "INCORRECT_CODE");
    const { user, recoveryCodes } = success(await verify(challenge, codeNow(secret)), 200);
    expect(user.userId).toBe(person.userId);
    expect(recoveryCodes).toBeUndefined();
    success(await portal.profile({ token: user.authToken }), 200);
  });

  it("takes a code once, a step early or late, and none of an earlier step after it", async () => {
    // Between two calls a slow machine would come to the next step.
    later(0);
    const { secret, challenge } = await withTwoFactor(await aMember());
    refusal(await verify(challenge, codeNow(secret, 2)), "INCORRECT_CODE");
    success(await verify(challenge, codeNow(secret)), 200);
    refusal(await verify(challenge, codeNow(secret)), "INCORRECT_CODE");
    refusal(await verify(challenge, codeNow(secret, -1)), "INCORRECT_CODE");
    success(await verify(challenge, codeNow(secret, 1)), 200);
  });

  it("reads a code with blanks and in full-width digits", async () => {
    const { secret, challenge } = await withTwoFactor(await aMember());
    const code = codeNow(secret);
    success(await verify(challenge, ` ${code.slice(0, 3)} ${code.slice(3)} `), 200);
    const wide = [...codeNow(secret, 1)].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join("");
    success(await verify(challenge, wide), 200);
  });

  it("takes each recovery code once, in any case and with a hyphen, and tells of it by mail", async () => {
    const { person, challenge, recoveryCodes } = await withTwoFactor(await aReader());
    const [code = "", other = ""] = recoveryCodes;
    const typed = `${code.slice(0, 5).toLowerCase()}-${code.slice(5)}`;
    success(await verify(challenge, typed), 200);
    expect((await sendLetters()).map(({ to, subject }) => [to, subject])).toEqual([
      [person.email, "A recovery code was used"],
    ]);
    refusal(await verify(challenge, typed), "INCORRECT_CODE");
    success(await verify(challenge, other), 200);
    await expectSound();
  });

  generated("opens one session by one code that is sent 12 times in parallel", async ({ below }) => {
    const { secret, challenge, recoveryCodes } = await withTwoFactor(await aMember());
    for (const code of [codeNow(secret), recoveryCodes[0] as string]) {
      const replies = await withFaults(conflicts(2, below), () => atOnce(12, () => verify(challenge, code)));
      expect(tally(replies)).toEqual({ 200: 1, "401 INCORRECT_CODE": 11 });
    }
    await expectSound();
  });

  it("rejects other tokens as a challenge, and a challenge as a session", async () => {
    const { person, secret, challenge } = await withTwoFactor(await aMember());
    for (const token of [person.token, "", "a.b.c", `${challenge}x`, challenge.slice(0, -4)]) {
      refusal(await verify(token, codeNow(secret)), "INVALID_TOKEN");
      refusal(await enrol(token), "INVALID_TOKEN");
    }
    refusal(await portal.profile({ token: challenge }), "INVALID_TOKEN");
    const old = await challenges.issue(person, Date.now() - 16 * 60_000);
    refusal(await verify(old, codeNow(secret)), "INVALID_TOKEN");
    // The password was reset, or all sessions were ended, since.
    await users.endSessions(person);
    refusal(await verify(challenge, codeNow(secret)), "INVALID_TOKEN");
  });

  it("cannot be enrolled anew by who has only the first factor", async () => {
    const { challenge } = await withTwoFactor(await aMember());
    refusal(await enrol(challenge), "TWO_FACTOR_ON");
  });

  it.each([{}, { challenge: "x" }, { code: "123456" }, { challenge: 1, code: [] }])("refuses %j", async (body) => {
    refusal(await invoke("auth-two-factor", { body }), "VALIDATION_ERROR");
  });

  it("leaves API keys, signup and setup as they are", async () => {
    const { owner } = await aSite();
    const body = { name: "Bot", scopes: ["post:create"] };
    const { secret } = success(await invoke("keys-create", { token: owner.token, body }), 201);
    await switchedOn(owner.token);
    success(await invoke("posts-create", { token: secret, body: { title: "By a program" } }), 201);
    success(await portal.signUp({ email: "new@example.com", password: PASSWORD }), 201);
  });
});

describe("Wrong codes", () => {
  beforeEach(() => newContainer({ RATE_LIMITS: "on" }));
  afterEach(() => newContainer({ RATE_LIMITS: "" }));

  it("are ten in five minutes from one network, which does not stop the holder elsewhere", async () => {
    const { secret, challenge } = await withTwoFactor(await aMember());
    const tries = await atOnce(14, () => verify(challenge, "000000", "198.51.100.1"));
    expect(tally(tries)).toEqual({ "401 INCORRECT_CODE": 10, "429 TOO_MANY_REQUESTS": 4 });
    success(await verify(challenge, codeNow(secret), "198.51.100.2"), 200);
  });

  it("are a hundred a day from everywhere, and networks of the holder may try on", async () => {
    const { secret, challenge } = await withTwoFactor(await aMember());
    success(await verify(challenge, codeNow(secret), "203.0.113.7"), 200);
    for (let n = 0; n < 11; n++) await atOnce(10, () => verify(challenge, "000000", `198.51.100.${n}`));
    expect((await verify(challenge, codeNow(secret, 1), "198.51.100.99")).status).toBe(429);
    success(await verify(challenge, codeNow(secret, 1), "203.0.113.7"), 200);
  });

  it("count only for who has proved the first factor", async () => {
    const { person, secret, challenge } = await withTwoFactor(await aMember());
    const forged = await challenges.issue({ ...person, tokenVersion: 99 });
    for (let n = 0; n < 11; n++) await atOnce(10, () => verify(forged, "000000", `198.51.100.${n}`));
    success(await verify(challenge, codeNow(secret), "198.51.100.99"), 200);
  });
});

describe("Switching the second factor off", () => {
  const end = ({ token }: { token: string }, code: string) => invoke("users-end-two-factor", { token, body: { code } });

  it("needs a code, and keeps the session", async () => {
    const { person, secret, challenge } = await withTwoFactor(await aReader());
    refusal(await end(person, "000000"), "INCORRECT_CODE");
    success(await end(person, codeNow(secret)), 204);
    expect(success(await portal.profile(person), 200).user.twoFactor).toBe(false);
    refusal(await end(person, codeNow(secret, 1)), "TWO_FACTOR_OFF");
    refusal(await verify(challenge, codeNow(secret, 1)), "INVALID_TOKEN");
    expect((await sendLetters()).map(({ subject }) => subject)).toEqual(["Two-step sign-in is off"]);
    await expectSound();
  });

  it("takes a recovery code, and no code that has signed in", async () => {
    // At the next step the app would show another code.
    later(0);
    const { person, secret, challenge, recoveryCodes } = await withTwoFactor(await aMember());
    success(await verify(challenge, codeNow(secret)), 200);
    refusal(await end(person, codeNow(secret)), "INCORRECT_CODE");
    success(await end(person, recoveryCodes[3] as string), 204);
  });

  it("is for the owner to do for others, whose sessions end, and not for themselves", async () => {
    const { owner } = await aSite();
    const { person } = await withTwoFactor(await aUser("moderator"));
    const reset = (userId: string, token: string) => invoke("users-reset-two-factor", { token, params: { userId } });
    refusal(await reset(person.userId, person.token), "NOT_ENOUGH_PERMISSION");
    const on = await switchedOn(owner.token);
    const token = on.user.authToken;
    refusal(await reset(owner.userId, token), "NOT_ENOUGH_PERMISSION");
    success(await reset(person.userId, token), 204);
    refusal(await portal.profile(person), "INVALID_TOKEN");
    refusal(await reset(person.userId, token), "TWO_FACTOR_OFF");
    const old = await tokens.issue({ userId: owner.userId, tokenVersion: 2 }, Date.now() - 11 * 60_000);
    refusal(await reset(person.userId, old), "SIGN_IN_AGAIN");
    await expectSound();
  });
});

describe("Recovery codes", () => {
  const left = ({ token }: { token: string }) => invoke("users-recovery-codes", { token });
  const renew = ({ token }: { token: string }, code: string) =>
    invoke("users-renew-recovery-codes", { token, body: { code } });

  it("are counted, and end once there are new ones", async () => {
    // At the next step the app would show another code.
    later(0);
    const { person, secret, challenge, recoveryCodes } = await withTwoFactor(await aReader());
    expect(success(await left(person), 200)).toEqual({ left: 10 });
    success(await verify(challenge, recoveryCodes[0] as string), 200);
    expect(success(await left(person), 200)).toEqual({ left: 9 });
    refusal(await renew(person, "000000"), "INCORRECT_CODE");
    const { recoveryCodes: renewed } = success(await renew(person, codeNow(secret)), 200);
    expect(renewed).toHaveLength(10);
    expect(success(await left(person), 200)).toEqual({ left: 10 });
    refusal(await verify(challenge, recoveryCodes[1] as string), "INCORRECT_CODE");
    // The code of the app is used up.
    refusal(await verify(challenge, codeNow(secret)), "INCORRECT_CODE");
    success(await verify(challenge, renewed[0]), 200);
    expect((await sendLetters()).map(({ subject }) => subject)).toContain("New recovery codes");
    await expectSound();
  });

  it("are made anew by one of them, once", async () => {
    const { person, recoveryCodes } = await withTwoFactor(await aMember());
    const [code = ""] = recoveryCodes;
    const replies = await atOnce(2, () => renew(person, code));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
    refusal(await renew(person, code), "INCORRECT_CODE");
  });

  it("are none without a second factor", async () => {
    const person = await aMember();
    refusal(await left(person), "TWO_FACTOR_OFF");
    refusal(await renew(person, "000000"), "TWO_FACTOR_OFF");
  });
});

describe("A site that requires a second factor of its team", () => {
  /** Its owner has one. */
  async function strict() {
    const { owner } = await aSite();
    const require = (token: string) => invoke("settings-update", { token, body: { requireTwoFactor: true } });
    refusal(await require(owner.token), "TWO_FACTOR_OFF");
    const { user, secret } = await switchedOn(owner.token);
    expect(success(await require(user.authToken), 200).settings.requireTwoFactor).toBe(true);
    return { ...owner, token: user.authToken as string, secret };
  }

  async function signedIn({ email }: Person): Promise<Reply> {
    const { token } = await signInMails.issue({ email, askedFrom: "" });
    return invoke("auth-magic-verify", { body: { token } });
  }

  it("lets moderators in once they have switched one on, and members as before", async () => {
    await strict();
    success(await signedIn(await aReader()), 200);
    const challenge = challengeIn(await signedIn(await aReader("moderator")), false);
    const { secret } = success(await enrol(challenge), 200);
    const { user, recoveryCodes } = success(await verify(challenge, codeNow(secretIn(secret))), 200);
    expect(recoveryCodes).toHaveLength(10);
    success(await portal.profile({ token: user.authToken }), 200);
  });

  it("keeps the owner's and moderators' on", async () => {
    const owner = await strict();
    later();
    const off = { token: owner.token, body: { code: codeNow(owner.secret) } };
    refusal(await invoke("users-end-two-factor", off), "TWO_FACTOR_REQUIRED");
  });

  it("ends the sessions of a new moderator without one, and of no other", async () => {
    const { token } = await strict();
    const promote = (userId: string) =>
      invoke("users-update", { token, params: { userId }, body: { role: "moderator" } });
    const without = await aReader();
    success(await promote(without.userId), 200);
    refusal(await portal.profile(without), "INVALID_TOKEN");
    const { person } = await withTwoFactor(await aReader());
    success(await promote(person.userId), 200);
    success(await portal.profile(person), 200);
    await expectSound();
  });
});

describe("The second factor of an account", () => {
  it("that a stranger made in advance ends when the holder of the address comes", async () => {
    const { person } = await withTwoFactor(await aUser("moderator"));
    const { token } = await signInMails.issue({ email: person.email, askedFrom: "" });
    const { user } = success(await invoke("auth-magic-verify", { body: { token } }), 200);
    expect(success(await portal.profile({ token: user.authToken }), 200).user.twoFactor).toBe(false);
    expect((await scan()).map(({ pk }) => pk)).not.toContain(key.twoFactor(person.userId).pk);
    await expectSound();
  });

  it("stays when a confirmed person sets a new password", async () => {
    const { person } = await withTwoFactor(await aReader());
    success(await invoke("auth-password-reset", { body: { email: person.email } }), 200);
    const [letter] = await sendLetters();
    const [, token = ""] = /token=([\w-]+)/.exec(letter?.text ?? "") ?? [];
    success(await invoke("auth-password-set", { body: { token, password: PASSWORD } }), 200);
    challengeIn(await portal.logIn(person.email, PASSWORD));
  });
});
