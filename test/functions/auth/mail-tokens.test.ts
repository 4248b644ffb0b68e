import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { handler as emailValidate } from "../../../functions/auth/email-validate.ts";
import { handler as emailVerify } from "../../../functions/auth/email-verify.ts";
import { handler as logIn } from "../../../functions/auth/log-in.ts";
import { handler as passwordReset } from "../../../functions/auth/password-reset.ts";
import { handler as passwordSet } from "../../../functions/auth/password-set.ts";
import { handler as validateToken } from "../../../functions/auth/password-validate-token.ts";
import { handler as signUp } from "../../../functions/auth/sign-up.ts";
import { handler as profile } from "../../../functions/users/profile.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { measured } from "../../support/store/calls.ts";
import { costOf, planOf } from "../../support/store/plans.ts";
import { aMember, anAccount } from "../../support/world/fixtures.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";

const OLD = "correct horse";
const NEW = "battery staple";

beforeEach(freshTable);

async function askForReset(email: string): Promise<string> {
  await invoke(passwordReset, { body: { email } });
  return tokenIn((await sendLetters()).at(-1));
}

function set(token: unknown, password: unknown = NEW) {
  return invoke(passwordSet, { body: { token, password } });
}
async function isValid(token: string): Promise<boolean> {
  const { status, body } = await invoke(validateToken, { body: { token } });
  expect([status, body.code ?? body.reset]).toEqual(status === 200 ? [200, { valid: true }] : [401, "INVALID_TOKEN"]);
  return status === 200;
}
async function canLogIn(email: string, password: string): Promise<boolean> {
  return (await invoke(logIn, { body: { email, password } })).status === 200;
}
function validate(token: unknown, session: string | undefined) {
  return invoke(emailValidate, { token: session, body: { token } });
}
async function isVerified(token: string) {
  return (await invoke(profile, { token })).body.user.isVerified;
}

describe("The mail of signup", () => {
  it("confirms the address by its link, once only", async () => {
    const { body } = await invoke(signUp, { body: { email: "ada@example.com", password: OLD } });
    const { authToken } = body.user;
    expect(await isVerified(authToken)).toBe(false);
    const [letter] = await sendLetters();
    expect(letter).toMatchObject({ to: "ada@example.com", subject: "Welcome" });
    expect(letter?.text).toMatch(/http:\/\/localhost:3000\/email-verify\?token=[\w-]{43}\n/);
    const token = tokenIn(letter);
    const first = await validate(token, authToken);
    expect([first.status, first.body]).toEqual([200, { verify: { success: true } }]);
    expect(await isVerified(authToken)).toBe(true);
    const second = await validate(token, authToken);
    expect([second.status, second.body.code]).toEqual([401, "INVALID_TOKEN"]);
  });

  it("contains nothing that the user typed", async () => {
    const name = "Visit evil.example now";
    await invoke(signUp, { body: { email: "victim@example.com", password: OLD, name } });
    expect(JSON.stringify(await sendLetters())).not.toContain("evil");
  });

  it("contains a token that is in the table as a hash only", async () => {
    await invoke(signUp, { body: { email: "ada@example.com", password: OLD } });
    const before = await scan();
    const token = tokenIn((await sendLetters())[0]);
    const after = await scan();
    expect(before.some(({ pk }) => pk.startsWith("MAIL_TOKEN#"))).toBe(false);
    expect(JSON.stringify(after)).not.toContain(token);
    expect(after.find(({ pk }) => pk.startsWith("MAIL_TOKEN#"))).toEqual({
      ...key.mailToken("verify-email", createHash("sha256").update(token).digest("hex")),
      userId: expect.any(String),
      tokenVersion: 1,
      expiresAt: expect.any(Number),
    });
  });
});

