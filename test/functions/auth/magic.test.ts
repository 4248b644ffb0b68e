import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { newId } from "../../../lib/values/ids.ts";
import { atOnce, invoke, type Request, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { costOf, measured, planOf } from "../../support/store/calls.ts";
import { conflicts, withFaults } from "../../support/store/faults.ts";
import { aKey, anAccount, aReader, aUser, type Person } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";

const PASSWORD = "correct horse";
const STRANGER = "new@example.com";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1";

beforeEach(freshTable);
afterEach(() => vi.useRealTimers());

function ask(email: string, more: Request = {}) {
  return invoke("auth-magic", { body: { email }, ...more });
}

function verify(body: object, more: Request = {}) {
  return invoke("auth-magic-verify", { body, ...more });
}

/** What the newest mail to an address holds. */
async function mailTo(email: string, more: Request = {}) {
  success(await ask(email, more), 200);
  const letter = (await sendLetters()).findLast(({ to }) => to === email);
  const [, code = ""] = /^([A-HJKMNP-TV-Z2-9]{8})$/m.exec(letter?.text ?? "") ?? [];
  return { letter, token: tokenIn(letter), code };
}

async function enter(body: object, more: Request = {}) {
  return success(await verify(body, more), 200).user;
}

async function aSite(fields: site.SiteChange = {}): Promise<{ owner: { token: string; email: string } }> {
  const email = "owner@example.com";
  const { user } = success(await portal.setUp({ email, password: PASSWORD }), 201);
  await site.change((await site.find()) as site.Site, fields);
  await sendLetters();
  return { owner: { token: user.authToken, email } };
}

describe("A mail that signs in", () => {
  it("has a link of 256 bits and a code of eight clear letters, which the table holds as hashes for 15 minutes", async () => {
    const { letter, token, code } = await mailTo(STRANGER);
    expect(letter?.text).toContain(`http://localhost:3000/sign-in/link?token=${token}\n`);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(letter?.html).toContain(code);
    const items = await scan();
    expect(JSON.stringify(items)).not.toContain(token);
    expect(JSON.stringify(items)).not.toContain(code);
    const expiresAt = expect.closeTo(Date.now() / 1000 + 15 * 60, -2);
    const link = createHash("sha256").update(token).digest("hex");
    const byKey = new Map(items.map((item) => [item.pk, item]));
    expect(JSON.stringify(items.filter(({ pk }) => /^(MAIL_TOKEN|SIGN_IN_CODE)#/.test(pk)))).not.toContain(STRANGER);
    expect(byKey.get(key.signInLink(link).pk)).toMatchObject({ sealed: expect.any(String), expiresAt });
    expect(byKey.get(signInMails.codeKey(STRANGER).pk)).toMatchObject({ link, tries: 0, expiresAt });
    await expectSound();
  });

  it("leads in its link to the post on which the visitor wanted something, if they ask for that", async () => {
    const postId = newId();
    const asked = async (does: string) => {
      success(await ask(STRANGER, { body: { email: STRANGER, wants: { does, postId } } }), 200);
      return (await sendLetters()).at(-1)?.text;
    };
    expect(await asked("vote")).toMatch(new RegExp(`/sign-in/link\\?token=[\\w-]{43}&wants=vote&post=${postId}\n`));
    // What was typed is in the browser that asked.
    expect(await asked("comment")).toContain("If you wrote something there, use the same browser.");
    const wrong = { does: "vote", postId: "//evil.example" };
    refusal(await ask(STRANGER, { body: { email: STRANGER, wants: wrong } }), "VALIDATION_ERROR", "body.wants.postId");
    refusal(await ask(STRANGER, { body: { email: STRANGER, wants: { does: "pay", postId } } }), "VALIDATION_ERROR");
    expect(await sendLetters()).toEqual([]);
  });

  it("says when it was asked for and with which browser, and nothing else of who asked", async () => {
    const browser = "Mozilla/5.0 evil.example (Windows NT 10.0) Chrome/142.0 Safari/537.36 Edg/142.0";
    const { letter } = await mailTo(STRANGER, { headers: { "user-agent": browser } });
    expect(letter?.text).toMatch(/Asked for on \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC, with Edge, Windows\./);
    expect(JSON.stringify(letter)).not.toContain("evil");
    const unknown = await mailTo(STRANGER, { headers: { "user-agent": "curl/8.0 evil.example" } });
    expect(unknown.letter?.text).toContain("with an unknown browser");
  });

  it("goes to addresses without an account only while signup is open, and to nobody where it is switched off", async () => {
    const { owner } = await aSite({ allowSignup: false });
    success(await ask(STRANGER), 200);
    success(await ask(owner.email), 200);
    expect((await sendLetters()).map(({ to }) => to)).toEqual([owner.email]);
    success(await ask(owner.email), 200);
    success(await invoke("settings-update", { token: owner.token, body: { magic: false } }), 200);
    expect(await sendLetters()).toEqual([]);
  });
});

describe("POST /auth/magic", () => {
  it("answers the same after the same work, whether or not the address has an account", async () => {
    const { email } = await anAccount(PASSWORD);
    const known = await measured(() => ask(email));
    const unknown = await measured(() => ask(STRANGER));
    expect(success(known, 200)).toEqual({ magic: { success: true } });
    expect(success(unknown, 200)).toEqual(success(known, 200));
    expect(planOf(known.calls)).toBe("GetItem SITE ; TransactWriteItems (Put OUTBOX)");
    expect(planOf(unknown.calls)).toBe(planOf(known.calls));
    expect(costOf(unknown.calls)).toEqual(costOf(known.calls));
  });

  it.each([undefined, null, "", "nobody", 7])("refuses the address %j", async (email) => {
    refusal(await invoke("auth-magic", { body: { email } }), "EMAIL_INVALID");
  });

  it("fails where the owner has switched it off, and so do earlier links and codes", async () => {
    const { owner } = await aSite();
    const { token, code } = await mailTo(owner.email);
    const ways = async () => success(await invoke("auth-providers"), 200);
    expect(await ways()).toMatchObject({ password: true, magic: true, providers: [] });
    success(await invoke("settings-update", { token: owner.token, body: { magic: false } }), 200);
    expect(await ways()).toMatchObject({ password: true, magic: false, providers: [] });
    refusal(await ask(owner.email), "MAGIC_NOT_ALLOWED");
    refusal(await verify({ token }), "MAGIC_NOT_ALLOWED");
    refusal(await verify({ email: owner.email, code }), "MAGIC_NOT_ALLOWED");
    success(await invoke("settings-update", { token: owner.token, body: { magic: true } }), 200);
    await enter({ token });
  });

  it("fails on a site without mail", async () => {
    newContainer({ MAIL_TRANSPORT: "off" });
    refusal(await ask(STRANGER), "MAIL_CONFIG_MISSING");
    refusal(await verify({ token: "x" }), "MAIL_CONFIG_MISSING");
    expect(success(await invoke("auth-providers"), 200).magic).toBe(false);
    newContainer({ MAIL_TRANSPORT: "log" });
  });
});

describe("POST /auth/magic/verify", () => {
  it.each(["link", "code"])("makes an account with a confirmed address at the first sign-in by a %s", async (way) => {
    const { token, code } = await mailTo(STRANGER);
    const proof = way === "link" ? { token } : { email: STRANGER, code };
    const user = await enter(proof);
    expect(user).toMatchObject({ email: STRANGER, name: "New member" });
    expect(success(await portal.profile({ token: user.authToken }), 200).user.isVerified).toBe(true);
    const again = await mailTo(STRANGER);
    expect((await enter({ token: again.token })).userId).toBe(user.userId);
    refusal(await portal.logIn(STRANGER, PASSWORD), "INCORRECT_PASSWORD");
    // The account gets no welcome: its address is confirmed.
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
    await expectSound();
  });

  it.each([
    ["de", "Neues Mitglied"],
    ["ja", "新しいメンバー"],
    ["nl", "New member"],
  ])("shows nothing of the address of a new account, in the language %s, until it has a name", async (liked, name) => {
    const { token } = await mailTo(STRANGER, { headers: { "accept-language": liked } });
    const user = await enter({ token }, { headers: { "accept-language": liked } });
    const by = { token: user.authToken };
    const { post } = success(await portal.post({ title: "Dark mode" }, by), 201);
    expect((await portal.shownPost(post)).author).toMatchObject({
      name,
      username: expect.stringMatching(/^user_[0-9a-z]{8}$/),
    });
    expect(success(await portal.profile(by), 200).user).toMatchObject({ name, isNamed: false });
    // Who likes the neutral name has chosen it.
    expect(success(await portal.rename(name, by), 200).user).toMatchObject({ name, isNamed: true });
    await expectSound();
  });

  it("uses up the code with the link, and the link with the code", async () => {
    const first = await mailTo(STRANGER);
    await enter({ token: first.token });
    refusal(await verify({ token: first.token }), "INVALID_TOKEN");
    refusal(await verify({ email: STRANGER, code: first.code }), "INCORRECT_CODE");
    const second = await mailTo(STRANGER);
    await enter({ email: STRANGER, code: second.code });
    refusal(await verify({ email: STRANGER, code: second.code }), "INCORRECT_CODE");
    refusal(await verify({ token: second.token }), "INVALID_TOKEN");
  });

  it("keeps the link of an earlier mail good, and takes the code of the newest", async () => {
    const first = await mailTo(STRANGER);
    const second = await mailTo(STRANGER);
    refusal(await verify({ email: STRANGER, code: first.code }), "INCORRECT_CODE");
    await enter({ token: first.token });
    await enter({ email: STRANGER, code: second.code });
  });

  it("reads a code in small or full-width letters, with blanks and hyphens, and the address in any case", async () => {
    const { code } = await mailTo(STRANGER);
    const fullWidth = [...code.slice(4)].map((sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
    const typed = ` ${code.slice(0, 4).toLowerCase()} - ${fullWidth.join("")} `;
    await enter({ email: STRANGER.toUpperCase(), code: typed });
  });

  it("gives a code five tries, however many arrive in parallel", async () => {
    const { code, token } = await mailTo(STRANGER);
    const wrong = await atOnce(24, () => verify({ email: STRANGER, code: "AAAAAAAA" }));
    expect(tally(wrong)).toEqual({ "401 INCORRECT_CODE": 24 });
    refusal(await verify({ email: STRANGER, code }), "INCORRECT_CODE");
    await enter({ token });
    const next = await mailTo(STRANGER);
    for (let n = 0; n < 4; n++) refusal(await verify({ email: STRANGER, code: "AAAAAAAA" }), "INCORRECT_CODE");
    await enter({ email: STRANGER, code: next.code });
  });

  it("makes the same store calls for a wrong code, whether or not a mail was sent", async () => {
    const { email } = await aReader();
    await mailTo(email);
    const wrong = (address: string) => measured(() => verify({ email: address, code: "AAAAAAAA" }));
    const sent = await wrong(email);
    const notSent = await wrong("nobody@example.com");
    for (const each of [sent, notSent]) refusal(each, "INCORRECT_CODE");
    expect(planOf(notSent.calls)).toBe(planOf(sent.calls));
  });

  it("fails after 15 minutes, even if the items still exist", async () => {
    const { token, code } = await mailTo(STRANGER);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 15 * 60_000 + 1000 });
    refusal(await verify({ token }), "INVALID_TOKEN");
    refusal(await verify({ email: STRANGER, code }), "INCORRECT_CODE");
  });

  it.each([{}, { email: STRANGER }, { code: "ABCDEFGH" }, { token: null }, { token: 7 }])(
    "refuses %j as incomplete",
    async (body) => {
      refusal(await verify(body), "VALIDATION_ERROR", "token" in body && body.token ? "body.token" : "body");
    },
  );

  it.each(["", "abc", "x".repeat(43), "a#b", "x".repeat(5000)])("refuses the token and the code %.9j", async (text) => {
    refusal(await verify({ token: text }), "INVALID_TOKEN");
    refusal(await verify({ email: STRANGER, code: text }), "INCORRECT_CODE");
  });

  it("rejects the token of another mail, and its own token opens nothing else", async () => {
    const { email } = await anAccount(PASSWORD, { welcome: true });
    const [welcome] = await sendLetters();
    refusal(await verify({ token: tokenIn(welcome) }), "INVALID_TOKEN");
    const { token } = await mailTo(email);
    refusal(await invoke("auth-password-validate-token", { body: { token } }), "INVALID_TOKEN");
    refusal(await portal.profile({ token }), "INVALID_TOKEN");
    await enter({ token });
  });

  generated("makes one session if one link is sent 16 times in parallel, through conflicts", async ({ below }) => {
    const { token } = await mailTo(STRANGER);
    const replies = await withFaults(conflicts(2, below), () => atOnce(16, () => verify({ token })));
    expect(tally(replies)).toEqual({ 200: 1, "401 INVALID_TOKEN": 15 });
    await expectSound();
  });

  generated("makes one account if two links are followed in parallel, through conflicts", async ({ below }) => {
    const proofs = [await mailTo(STRANGER), await mailTo(STRANGER)].map(({ token }) => ({ token }));
    const replies = await withFaults(conflicts(2, below), () => atOnce(2, (n) => verify(proofs[n] as object)));
    expect(tally(replies)).toEqual({ 200: 2 });
    expect(new Set(replies.map(({ body }) => body.user.userId)).size).toBe(1);
    await expectSound();
  });

  it("makes no account once signup is closed, and says so to who reads the mail", async () => {
    await aSite();
    const { token } = await mailTo(STRANGER);
    await site.change((await site.find()) as site.Site, { allowSignup: false });
    refusal(await verify({ token }), "SIGNUP_NOT_ALLOWED");
    expect(await users.idOf(STRANGER)).toBeUndefined();
  });

  it.each(["owner", "moderator", "member", "suspended"] as const)("keeps the role of an account: %s", async (role) => {
    const { userId, email, token: earlier } = await aReader(role);
    const { token } = await mailTo(email);
    const user = await enter({ token });
    expect(user.userId).toBe(userId);
    expect((await users.find(userId))?.role).toBe(role);
    const post = { token: user.authToken, body: { title: "By mail" } };
    if (role === "suspended") refusal(await invoke("posts-create", post), "NOT_ENOUGH_PERMISSION");
    // A confirmed account keeps its other sessions.
    success(await portal.profile({ token: earlier }), 200);
  });

  it("refuses a link that was mailed before a logout or a new password", async () => {
    const ada = await aReader();
    const { token, code } = await mailTo(ada.email);
    success(await invoke("auth-log-out", { token: ada.token }), 204);
    refusal(await verify({ token }), "INVALID_TOKEN");
    refusal(await verify({ email: ada.email, code }), "INCORRECT_CODE");
  });
});

describe("An account that a stranger made with the address of another person", () => {
  /** What the stranger has of it. */
  async function taken(): Promise<Person & { secret: string }> {
    const account = await anAccount(PASSWORD);
    return { ...account, secret: (await aKey(account)).text };
  }

  async function expectLost({ token, secret, email }: Person & { secret: string }): Promise<void> {
    refusal(await portal.profile({ token }), "INVALID_TOKEN");
    refusal(await portal.profile({ token: secret }), "INVALID_TOKEN");
    refusal(await portal.logIn(email, PASSWORD), "INCORRECT_PASSWORD");
    await expectSound();
  }

  it("loses its password, sessions and keys when that person signs in by mail", async () => {
    const stranger = await taken();
    const { token } = await mailTo(stranger.email);
    const user = await enter({ token });
    await expectLost(stranger);
    const profile = success(await portal.profile({ token: user.authToken }), 200).user;
    expect(profile).toMatchObject({ userId: stranger.userId, isVerified: true });
  });

  it("becomes that person's if the stranger signs up after the mail was sent", async () => {
    const { token } = await mailTo(STRANGER);
    const signedUp = success(await portal.signUp({ email: STRANGER, password: PASSWORD }), 201).user;
    await enter({ token });
    refusal(await portal.profile({ token: signedUp.authToken }), "INVALID_TOKEN");
    refusal(await portal.logIn(STRANGER, PASSWORD), "INCORRECT_PASSWORD");
  });

  it("keeps its password if it was the person's own, and they confirm the address meanwhile", async () => {
    const ada = await anAccount(PASSWORD, { welcome: true });
    const [welcome] = await sendLetters();
    const { token } = await mailTo(ada.email);
    const signIn = (await signInMails.findByToken(token)) as signInMails.SignIn;
    const asRead = (await users.findWithKeys(ada.userId)) as users.UserWithKeys;
    const body = { token: tokenIn(welcome) };
    success(await invoke("auth-email-validate", { token: ada.token, body }), 200);
    const place = { browser: undefined, isElsewhere: false };
    expect(await signInMails.enter(signIn, asRead, place, "no password")).toBe("changed meanwhile");
    await enter({ token });
    success(await portal.logIn(ada.email, PASSWORD), 200);
  });

  it("is taken from the stranger by the link even after the stranger logs out", async () => {
    const stranger = await taken();
    const { token } = await mailTo(stranger.email);
    success(await invoke("auth-log-out", { token: stranger.token }), 204);
    await enter({ token });
    await expectLost(stranger);
  });

  generated("does so while keys are made and sessions end, through conflicts", async ({ below }) => {
    const stranger = await aUser("moderator");
    const { token } = await mailTo(stranger.email);
    const body = { name: "Late", scopes: ["post:create"] };
    const [entered, ...keys] = await withFaults(conflicts(2, below), () =>
      atOnce(5, (n) => (n === 0 ? verify({ token }) : invoke("keys-create", { token: stranger.token, body }))),
    );
    success(entered as NonNullable<typeof entered>, 200);
    for (const { status, body } of keys) {
      if (status === 201) refusal(await portal.profile({ token: body.secret }), "INVALID_TOKEN");
    }
    refusal(await portal.profile(stranger), "INVALID_TOKEN");
    await expectSound();
  });
});

describe("A sign-in by a link", () => {
  const asked = { headers: { "user-agent": FIREFOX }, sourceIp: "198.51.100.1" };

  it("works, and the person is told of it by mail, if it comes from another browser or network", async () => {
    const { email } = await aReader();
    const places = [
      { ...asked, sourceIp: "203.0.113.9" },
      { ...asked, headers: { "user-agent": PHONE } },
    ];
    for (const place of places) {
      const { token } = await mailTo(email, asked);
      await enter({ token }, place);
      const [letter] = await sendLetters();
      expect(letter).toMatchObject({ to: email, subject: "You signed in from elsewhere" });
      expect(letter?.text).toContain("http://localhost:3000/password-reset\n");
    }
  });

  it("causes no mail if it comes from the same browser in the same network", async () => {
    const { email } = await aReader();
    const { code } = await mailTo(email, asked);
    await enter({ email, code }, asked);
    expect(await sendLetters()).toEqual([]);
  });
});
