import { describe, expect, it } from "vitest";
import * as users from "../../../lib/accounts/users.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import { atOnce, invoke, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { costOf, measured, planOf } from "../../support/store/calls.ts";
import { aMember, anAccount, aPost } from "../../support/world/fixtures.ts";
import { countHashes, hashOfTyped, outdatedHash } from "../../support/world/passwords.ts";

const PASSWORD = "correct horse";

async function storedHash(email: string): Promise<string> {
  return (await users.findForLogin(email))?.credentials.passwordHash ?? "none";
}

describe("POST /auth/login", () => {
  it("answers like signup, with another token, to the address in any case with blanks around it", async () => {
    const signUp = await portal.signUp({ email: "ada@example.com", password: PASSWORD, name: "Ada" });
    const { authToken: firstToken, ...signedUp } = success(signUp, 201).user;
    const body = success(await portal.logIn("  ADA@example.com ", PASSWORD), 200);
    const { authToken, ...user } = body.user;
    expect(Object.keys(body)).toEqual(["user"]);
    expect(user).toEqual(signedUp);
    expect(authToken).not.toBe(firstToken);
    for (const token of [authToken, firstToken]) success(await portal.profile({ token }), 200);
  });

  // That both hashes cost the same: test/lib/auth/passwords.test.ts.
  it("answers an unknown address and a wrong password alike, after the same reads and one hash", async () => {
    const { email } = await anAccount(PASSWORD);
    const attempt = (address: string) => countHashes(() => measured(() => portal.logIn(address, "wrong horse")));
    const { result: wrong, hashes } = await attempt(email);
    const unknown = await attempt("nobody@example.com");
    refusal(wrong, "INCORRECT_PASSWORD");
    expect(unknown.result.body).toEqual(wrong.body);
    expect(unknown.result.headers).toEqual(wrong.headers);
    expect(hashes).toBe(1);
    expect(unknown.hashes).toBe(1);
    expect(planOf(wrong.calls)).toBe("BatchGetItem 2 EMAIL SITE ; BatchGetItem 2 USER CREDENTIALS");
    expect(planOf(unknown.result.calls)).toBe(planOf(wrong.calls));
    expect(costOf(unknown.result.calls)).toEqual(costOf(wrong.calls));
  });

  it.each([
    ["EMAIL_INVALID", undefined, undefined],
    ["PASSWORD_MISSING", "ada@example.com", undefined],
    ["PASSWORD_MISSING", "ada@example.com", ""],
  ])("answers %s to the address %j with the password %j", async (code, email, password) => {
    const reply = await portal.logIn(email, password);
    refusal(reply, code);
    expect(reply.calls).toEqual([]);
  });

  it("signs in a suspended user, who still may not vote", async () => {
    const { email } = await anAccount(PASSWORD, { role: "suspended" });
    const { authToken: token } = success(await portal.logIn(email, PASSWORD), 200).user;
    refusal(await portal.vote(await aPost(await aMember()), { token }), "NOT_ENOUGH_PERMISSION");
  });

  it("hashes a password anew, once, if its stored hash has old parameters", async () => {
    const { email, userId } = await anAccount(PASSWORD);
    const old = outdatedHash(PASSWORD);
    await users.rehash(userId, await storedHash(email), old);
    refusal(await portal.logIn(email, "wrong horse"), "INCORRECT_PASSWORD");
    expect(await storedHash(email)).toBe(old);
    expect(tally(await atOnce(8, () => portal.logIn(email, PASSWORD)))).toEqual({ 200: 8 });
    const renewed = await storedHash(email);
    expect(renewed).not.toBe(old);
    expect(await passwords.verify(PASSWORD, renewed)).toEqual({ isRight: true, isOutdated: false });
    expect((await portal.logIn(email, PASSWORD)).calls).toHaveLength(2);
    expect(await storedHash(email)).toBe(renewed);
  });

  it("takes the password in another Unicode form than signup did, and hashes one anew that was kept as typed", async () => {
    const typed = "P\u00e4sswort-\u00fc\u00f6 99";
    const sent = typed.normalize("NFD").replace(" ", "\u00a0");
    const { email, userId } = await anAccount(sent);
    for (const form of [typed, sent]) success(await portal.logIn(email, form), 200);
    const earlier = hashOfTyped(sent);
    await users.rehash(userId, await storedHash(email), earlier);
    // Another device cannot know what was typed, until the device that does signs in.
    refusal(await portal.logIn(email, typed), "INCORRECT_PASSWORD");
    success(await portal.logIn(email, sent), 200);
    expect(await storedHash(email)).not.toBe(earlier);
    success(await portal.logIn(email, typed), 200);
    for (const other of [typed.toUpperCase(), ` ${typed}`, "Passwort-uo 99"])
      refusal(await portal.logIn(email, other), "INCORRECT_PASSWORD");
  });

  it("keeps a password that changes while the old one is hashed anew", async () => {
    const { email, userId } = await anAccount(PASSWORD);
    const before = await storedHash(email);
    await users.rehash(userId, before, "$changed");
    await users.rehash(userId, before, "$late");
    expect(await storedHash(email)).toBe("$changed");
  });
});

async function session(email: string): Promise<{ token: string }> {
  return { token: success(await portal.logIn(email, PASSWORD), 200).user.authToken };
}

describe("POST /auth/logout", () => {
  it("revokes all sessions of the account and of no other, and keeps the password", async () => {
    const ada = await anAccount(PASSWORD);
    const grace = await aMember();
    const phone = await session(ada.email);
    success(await invoke("auth-log-out", { token: ada.token }), 204);
    for (const session of [ada, phone]) refusal(await portal.profile(session), "INVALID_TOKEN");
    success(await portal.profile(grace), 200);
    success(await portal.profile(await session(ada.email)), 200);
    await expectSound();
  });

  it("revokes the sessions once if 16 devices ask in parallel, and the next login is good", async () => {
    const { userId, email, token } = await anAccount(PASSWORD);
    const replies = await atOnce(16, () => invoke("auth-log-out", { token }));
    // A call that came after the commit has no session any more.
    for (const { status } of replies) expect([204, 401]).toContain(status);
    expect((await users.find(userId))?.tokenVersion).toBe(2);
    success(await portal.profile(await session(email)), 200);
    await expectSound();
  });
});
