import { beforeEach, describe, expect, it, vi } from "vitest";
import * as users from "../../../lib/accounts/users.ts";
import * as due from "../../../lib/table/due.ts";
import { atOnce, invoke, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { aKey, aMember, anAccount, aReader, aUser, type Person } from "../../support/world/fixtures.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";

const NEW = "ada@new.example";
const PASSWORD = "correct horse";

let ada: Person;

beforeEach(async () => {
  await freshTable();
  ada = await aReader();
  await sendLetters();
});

function ask(email: unknown, by: { token: string } = ada) {
  return invoke("users-change-email", { token: by.token, body: { email } });
}

function confirm(token: string, by: { token: string } = ada) {
  return invoke("auth-email-validate", { token: by.token, body: { token } });
}

/** Asks for an address. Returns the token that is mailed to it. */
async function tokenFor(email: string, by: { token: string } = ada): Promise<string> {
  expect(success(await ask(email, by), 202)).toEqual({ verify: { success: true } });
  return tokenIn((await sendLetters()).find(({ to }) => to === email));
}

async function profileOf(person: { token: string } = ada) {
  return success(await portal.profile(person), 200).user;
}

describe("A new address", () => {
  it("counts once its mail confirms it; the old one gets a mail about both", async () => {
    success(await ask(` ${NEW.toUpperCase()} `), 202);
    const letters = await sendLetters();
    // Both are sent in parallel.
    letters.sort((a) => (a.to === NEW ? -1 : 1));
    expect(letters.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: NEW, subject: "Confirm your new email address" },
      { to: ada.email, subject: "A change of your email address was requested" },
    ]);
    expect(JSON.stringify(letters[1])).not.toContain(NEW);
    expect(await profileOf()).toMatchObject({ email: ada.email, newEmail: NEW });
    expect(await users.idOf(NEW)).toBeUndefined();
    success(await confirm(tokenIn(letters[0])), 200);
    expect(await profileOf()).toMatchObject({ email: NEW, newEmail: null, isVerified: true });
    const [told] = await sendLetters();
    expect(told).toMatchObject({ to: ada.email, subject: "Your email address has changed" });
    expect(await users.idOf(ada.email)).toBeUndefined();
    expect(await users.idOf(NEW)).toBe(ada.userId);
    refusal(await confirm(tokenIn(letters[0])), "INVALID_TOKEN");
    await expectSound();
  });

  it("signs in, and the old one becomes free for a signup", async () => {
    const grace = await anAccount(PASSWORD);
    success(await confirm(await tokenFor(NEW, grace), grace), 200);
    success(await portal.logIn(NEW, PASSWORD), 200);
    refusal(await portal.logIn(grace.email, PASSWORD), "INCORRECT_PASSWORD");
    success(await portal.signUp({ email: grace.email, password: PASSWORD }), 201);
    await expectSound();
  });

  it("corrects a mistyped one at sign-up, without a mail to that one", async () => {
    const { user } = success(await portal.signUp({ email: "typo@exmaple.com", password: PASSWORD }), 201);
    const session = { token: user.authToken };
    await sendLetters();
    const token = await tokenFor(NEW, session);
    success(await confirm(token, session), 200);
    expect(await profileOf(session)).toMatchObject({ email: NEW, isVerified: true });
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });

  it("ends neither sessions nor API keys", async () => {
    const moderator = await aUser("moderator");
    const key = await aKey(moderator);
    success(await confirm(await tokenFor(NEW, moderator), moderator), 200);
    expect((await profileOf(moderator)).email).toBe(NEW);
    expect((await profileOf({ token: key.text })).email).toBe(NEW);
  });

  it("makes links to the old one worthless: to confirm it, and to set a password", async () => {
    const grace = await anAccount(PASSWORD, { welcome: true });
    await invoke("auth-password-reset", { body: { email: grace.email } });
    const letters = await sendLetters();
    const welcome = letters.find(({ subject }) => subject.startsWith("Welcome"));
    const reset = letters.find(({ subject }) => subject === "Set a new password");
    success(await confirm(await tokenFor(NEW, grace), grace), 200);
    refusal(await confirm(tokenIn(welcome), grace), "INVALID_TOKEN");
    const body = { token: tokenIn(reset), password: "battery staple" };
    refusal(await invoke("auth-password-set", { body }), "INVALID_TOKEN");
    success(await portal.logIn(NEW, PASSWORD), 200);
  });
});

