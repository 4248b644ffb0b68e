import { describe, expect, it } from "vitest";
import { handler as logIn } from "../../../functions/auth/log-in.ts";
import { handler as signUp } from "../../../functions/auth/sign-up.ts";
import { handler as profile } from "../../../functions/users/profile.ts";
import { handler as addVote } from "../../../functions/votes/add.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import { invoke } from "../../support/http/invoke.ts";
import { measured } from "../../support/store/calls.ts";
import { costOf, planOf } from "../../support/store/plans.ts";
import { aMember, anAccount, aPost } from "../../support/world/fixtures.ts";
import { countHashes, outdatedHash } from "../../support/world/passwords.ts";

const PASSWORD = "correct horse";

function tryAs(email: unknown, password: unknown) {
  return invoke(logIn, { body: { email, password } });
}

async function storedHash(email: string): Promise<string | undefined> {
  return (await users.findForLogin(email))?.credentials.passwordHash;
}

describe("POST /auth/login", () => {
  it("answers like signup, with another token", async () => {
    const signedUp = await invoke(signUp, { body: { email: "ada@example.com", password: PASSWORD, name: "Ada" } });
    const { status, body } = await tryAs("ada@example.com", PASSWORD);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["user"]);
    const { authToken, ...user } = body.user;
    const { authToken: firstToken, ...same } = signedUp.body.user;
    expect(user).toEqual(same);
    expect(authToken).not.toBe(firstToken);
    expect((await invoke(profile, { token: authToken })).status).toBe(200);
    expect((await invoke(profile, { token: firstToken })).status).toBe(200);
  });

  it("accepts the address trimmed and in any case, like signup", async () => {
    const { email } = await anAccount(PASSWORD);
    expect((await tryAs(`  ${email.toUpperCase()} `, PASSWORD)).status).toBe(200);
  });

  it("answers an unknown address and a wrong password alike, after the same reads", async () => {
    const { email } = await anAccount(PASSWORD);
    const wrong = await measured(() => tryAs(email, "wrong horse"));
    const unknown = await measured(() => tryAs("nobody@example.com", PASSWORD));
    expect([wrong.status, wrong.body.code]).toEqual([401, "INCORRECT_PASSWORD"]);
    expect(unknown.body).toEqual(wrong.body);
    expect(unknown.headers).toEqual(wrong.headers);
    expect(planOf(wrong.calls)).toBe("GetItem EMAIL ; GetItem CREDENTIALS | GetItem USER");
    expect([planOf(unknown.calls), costOf(unknown.calls)]).toEqual([planOf(wrong.calls), costOf(wrong.calls)]);
  });

  it("does as much work for an unknown address as for a wrong password: one hash", async () => {
    const { email } = await anAccount(PASSWORD);
    // That both hashes cost the same: test/lib/auth/passwords.test.ts.
    for (const address of [email, "nobody@example.com"]) {
      const { result, hashes } = await countHashes(() => tryAs(address, "wrong horse"));
      expect([result.status, hashes]).toEqual([401, 1]);
    }
  });

  it("answers a password against the rules like a wrong one", async () => {
    const { email } = await anAccount(PASSWORD);
    for (const password of ["x", "short", "x".repeat(129), "x".repeat(10_000), " ", "\0"]) {
      const { status, body } = await tryAs(email, password);
      expect([password.length, status, body.code]).toEqual([password.length, 401, "INCORRECT_PASSWORD"]);
    }
  });

  it.each([
    ["no address", undefined, PASSWORD, "EMAIL_INVALID"],
    ["a bad address", "ada", PASSWORD, "EMAIL_INVALID"],
    ["an address that is no text", 7, PASSWORD, "EMAIL_INVALID"],
    ["neither", undefined, undefined, "EMAIL_INVALID"],
    ["no password", "ada@example.com", undefined, "PASSWORD_MISSING"],
    ["an empty password", "ada@example.com", "", "PASSWORD_MISSING"],
    ["a password that is no text", "ada@example.com", 12345678, "VALIDATION_ERROR"],
    ["a password with a lone surrogate", "ada@example.com", "\ud800", "VALIDATION_ERROR"],
  ])("answers 400 for %s", async (_, email, password, code) => {
    const { status, body, calls } = await tryAs(email, password);
    expect([status, body.code, calls]).toEqual([400, code, []]);
  });

  it("signs in a suspended user, who still may not vote", async () => {
    const { email } = await anAccount(PASSWORD, { role: "suspended" });
    const { status, body } = await tryAs(email, PASSWORD);
    expect(status).toBe(200);
    const { postId } = await aPost(await aMember());
    const vote = await invoke(addVote, { token: body.user.authToken, body: { postId } });
    expect([vote.status, vote.body.code]).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
  });

  it("hashes a password again, once, if the stored hash has old parameters", async () => {
    const { email, userId } = await anAccount(PASSWORD);
    const old = outdatedHash(PASSWORD);
    await users.rehash(userId, (await storedHash(email)) as string, old);
    const wrong = await tryAs(email, "wrong horse");
    expect([wrong.status, await storedHash(email)]).toEqual([401, old]);
    const replies = await Promise.all(Array.from({ length: 8 }, () => tryAs(email, PASSWORD)));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const renewed = (await storedHash(email)) as string;
    expect([renewed === old, await passwords.isOutdated(renewed)]).toEqual([false, false]);
    const later = await tryAs(email, PASSWORD);
    expect([later.status, await storedHash(email), later.calls.length]).toEqual([200, renewed, 3]);
  });

  it("does not overwrite a password that was changed meanwhile", async () => {
    const { email, userId } = await anAccount(PASSWORD);
    const before = (await storedHash(email)) as string;
    await users.rehash(userId, before, "$changed");
    await users.rehash(userId, before, "$late");
    expect(await storedHash(email)).toBe("$changed");
  });
});