describe("POST /auth/email/verify", () => {
  it("mails another link; the earlier one stays valid", async () => {
    const ada = await anAccount(OLD, { welcome: true });
    const welcome = tokenIn((await sendLetters())[0]);
    const { status, body } = await invoke(emailVerify, { token: ada.token });
    expect([status, body]).toEqual([200, { verify: { success: true } }]);
    const [letter] = await sendLetters();
    expect(letter).toMatchObject({ to: ada.email, subject: "Confirm your e-mail address" });
    expect((await validate(tokenIn(letter), ada.token)).status).toBe(200);
    expect((await validate(welcome, ada.token)).status).toBe(200);
  });

  it("sends nothing if the address is confirmed", async () => {
    const ada = await anAccount(OLD, { welcome: true });
    await validate(tokenIn((await sendLetters())[0]), ada.token);
    expect((await invoke(emailVerify, { token: ada.token })).body).toEqual({ verify: { success: true } });
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });

  it("needs a bearer token", async () => {
    const { status, body } = await invoke(emailVerify);
    expect([status, body.code]).toEqual([401, "INVALID_AUTH_HEADER"]);
  });
});

describe("POST /auth/email/validate", () => {
  it("confirms once if one token is sent 32 times at once", async () => {
    const ada = await anAccount(OLD, { welcome: true });
    const token = tokenIn((await sendLetters())[0]);
    const replies = await Promise.all(Array.from({ length: 32 }, () => validate(token, ada.token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === "INVALID_TOKEN")).toHaveLength(31);
    expect(await isVerified(ada.token)).toBe(true);
  });

  it("confirms nothing without a session of the account: not by a click of whose address somebody else signed up with", async () => {
    const [thief, victim] = [await anAccount(OLD, { welcome: true }), await anAccount(OLD)];
    const token = tokenIn((await sendLetters())[0]);
    const none = await validate(token, undefined);
    expect([none.status, none.body.code]).toEqual([401, "INVALID_AUTH_HEADER"]);
    const foreign = await validate(token, victim.token);
    expect([foreign.status, foreign.body.code]).toEqual([401, "INVALID_TOKEN"]);
    expect([await isVerified(thief.token), await isVerified(victim.token)]).toEqual([false, false]);
    // Neither used it up.
    expect((await validate(token, thief.token)).status).toBe(200);
  });

  it.each([[undefined], [null], [7], [{}], [["a"]], ["\ud800"], ["a\0b"]])("refuses %j as malformed", async (token) => {
    const session = (await aMember()).token;
    for (const endpoint of [emailValidate, validateToken, passwordSet]) {
      const { status, body } = await invoke(endpoint, { token: session, body: { token, password: NEW } });
      expect([status, body.code, body.errors[0].path]).toEqual([400, "VALIDATION_ERROR", "body.token"]);
    }
  });

  it.each([[""], ["abc"], ["x".repeat(43)], ["a#b"], ["x".repeat(5000)]])(
    "answers INVALID_TOKEN to %j",
    async (token) => {
      expect((await validate(token, (await aMember()).token)).body.code).toBe("INVALID_TOKEN");
      expect((await set(token)).body.code).toBe("INVALID_TOKEN");
      expect(await isValid(token)).toBe(false);
    },
  );
});

describe("POST /auth/password/reset", () => {
  it("mails a link that sets a new password", async () => {
    const { email } = await anAccount(OLD);
    const { status, body } = await invoke(passwordReset, { body: { email: email.toUpperCase() } });
    expect([status, body]).toEqual([200, { reset: { success: true } }]);
    const [letter] = await sendLetters();
    expect(letter).toMatchObject({ to: email, subject: "Set a new password" });
    expect(letter?.text).toMatch(/http:\/\/localhost:3000\/password-reset\/confirm\?token=[\w-]{43}\n/);
  });

  it("answers the same after the same work for an unknown address, which gets no mail", async () => {
    const { email } = await anAccount(OLD);
    const known = await measured(() => invoke(passwordReset, { body: { email } }));
    await sendLetters();
    const unknown = await measured(() => invoke(passwordReset, { body: { email: "nobody@example.com" } }));
    const told = ({ status, body, calls }: typeof known) => [status, body, planOf(calls), costOf(calls)];
    expect(told(unknown)).toEqual(told(known));
    expect(planOf(known.calls)).toBe("TransactWriteItems (Put OUTBOX)");
    expect(await sendLetters()).toEqual([]);
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });

  it("refuses a missing or invalid address", async () => {
    for (const body of [undefined, {}, { email: "ada" }, { email: 7 }]) {
      const reply = await invoke(passwordReset, { body });
      expect([reply.status, reply.body.code]).toEqual([400, "EMAIL_INVALID"]);
    }
  });
});

describe("POST /auth/password/validateToken", () => {
  it("tells whether a token is valid and does not use it up", async () => {
    const { email } = await anAccount(OLD);
    const token = await askForReset(email);
    expect([await isValid(token), await isValid(token)]).toEqual([true, true]);
    expect((await set(token)).status).toBe(200);
    expect(await isValid(token)).toBe(false);
  });
});

describe("POST /auth/password/set", () => {
  it("sets the new password and revokes all bearer tokens", async () => {
    const ada = await anAccount(OLD);
    const other = (await invoke(logIn, { body: { email: ada.email, password: OLD } })).body.user.authToken;
    const { status, body } = await set(await askForReset(ada.email));
    expect([status, body]).toEqual([200, { reset: { success: true } }]);
    for (const token of [ada.token, other]) {
      const reply = await invoke(profile, { token });
      expect([reply.status, reply.body.code]).toEqual([401, "INVALID_TOKEN"]);
    }
    expect([await canLogIn(ada.email, OLD), await canLogIn(ada.email, NEW)]).toEqual([false, true]);
    const { authToken } = (await invoke(logIn, { body: { email: ada.email, password: NEW } })).body.user;
    expect((await invoke(profile, { token: authToken })).status).toBe(200);
  });

  it("confirms the address: the reader of the letter owns it", async () => {
    const ada = await anAccount(OLD);
    expect((await users.find(ada.userId))?.isVerified).toBeUndefined();
    await set(await askForReset(ada.email));
    expect((await users.find(ada.userId))?.isVerified).toBe(true);
  });

  it("sets one of 16 passwords if one token is sent 16 times at once", async () => {
    const ada = await anAccount(OLD);
    const token = await askForReset(ada.email);
    const passwords = Array.from({ length: 16 }, (_, n) => `password number ${n}`);
    const replies = await Promise.all(passwords.map((password) => set(token, password)));
    const winners = passwords.filter((_, n) => replies[n]?.status === 200);
    expect(winners).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === "INVALID_TOKEN")).toHaveLength(15);
    expect(await canLogIn(ada.email, winners[0] as string)).toBe(true);
    expect(await canLogIn(ada.email, passwords.find((each) => each !== winners[0]) as string)).toBe(false);
    expect((await users.find(ada.userId))?.tokenVersion).toBe(2);
  });

  it("invalidates the user's other mail tokens, also when used at once", async () => {
    const ada = await anAccount(OLD);
    const [first, second, third] = [
      await askForReset(ada.email),
      await askForReset(ada.email),
      await askForReset(ada.email),
    ];
    const both = await Promise.all([set(first, "the first one"), set(second, "the second one")]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await isValid(third)).toBe(false);
    expect((await set(third)).body.code).toBe("INVALID_TOKEN");
    expect((await users.find(ada.userId))?.tokenVersion).toBe(2);
  });

  it("refuses a password against the rules and does not use up the token", async () => {
    const { email } = await anAccount(OLD);
    const token = await askForReset(email);
    for (const [password, code] of [
      [undefined, "PASSWORD_MISSING"],
      [null, "PASSWORD_MISSING"],
      ["", "PASSWORD_MISSING"],
      ["seven77", "VALIDATION_ERROR"],
      ["x".repeat(129), "VALIDATION_ERROR"],
      [12345678, "VALIDATION_ERROR"],
    ]) {
      const { status, body } = await invoke(passwordSet, { body: { token, password } });
      expect([password, status, body.code]).toEqual([password, 400, code]);
    }
    expect(await isValid(token)).toBe(true);
  });

  it("does not hash for an invalid token", async () => {
    const { calls } = await set("worthless");
    expect(calls.map(({ operation }) => operation)).toEqual(["GetItem"]);
  });

  it("revokes the tokens of logins with the old password, and none of the new one, while others log in", async () => {
    const ada = await anAccount(OLD);
    const token = await askForReset(ada.email);
    const logInWith = (password: string) => invoke(logIn, { body: { email: ada.email, password } });
    // Enough of them, one after another, that some fall before the commit, some around it and some after.
    const tries = async (password: string) => {
      const replies = [];
      for (let n = 0; n < 12; n++) replies.push(await logInWith(password));
      return replies.filter(({ status }) => status === 200).map(({ body }) => body.user.authToken as string);
    };
    const [old, renewed, again, done] = await Promise.all([tries(OLD), tries(NEW), tries(NEW), set(token)]);
    expect(done.status).toBe(200);
    const alive = async (tokens: string[]) =>
      Promise.all(tokens.map(async (each) => (await invoke(profile, { token: each })).status));
    expect(await alive(old)).toEqual(old.map(() => 401));
    expect(await alive([...renewed, ...again])).toEqual([...renewed, ...again].map(() => 200));
    expect(renewed.length).toBeGreaterThan(0);
  });
});