describe("A request for a new address", () => {
  it("needs a session of the last ten minutes, a right address and a mail sender", async () => {
    refusal(await ask("not an address"), "EMAIL_INVALID");
    refusal(await ask(NEW, { token: (await aKey(ada)).text }), "KEY_NOT_ALLOWED");
    refusal(await ask(NEW, await aUser("suspended")), "NOT_ENOUGH_PERMISSION");
    await sendLetters();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
    refusal(await ask(NEW), "SIGN_IN_AGAIN");
    vi.useRealTimers();
    newContainer({ MAIL_TRANSPORT: "none" });
    refusal(await ask(NEW), "MAIL_CONFIG_MISSING");
    newContainer({ MAIL_TRANSPORT: "log" });
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });

  it("differs from a PATCH of the profile, which names it and takes the present address", async () => {
    const change = (body: object) => invoke("users-update-profile", { token: ada.token, body });
    refusal(await change({ email: NEW }), "VALIDATION_ERROR", "body.email");
    expect(success(await change({ name: "Ada", email: ada.email }), 200).user).toMatchObject({ name: "Ada" });
  });

  it("names no address of another account", async () => {
    const other = await aMember();
    await sendLetters();
    refusal(await ask(other.email), "USER_EXISTS");
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });

  it("replaces the one before it, and the present address withdraws it", async () => {
    const first = await tokenFor(NEW);
    const second = await tokenFor("ada@other.example");
    refusal(await confirm(first), "INVALID_TOKEN");
    success(await ask(ada.email), 202);
    expect((await profileOf()).newEmail).toBeNull();
    refusal(await confirm(second), "INVALID_TOKEN");
    const third = await tokenFor(NEW);
    success(await confirm(third), 200);
    expect((await profileOf()).email).toBe(NEW);
    await expectSound();
  });

  it("ends after two hours, with a logout and with a new password", async () => {
    const late = await tokenFor(NEW);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 3_600_000 + 1000 });
    refusal(await confirm(late), "INVALID_TOKEN");
    expect((await profileOf()).newEmail).toBeNull();
    vi.useRealTimers();
    const grace = await anAccount(PASSWORD);
    const token = await tokenFor("grace@new.example", grace);
    success(await invoke("auth-log-out", { token: grace.token }), 204);
    const { user } = success(await portal.logIn(grace.email, PASSWORD), 200);
    refusal(await confirm(token, { token: user.authToken }), "INVALID_TOKEN");
    await expectSound();
  });

  it("stays useless to another account that is signed in", async () => {
    const token = await tokenFor(NEW);
    refusal(await confirm(token, await aMember()), "OTHER_ACCOUNT");
    success(await confirm(token), 200);
  });
});

describe("Two accounts that want one address", () => {
  it("get it once: who confirms first has it", async () => {
    const grace = await aReader();
    const asked = [
      { by: ada, token: await tokenFor(NEW) },
      { by: grace, token: await tokenFor(NEW, grace) },
    ];
    const replies = await Promise.all(asked.map(({ by, token }) => confirm(token, by)));
    expect(tally(replies)).toEqual({ 200: 1, "409 USER_EXISTS": 1 });
    await expectSound();
  });

  it("leave it to a signup that comes in between", async () => {
    const token = await tokenFor(NEW);
    success(await portal.signUp({ email: NEW, password: PASSWORD }), 201);
    refusal(await confirm(token), "USER_EXISTS");
    expect(await profileOf()).toMatchObject({ email: ada.email });
    await expectSound();
  });

  it("may be a confirmation and a signup at one moment", async () => {
    const token = await tokenFor(NEW);
    const [confirmed, signedUp] = await Promise.all([
      confirm(token),
      portal.signUp({ email: NEW, password: PASSWORD }),
    ]);
    const wins = [confirmed.status === 200, signedUp.status === 201].filter(Boolean);
    expect(wins).toHaveLength(1);
    await expectSound();
  });

  it("see one change if one token is sent 16 times in parallel", async () => {
    const token = await tokenFor(NEW);
    const replies = await atOnce(16, () => confirm(token));
    expect(tally(replies)).toEqual({ 200: 1, "401 INVALID_TOKEN": 15 });
    await expectSound();
  });
});

describe("Mails that wait while an address changes", () => {
  it("go to no address that the account has given up, and all leave the outbox", async () => {
    const grace = await anAccount(PASSWORD);
    const token = await tokenFor(NEW, grace);
    success(await invoke("auth-email-verify", { token: grace.token }), 200);
    success(await ask("grace@third.example", grace), 202);
    success(await ask(NEW, grace), 202);
    success(await confirm(token, grace), 200);
    expect(await sendLetters()).toEqual([]);
  });
});
