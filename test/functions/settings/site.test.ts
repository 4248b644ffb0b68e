import { beforeEach, describe, expect, it } from "vitest";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import { atOnce, invoke, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { costOf, measured, planOf } from "../../support/store/calls.ts";
import { aProvider } from "../../support/world/fixtures.ts";
import { sendLetters } from "../../support/world/letters.ts";
import { aSsoSecret } from "../../support/world/sso.ts";

const password = "correct horse";
const PROVIDER = { issuer: "https://id.example", clientId: "feedback", clientSecret: "secret" };
const asSetUp = {
  title: "Acme",
  description: null,
  logo: null,
  icon: null,
  accentColor: "484d7c",
  allowSignup: true,
  signupDomains: [],
  password: true,
  magic: true,
  requireTwoFactor: false,
  sendsMail: true,
  requiresVerified: false,
  googleAnalyticsId: null,
  isPoweredBy: true,
  developer_mode: false,
  firstSteps: [],
  labs: { voteOnBehalf: false },
};

beforeEach(freshTable);

async function setUp(): Promise<string> {
  const body = { email: "owner@example.com", password, siteTitle: "Acme" };
  return success(await portal.setUp(body), 201).user.authToken;
}

async function read() {
  return success(await invoke("settings-site"), 200).settings;
}

async function change(token: string, body: object) {
  return success(await invoke("settings-update", { token, body }), 200).settings;
}

describe("GET /settings/site and /auth/setup", () => {
  it("answer defaults before setup, then the title, and whether the site is set up", async () => {
    expect(await read()).toEqual({ ...asSetUp, title: "Feedback" });
    expect(success(await invoke("auth-setup-status"), 200)).toEqual({ is_setup: false });
    await setUp();
    expect(await read()).toEqual(asSetUp);
    expect(success(await invoke("auth-setup-status"), 200)).toEqual({ is_setup: true });
  });
});

describe("PATCH /settings/site", () => {
  it("changes the given fields only", async () => {
    const token = await setUp();
    const body = {
      title: "  Acme & Co ",
      description: "What shall we build?",
      logo: "https://example.com/logo.svg",
      icon: "http://example.com/icon.png?v=2",
      accentColor: "FF8800",
      allowSignup: false,
      signupDomains: ["example.com"],
      password: true,
      magic: false,
      googleAnalyticsId: "G-ABC123",
      developer_mode: true,
      firstSteps: ["statuses", "share"],
    };
    const changed = { ...asSetUp, ...body, title: "Acme & Co", accentColor: "ff8800" };
    expect(await change(token, body)).toEqual(changed);
    expect(await read()).toEqual(changed);
    expect(await change(token, { title: "Acme" })).toEqual({ ...changed, title: "Acme" });
    expect(await read()).toEqual({ ...changed, title: "Acme" });
  });

  it("removes optional fields by null or empty text, and keeps required ones", async () => {
    const token = await setUp();
    const looks = { description: "d", logo: "https://example.com/l", icon: "https://example.com/i" };
    expect(await change(token, { ...looks, googleAnalyticsId: "G-1" })).toMatchObject(looks);
    await change(token, { description: "", logo: null, icon: "", googleAnalyticsId: "" });
    expect(await read()).toEqual(asSetUp);
    expect(await change(token, { title: null, accentColor: null, allowSignup: null })).toEqual(asSetUp);
  });

  it("answers the logo as the icon of a site that has none", async () => {
    const logo = "https://example.com/logo.svg";
    expect(await change(await setUp(), { logo })).toEqual({ ...asSetUp, logo, icon: logo });
  });

  it("applies all of three changes in parallel", async () => {
    const token = await setUp();
    const changes = [{ title: "All" }, { accentColor: "123456" }, { description: "kept" }] as const;
    await atOnce(3, (n) => change(token, changes[n] as object));
    expect(await read()).toEqual(Object.assign({ ...asSetUp }, ...changes));
  });

  it.each([
    ["logo", "javascript:alert(1)"],
    ["icon", "data:image/png;base64,AAAA"],
    ["accentColor", "red"],
    ["googleAnalyticsId", "G-1'>"],
    ["firstSteps.0", ["another"]],
    ["firstSteps", ["share", "share"]],
    ["signupDomains", "example.com"],
    ["signupDomains.0", ["acme"]],
    ["signupDomains.1", ["example.com", "ada@example.com"]],
    ["signupDomains", Array.from({ length: 21 }, (_, n) => `d${n}.example`)],
    ["signupDomains", Array.from({ length: 20 }, (_, n) => `${"d".repeat(40)}${n}.example`)],
  ])("refuses %s %.30j", async (name, value) => {
    const [field = ""] = name.split(".");
    const reply = await invoke("settings-update", { token: await setUp(), body: { [field]: value } });
    refusal(reply, "VALIDATION_ERROR", `body.${name}`);
    expect(await read()).toEqual(asSetUp);
  });
});

describe("GET and PATCH /settings/labs", () => {
  const labs = async () => success(await invoke("settings-labs"), 200).labs;

  it("answer the default before setup, and then what the owner switched", async () => {
    expect(await labs()).toEqual({ voteOnBehalf: false });
    const token = await setUp();
    for (const voteOnBehalf of [true, false, true]) {
      const reply = await invoke("settings-update-labs", { token, body: { voteOnBehalf } });
      expect(success(reply, 200)).toEqual({ labs: { voteOnBehalf } });
      expect(await labs()).toEqual({ voteOnBehalf });
      expect((await read()).labs).toEqual({ voteOnBehalf });
    }
  });
});

describe("POST /auth/signup while the site accepts no new accounts", () => {
  const signUp = (email: string) => portal.signUp({ email, password });

  it("answers SIGNUP_NOT_ALLOWED to valid input, until signup is allowed again", async () => {
    const token = await setUp();
    await change(token, { allowSignup: false });
    const reply = await signUp("ada@example.com");
    refusal(reply, "SIGNUP_NOT_ALLOWED");
    // Decided in the transaction.
    expect(reply.calls).toHaveLength(1);
    refusal(await signUp("owner@example.com"), "SIGNUP_NOT_ALLOWED");
    refusal(await signUp("ada"), "EMAIL_INVALID");
    await expectSound();
    await change(token, { allowSignup: true });
    success(await signUp("ada@example.com"), 201);
  });
});

describe("The domains of new accounts", () => {
  const signUp = (email: string) => portal.signUp({ email, password });

  it("let only their addresses sign up, decided in the transaction", async () => {
    const token = await setUp();
    const domains = [" Example.COM", "@bücher.example", "example.com"];
    const changed = await change(token, { signupDomains: domains });
    expect(changed.signupDomains).toEqual(["example.com", "xn--bcher-kva.example"]);
    for (const email of ["ada@example.org", "ada@sub.example.com", "ada@example.com.evil.example"]) {
      const reply = await signUp(email);
      refusal(reply, "SIGNUP_NOT_ALLOWED");
      expect(reply.calls).toHaveLength(1);
    }
    success(await signUp("Ada@EXAMPLE.com"), 201);
    success(await signUp("ada@bücher.example"), 201);
    await expectSound();
  });

  it("cost a signup no further write unit, as many as there may be", async () => {
    const token = await setUp();
    const costOfSignUp = async (email: string) => costOf((await measured(() => signUp(email))).calls);
    const without = await costOfSignUp("ada@example.com");
    const long = Array.from({ length: 19 }, (_, n) => `${"d".repeat(30)}${n}.example`);
    await change(token, { signupDomains: [...long, "example.com"] });
    expect(await costOfSignUp("grace@example.com")).toEqual(without);
    expect(without.writeUnits).toBeGreaterThan(0);
  });

  it("keep a signup closed that is closed, and let all in again once they are gone", async () => {
    const token = await setUp();
    await change(token, { signupDomains: ["example.com"], allowSignup: false });
    refusal(await signUp("ada@example.com"), "SIGNUP_NOT_ALLOWED");
    await change(token, { allowSignup: true, signupDomains: [] });
    success(await signUp("ada@example.org"), 201);
    await expectSound();
  });

  it("hold for a sign-in by mail too, and not for people whom the owner adds", async () => {
    const token = await setUp();
    await sendLetters();
    const { token: link } = await signInMails.issue({ email: "early@example.org", askedFrom: "" });
    await change(token, { signupDomains: ["example.com"] });
    for (const email of ["new@example.org", "new@example.com"])
      success(await invoke("auth-magic", { body: { email } }), 200);
    expect((await sendLetters()).map(({ to }) => to)).toEqual(["new@example.com"]);
    refusal(await invoke("auth-magic-verify", { body: { token: link } }), "SIGNUP_NOT_ALLOWED");
    success(await invoke("users-create", { token, body: { email: "ada@example.org" } }), 200);
    success(await invoke("auth-magic", { body: { email: "ada@example.org" } }), 200);
    expect((await sendLetters()).map(({ to }) => to)).toEqual(["ada@example.org"]);
  });
});

describe("A site where passwords are switched off", () => {
  const owner = { email: "owner@example.com", password };

  /** A member signs up while passwords work. */
  async function switchedOff(): Promise<string> {
    const token = await setUp();
    success(await portal.signUp({ email: "ada@example.com", password }), 201);
    await change(token, { password: false });
    return token;
  }

  it("answers the same to every login, whether or not address and password are right", async () => {
    await switchedOff();
    const attempts = [
      ["ada@example.com", password],
      ["ada@example.com", "another horse"],
      ["nobody@example.com", password],
      [owner.email, "another horse"],
    ] as const;
    const plans = new Set<string>();
    for (const [email, tried] of attempts) {
      const reply = await measured(() => portal.logIn(email, tried));
      refusal(reply, "PASSWORD_NOT_ALLOWED");
      plans.add(planOf(reply.calls));
    }
    // An unknown address has no account to read.
    expect(plans.size).toBe(1);
  });

  it("lets the owner in by a password, whatever else is switched off", async () => {
    await switchedOff();
    success(await portal.logIn(owner.email, password), 200);
    newContainer({ MAIL_TRANSPORT: "off" });
    success(await portal.logIn(owner.email, password), 200);
    newContainer({ MAIL_TRANSPORT: "log" });
  });

  it("makes no account by a password, and makes one by a mail", async () => {
    await switchedOff();
    const reply = await portal.signUp({ email: "new@example.com", password });
    refusal(reply, "SIGNUP_NOT_ALLOWED");
    expect(reply.calls).toHaveLength(1);
    const { token } = await signInMails.issue({ email: "new@example.com", askedFrom: "" });
    success(await invoke("auth-magic-verify", { body: { token } }), 200);
    await expectSound();
  });

  it("keeps sessions, and takes passwords again once they are switched on", async () => {
    const token = await switchedOff();
    const ways = async () => success(await invoke("auth-providers"), 200);
    expect(await ways()).toMatchObject({ password: false, magic: true, providers: [] });
    await change(token, { password: true });
    expect(await ways()).toMatchObject({ password: true, magic: true, providers: [] });
    success(await portal.logIn("ada@example.com", password), 200);
  });

  it("invites people by a mail that leads to the sign-in, and asks for no password", async () => {
    const token = await switchedOff();
    await sendLetters();
    success(await invoke("users-invite", { token, body: { email: "grace@example.com" } }), 200);
    const [letter] = await sendLetters();
    expect(letter?.text).toContain("http://localhost:3000/sign-in/mail\n");
    expect(letter?.text).not.toMatch(/password/i);
  });

  it("cannot switch mails off as well, also not at the same moment", async () => {
    const token = await switchedOff();
    refusal(await invoke("settings-update", { token, body: { magic: false } }), "NO_WAY_IN");
    await change(token, { password: true });
    refusal(await invoke("settings-update", { token, body: { magic: false, password: false } }), "NO_WAY_IN");
    const changes = [{ magic: false }, { password: false }];
    const replies = await atOnce(2, (n) => invoke("settings-update", { token, body: changes[n] as object }));
    expect(tally(replies)).toEqual({ 200: 1, "409 NO_WAY_IN": 1 });
  });

  it.each([
    ["a live provider", () => aProvider(PROVIDER)],
    ["the product", aSsoSecret],
  ])("can switch mails off as well if %s signs people in, and lets the owner in by a password", async (_, open) => {
    const token = await switchedOff();
    await open();
    await change(token, { magic: false });
    success(await portal.logIn("owner@example.com", password), 200);
    expect(success(await invoke("auth-providers"), 200)).toMatchObject({ password: false, magic: false });
  });

  it("cannot switch mails off as well for a provider that is not live", async () => {
    const token = await switchedOff();
    await aProvider(PROVIDER, { enabled: false });
    await aProvider(PROVIDER, { testedAt: undefined });
    refusal(await invoke("settings-update", { token, body: { magic: false } }), "NO_WAY_IN");
  });

  it("cannot come about on a site that sends no mails, and can change everything else if it has", async () => {
    const token = await switchedOff();
    newContainer({ MAIL_TRANSPORT: "off" });
    await change(token, { title: "Quiet", magic: false });
    await change(token, { password: true });
    refusal(await invoke("settings-update", { token, body: { password: false } }), "NO_WAY_IN");
    newContainer({ MAIL_TRANSPORT: "log" });
  });
});
