import { beforeEach, describe, expect, it } from "vitest";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { costOf, measured } from "../../support/store/calls.ts";
import { aReader, type Person } from "../../support/world/fixtures.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";
import { aSsoSecret, claimsOf, signedBy } from "../../support/world/sso.ts";
import { worstOf } from "../../support/world/worst-calls.ts";

const password = "correct horse";

let owner: string;

beforeEach(async () => {
  await freshTable();
  const body = { email: "owner@example.com", password, siteTitle: "Acme" };
  owner = success(await portal.setUp(body), 201).user.authToken;
  await sendLetters();
});

function put(blockedMailDomains: unknown) {
  return invoke("settings-update-moderation", { token: owner, body: { blockedMailDomains } });
}

async function block(...domains: string[]): Promise<string[]> {
  return success(await put(domains), 200).moderation.blockedMailDomains;
}

function signUp(email: string) {
  return portal.signUp({ email, password });
}

async function change(body: object): Promise<void> {
  success(await invoke("settings-update", { token: owner, body }), 200);
}

describe("Blocked domains", () => {
  it("are none at first, and stay as they are while other settings change", async () => {
    const read = async () => success(await invoke("settings-moderation", { token: owner }), 200).moderation;
    expect(await read()).toMatchObject({ blockedMailDomains: [] });
    await block("spam.example");
    success(await invoke("settings-update-moderation", { token: owner, body: { words: ["casino"] } }), 200);
    await change({ title: "Other", allowSignup: true });
    expect(await read()).toMatchObject({ blockedMailDomains: ["spam.example"], words: ["casino"] });
    refusal(await signUp("ada@spam.example"), "SIGNUP_NOT_ALLOWED");
    await expectSound();
  });

  it("are written in one form, each once", async () => {
    const typed = ["SPAM.example", " @spam.example", "spam.example.", "bücher.example", "xn--bcher-kva.example"];
    expect(await block(...typed)).toEqual(["spam.example", "xn--bcher-kva.example"]);
    refusal(await signUp("Ada@BÜCHER.example"), "SIGNUP_NOT_ALLOWED");
  });

  it.each([
    ["a word", ["spam"]],
    ["an address", ["ada@spam.example"]],
    ["a web address", ["https://spam.example"]],
    ["more than five parts", ["a.b.c.d.e.example"]],
    ["more than 200", Array.from({ length: 201 }, (_, n) => `d${n}.example`)],
    ["more than 2400 characters", Array.from({ length: 50 }, (_, n) => `${"d".repeat(40)}${n}.example`)],
    ["no list", "spam.example"],
  ])("are not %s", async (_, given) => {
    refusal(await put(given), "VALIDATION_ERROR");
  });

  it("refuse a signup of them and of all domains within them, decided in its transaction", async () => {
    await block("spam.example", "a.b.c.d.example");
    const within = ["spam.example", "mx.spam.example", "a.b.c.d.e.f.g.spam.example", "x.a.b.c.d.example"];
    for (const domain of within) {
      const reply = await signUp(`ada@${domain}`);
      refusal(reply, "SIGNUP_NOT_ALLOWED");
      expect(reply.calls).toHaveLength(1);
    }
    for (const domain of ["example.com", "nospam.example", "spam.example.com", "b.c.d.example"])
      success(await signUp(`ada@${domain}`), 201);
    await block();
    success(await signUp("ada@spam.example"), 201);
    await expectSound();
  });

  it("refuse a signup by the longest domain that an address may have", async () => {
    await block("spam.example");
    const longest = `${"a.".repeat(115)}spam.example`;
    refusal(await signUp(`ada@${longest}`), "SIGNUP_NOT_ALLOWED");
  });

  it("are left out of the domains that may sign up", async () => {
    await change({ signupDomains: ["example.com", "mx.spam.example"] });
    await block("spam.example");
    refusal(await signUp("ada@mx.spam.example"), "SIGNUP_NOT_ALLOWED");
    success(await signUp("ada@example.com"), 201);
    await block("example.com");
    refusal(await signUp("grace@example.com"), "SIGNUP_NOT_ALLOWED");
    await expectSound();
  });

  it("get no mail that signs up, with the same answer, and end those on their way", async () => {
    const { token } = await signInMails.issue({ email: "early@spam.example", askedFrom: "" });
    await block("spam.example");
    const answers = await Promise.all(
      ["new@mx.spam.example", "new@example.com"].map((email) => invoke("auth-magic", { body: { email } })),
    );
    const [first, second] = answers.map((reply) => [success(reply, 200), costOf(reply.calls)]);
    expect(first).toEqual(second);
    expect((await sendLetters()).map(({ to }) => to)).toEqual(["new@example.com"]);
    refusal(await invoke("auth-magic-verify", { body: { token } }), "SIGNUP_NOT_ALLOWED");
    expect(await users.idOf("early@spam.example")).toBeUndefined();
  });

  it("open no account by the owner's product", async () => {
    const secret = await aSsoSecret();
    await block("spam.example");
    const token = signedBy(secret, claimsOf({ email: "ada@spam.example" }));
    refusal(await invoke("auth-sso", { body: { token } }), "SIGNUP_NOT_ALLOWED");
    await block();
    success(await invoke("auth-sso", { body: { token } }), 200);
  });

  it("keep nobody out who has an account, or whom the owner adds or invites", async () => {
    success(await signUp("ada@spam.example"), 201);
    await block("spam.example");
    success(await portal.logIn("ada@spam.example", password), 200);
    for (const [endpoint, email] of [
      ["users-create", "grace@spam.example"],
      ["users-invite", "mary@spam.example"],
    ] as const)
      success(await invoke(endpoint, { token: owner, body: { email } }), 200);
    await sendLetters();
    success(await invoke("auth-magic", { body: { email: "grace@spam.example" } }), 200);
    expect((await sendLetters()).map(({ to }) => to)).toEqual(["grace@spam.example"]);
    await expectSound();
  });
});

