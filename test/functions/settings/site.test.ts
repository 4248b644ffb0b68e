import { beforeEach, describe, expect, it } from "vitest";
import { atOnce, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";

const password = "correct horse";
const asSetUp = {
  title: "Acme",
  description: null,
  logo: null,
  icon: null,
  accentColor: "484d7c",
  allowSignup: true,
  magic: true,
  sendsMail: true,
  requiresVerified: false,
  googleAnalyticsId: null,
  isPoweredBy: true,
  developer_mode: false,
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
      magic: false,
      googleAnalyticsId: "G-ABC123",
      developer_mode: true,
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
  ])("refuses %s %.30j", async (name, value) => {
    const reply = await invoke("settings-update", { token: await setUp(), body: { [name]: value } });
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
