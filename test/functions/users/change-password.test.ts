import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as users from "../../../lib/accounts/users.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { setFields } from "../../../lib/table/changes.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { noAddressOf } from "../../../lib/values/no-address.ts";
import { atOnce, invoke, type Reply, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { aKey, anAccount, anOwner, aReader, aUser, type Person } from "../../support/world/fixtures.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";
import { countHashes } from "../../support/world/passwords.ts";
import { codeNow, withTwoFactor } from "../../support/world/two-factor.ts";

const PASSWORD = "correct horse";
const NEW = "battery staple";
const ELEVEN_MINUTES = 11 * 60 * 1000;

let ada: Person;

beforeEach(async () => {
  await freshTable();
  ada = await aPersonWith(PASSWORD);
});

afterEach(() => newContainer({ MAIL_TRANSPORT: "log", COMMON_PASSWORDS: "allow" }));

/** A person with a confirmed address, and a password. */
async function aPersonWith(password: string): Promise<Person> {
  const person = await anAccount(password);
  await transact({ user: setFields(key.user(person.userId), { isVerified: true }) });
  return { ...person, isVerified: true };
}

/** A person who signs in by other ways than a password. */
async function withoutPassword(person: Person): Promise<Person> {
  await transact({ credentials: setFields(key.credentials(person.userId), { passwordHash: passwords.hashOfNone }) });
  return person;
}

/** The same account in a session that is older than ten minutes. */
async function later(person: Person): Promise<Person> {
  return { ...person, token: await tokens.issue(person, Date.now() - ELEVEN_MINUTES) };
}

function send({ token }: { token: string }, body: object): Promise<Reply> {
  return invoke("users-change-password", { token, body });
}

function change(by: { token: string }, password = PASSWORD, newPassword = NEW): Promise<Reply> {
  return send(by, { password, newPassword });
}

function timesOf(token: string): { iat: number; exp: number } {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

describe("A change of the own password", () => {
  it("takes the new one from now on, ends all other sessions, and continues in this one", async () => {
    const phone = success(await portal.logIn(ada.email, PASSWORD), 200).user.authToken;
    const { user } = success(await change(ada), 200);
    expect(user).toMatchObject({ userId: ada.userId, email: ada.email });
    expect(success(await portal.profile({ token: user.authToken }), 200).user.userId).toBe(ada.userId);
    for (const token of [phone, ada.token]) refusal(await portal.profile({ token }), "INVALID_TOKEN");
    refusal(await portal.logIn(ada.email, PASSWORD), "INCORRECT_PASSWORD");
    success(await portal.logIn(ada.email, NEW), 200);
    await expectSound();
  });

  it("makes the session neither younger nor longer", async () => {
    const old = await later(ada);
    const { iat, exp } = timesOf(old.token);
    const { authToken: token } = success(await change(old), 200).user;
    expect(timesOf(token)).toMatchObject({ iat, exp });
    refusal(await invoke("users-two-factor", { token }), "SIGN_IN_AGAIN");
  });

  it("needs the present password, and changes nothing by a wrong one", async () => {
    const { result, hashes } = await countHashes(() => change(ada, "wrong horse"));
    refusal(result, "INCORRECT_PASSWORD");
    expect(hashes).toBe(1);
    for (const body of [{}, { password: null }, { password: "" }])
      refusal(await send(ada, { ...body, newPassword: NEW }), "PASSWORD_MISSING");
    success(await portal.profile(ada), 200);
    success(await portal.logIn(ada.email, PASSWORD), 200);
    expect(await sendLetters()).toEqual([]);
  });

  it("takes both passwords in any Unicode form", async () => {
    const typed = "P\u00e4sswort-\u00fc\u00f6 99";
    const sent = typed.normalize("NFD").replace(" ", "\u00a0");
    const { authToken: token } = success(await change(ada, PASSWORD, typed), 200).user;
    success(await portal.logIn(ada.email, sent), 200);
    success(await change({ token }, sent, NEW), 200);
    success(await portal.logIn(ada.email, NEW), 200);
  });

  it("asks the new one for what a signup asks", async () => {
    newContainer({ COMMON_PASSWORDS: "refuse" });
    for (const newPassword of ["2short", "x".repeat(129), "password1", 5])
      refusal(await send(ada, { password: PASSWORD, newPassword }), "VALIDATION_ERROR", "body.newPassword");
    refusal(await change(ada, PASSWORD, ""), "PASSWORD_MISSING");
    success(await portal.logIn(ada.email, PASSWORD), 200);
  });

  it("keeps API keys", async () => {
    const mary = await aUser("moderator");
    await users.rehash(mary.userId, "no password", await passwords.hash(PASSWORD));
    const { text: token } = await aKey(mary);
    success(await change(mary), 200);
    success(await portal.profile({ token }), 200);
  });

  it("keeps the second factor, which the next sign-in asks for", async () => {
    const { person, secret } = await withTwoFactor(ada);
    const { authToken: token } = success(await change(person), 200).user;
    success(await portal.profile({ token }), 200);
    const asked = await portal.logIn(ada.email, NEW);
    refusal(asked, "TWO_FACTOR_NEEDED");
    const { challenge } = asked.body.twoFactor;
    success(await invoke("auth-two-factor", { body: { challenge, code: codeNow(secret) } }), 200);
  });

  it("is told by mail to a confirmed address, and leaves an unconfirmed one as it is", async () => {
    success(await change(ada), 200);
    const [letter, ...others] = await sendLetters();
    expect(letter).toMatchObject({ to: ada.email, subject: "Your password was changed" });
    expect(letter?.text).toContain("/password-reset");
    expect(others).toEqual([]);
    const grace = await anAccount(PASSWORD);
    const { authToken: token } = success(await change(grace), 200).user;
    expect(success(await portal.profile({ token }), 200).user.isVerified).toBe(false);
    expect(await sendLetters()).toEqual([]);
  });

  it("works on a site without mails, and orders none", async () => {
    newContainer({ MAIL_TRANSPORT: "off", MAIL_FROM: "" });
    success(await change(ada), 200);
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });

  it("ends the wait for another address, whose link is worthless from then on", async () => {
    success(await invoke("users-change-email", { token: ada.token, body: { email: "ada@new.example" } }), 202);
    const link = tokenIn((await sendLetters()).find(({ to }) => to === "ada@new.example"));
    const { authToken: token } = success(await change(ada), 200).user;
    expect(success(await portal.profile({ token }), 200).user.newEmail).toBeNull();
    refusal(await invoke("auth-email-validate", { token, body: { token: link } }), "INVALID_TOKEN");
  });

  it("is open to suspended people, as a reset is", async () => {
    success(await change(await anAccount(PASSWORD, { role: "suspended" })), 200);
  });

  it("is made once by calls in parallel", async () => {
    const replies = await atOnce(6, (n) => change(ada, PASSWORD, `${NEW} ${n}`));
    expect(tally(replies)).toEqual({ 200: 1, "401 INVALID_TOKEN": 5 });
    const made = replies.findIndex(({ status }) => status === 200);
    success(await portal.logIn(ada.email, `${NEW} ${made}`), 200);
    await expectSound();
  });
});

describe("An account without a password", () => {
  it("gets its first one in a young session, and is told so", async () => {
    const person = await withoutPassword(await aReader());
    refusal(await send(await later(person), { newPassword: NEW }), "SIGN_IN_AGAIN");
    success(await send(person, { newPassword: NEW }), 200);
    success(await portal.logIn(person.email, NEW), 200);
    const letters = await sendLetters();
    expect(letters).toMatchObject([{ to: person.email, subject: "Your password was set" }]);
    expect(letters[0]?.text).toContain("a password was set for your account");
  });

  it("has no present one that could be right", async () => {
    const person = await withoutPassword(await aReader());
    refusal(await change(person, "any horse"), "INCORRECT_PASSWORD");
    refusal(await change(await later(person), "any horse"), "INCORRECT_PASSWORD");
    success(await send(person, { newPassword: NEW }), 200);
  });

  it("is told whether it has one with its linked sign-ins", async () => {
    const knows = async ({ token }: { token: string }) =>
      success(await invoke("users-identities", { token }), 200).hasPassword;
    expect(await knows(ada)).toBe(true);
    const person = await withoutPassword(await aReader());
    expect(await knows(person)).toBe(false);
    const { authToken: token } = success(await send(person, { newPassword: NEW }), 200).user;
    expect(await knows({ token })).toBe(true);
  });

  it("gets none without an address to sign in with", async () => {
    const person = await withoutPassword(await aReader());
    await transact({ user: setFields(key.user(person.userId), { email: noAddressOf(person.userId) }) });
    refusal(await change(person), "PASSWORD_NOT_ALLOWED");
  });
});

describe("Where the owner has switched passwords off", () => {
  it("only the owner changes theirs", async () => {
    const owner = await anOwner();
    await users.rehash(owner.userId, "no password", await passwords.hash(PASSWORD));
    success(await invoke("settings-update", { token: owner.token, body: { password: false } }), 200);
    refusal(await change(ada), "PASSWORD_NOT_ALLOWED");
    success(await change(owner), 200);
  });
});