describe("Mail tokens", () => {
  const HOURS = 60 * 60;
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  it("are valid for two hours", async () => {
    const ada = await anAccount(OLD);
    const token = await askForReset(ada.email);
    const item = (await scan()).find(({ pk }) => pk.startsWith("MAIL_TOKEN#"));
    const left = (item?.expiresAt as number) - Date.now() / 1000;
    expect(left).toBeGreaterThan(2 * HOURS - 60);
    expect(left).toBeLessThanOrEqual(2 * HOURS);
    expect(await isValid(token)).toBe(true);
  });

  it("are invalid after their time, even if the item is still there", async () => {
    const ada = await aMember();
    const reset = await mailTokens.issue("reset-password", ada, inSeconds(-1));
    const verify = await mailTokens.issue("verify-email", ada, inSeconds(0));
    expect(await isValid(reset)).toBe(false);
    expect((await set(reset)).body.code).toBe("INVALID_TOKEN");
    expect((await validate(verify, ada.token)).body.code).toBe("INVALID_TOKEN");
  });

  it("are refused at the commit if they expire after they were read", async () => {
    const ada = await aMember();
    const reset = await mailTokens.issue("reset-password", ada, inSeconds(-1));
    const verify = await mailTokens.issue("verify-email", ada, inSeconds(-1));
    expect(await mailTokens.setPassword(reset, ada, "$hash")).toBe("not good");
    expect(await mailTokens.confirmAddress(verify, ada)).toBe("not good");
  });

  it("are valid for their purpose only, not as bearer tokens, nor bearer tokens as mail tokens", async () => {
    const ada = await anAccount(OLD, { welcome: true });
    const verify = tokenIn((await sendLetters())[0]);
    const reset = await askForReset(ada.email);
    expect((await validate(reset, ada.token)).body.code).toBe("INVALID_TOKEN");
    expect((await set(verify)).body.code).toBe("INVALID_TOKEN");
    expect(await isValid(verify)).toBe(false);
    for (const token of [verify, reset]) {
      expect((await invoke(profile, { token })).body.code).toBe("INVALID_TOKEN");
    }
    expect((await validate(ada.token, ada.token)).body.code).toBe("INVALID_TOKEN");
    expect((await set(ada.token)).body.code).toBe("INVALID_TOKEN");
    expect(await isValid(ada.token)).toBe(false);
    expect([await isValid(reset), (await validate(verify, ada.token)).status]).toEqual([true, 200]);
  });
});