describe("The address of an account", () => {
  let ada: Person;

  beforeEach(async () => {
    ada = await aReader();
    await sendLetters();
  });

  const ask = (email: string) => invoke("users-change-email", { token: ada.token, body: { email } });

  it("does not become one of a blocked domain, whether the address has an account or not", async () => {
    success(await signUp("taken@spam.example"), 201);
    await sendLetters();
    await block("spam.example");
    for (const email of ["ada@mx.spam.example", "taken@spam.example"]) refusal(await ask(email), "DOMAIN_BLOCKED");
    expect(await sendLetters()).toEqual([]);
    success(await ask("ada@new.example"), 202);
  });

  it("does not become one by a link that was mailed before, until the domain is free again", async () => {
    success(await ask("ada@spam.example"), 202);
    const token = tokenIn((await sendLetters()).find(({ to }) => to === "ada@spam.example"));
    await block("spam.example");
    const confirm = () => invoke("auth-email-validate", { token: ada.token, body: { token } });
    refusal(await confirm(), "DOMAIN_BLOCKED");
    expect((await users.find(ada.userId))?.email).toBe(ada.email);
    await block();
    success(await confirm(), 200);
  });

  it("is confirmed where its domain was blocked after the signup", async () => {
    const { authToken } = success(await signUp("late@spam.example"), 201).user;
    await sendLetters();
    await block("spam.example");
    success(await invoke("auth-email-verify", { token: authToken }), 200);
    const token = tokenIn((await sendLetters())[0]);
    success(await invoke("auth-email-validate", { token: authToken, body: { token } }), 200);
  });
});

describe("The longest list of blocked domains", () => {
  const longest = Array.from({ length: 200 }, (_, n) => `d${String(n).padStart(3, "0")}.example`);

  it("costs a signup four further write units, and a short one none", async () => {
    const unitsOf = async (email: string) => {
      const reply = await measured(() => signUp(email));
      success(reply, 201);
      return costOf(reply.calls).writeUnits;
    };
    const without = await unitsOf("a@example.com");
    await block(...longest.slice(0, 60));
    expect(await unitsOf("b@example.com")).toBe(without);
    await block(...longest);
    expect(await unitsOf("c@example.com")).toBe(without + 4);
    expect(without + 4).toBeLessThanOrEqual(worstOf("auth-sign-up").writes);
  });

  it("costs the owner no more than the worst call says", async () => {
    const words = Array.from({ length: 200 }, (_, n) => `${"語".repeat(46)}${n}`);
    await block(...longest);
    const body = { words, blockedMailDomains: longest.map((domain) => `x${domain.slice(1)}`) };
    const write = await measured(() => invoke("settings-update-moderation", { token: owner, body }));
    success(write, 200);
    const signupDomains = ["example.com"];
    const clear = await measured(() => invoke("settings-update", { token: owner, body: { signupDomains } }));
    success(clear, 200);
    const [written = 0, cleared = 0] = [write, clear].map(({ calls }) => costOf(calls).writeUnits);
    expect(written).toBeGreaterThan(96);
    expect(written).toBeLessThanOrEqual(worstOf("settings-update-moderation").writes);
    expect(cleared).toBeLessThanOrEqual(worstOf("settings-update").writes);
    expect((await site.find())?.blockedMailDomains).toHaveLength(200);
  });
});
