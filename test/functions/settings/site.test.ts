import { beforeEach, describe, expect, it } from "vitest";
import { handler as setUp } from "../../../functions/auth/set-up.ts";
import { handler as setupStatus } from "../../../functions/auth/setup-status.ts";
import { handler as signUp } from "../../../functions/auth/sign-up.ts";
import { handler as readLabs } from "../../../functions/settings/labs.ts";
import { handler as siteSettings } from "../../../functions/settings/site.ts";
import { handler as updateSettings } from "../../../functions/settings/update.ts";
import { handler as updateLabs } from "../../../functions/settings/update-labs.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as users from "../../../lib/accounts/users.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aUser } from "../../support/world/fixtures.ts";

const asSetUp = {
  title: "Acme",
  description: null,
  logo: null,
  icon: null,
  accentColor: "484d7c",
  allowSignup: true,
  googleAnalyticsId: null,
  isPoweredBy: true,
  developer_mode: false,
  labs: { voteOnBehalf: false },
};

async function setUpSite(): Promise<string> {
  const body = { email: "owner@example.com", password: "correct horse", siteTitle: "Acme" };
  return (await invoke(setUp, { body })).body.user.authToken;
}

async function read() {
  return (await invoke(siteSettings)).body.settings;
}
function signUpAs(email: unknown) {
  return invoke(signUp, { body: { email, password: "correct horse" } });
}

beforeEach(freshTable);

describe("GET /auth/setup", () => {
  it("tells whether the site is set up", async () => {
    const before = await invoke(setupStatus);
    await setUpSite();
    const after = await invoke(setupStatus);
    expect([before.status, before.body, after.status, after.body]).toEqual([
      200,
      { is_setup: false },
      200,
      { is_setup: true },
    ]);
  });
});

describe("GET /settings/site", () => {
  it("answers defaults before setup, and the title after it", async () => {
    const before = await invoke(siteSettings);
    expect([before.status, before.body]).toEqual([200, { settings: { ...asSetUp, title: "Feedback" } }]);
    await setUpSite();
    expect(await read()).toEqual(asSetUp);
  });
});

describe("PATCH /settings/site", () => {
  it("changes the given fields only", async () => {
    const token = await setUpSite();
    const body = {
      title: "  Acme & Co ",
      description: "What shall we build?",
      logo: "https://example.com/logo.svg",
      icon: "http://example.com/icon.png?v=2",
      accentColor: "FF8800",
      allowSignup: false,
      googleAnalyticsId: "G-ABC123",
      developer_mode: true,
    };
    const changed = { ...asSetUp, ...body, title: "Acme & Co", accentColor: "ff8800" };
    const { status, body: answer } = await invoke(updateSettings, { token, body });
    expect([status, answer]).toEqual([200, { settings: changed }]);
    expect(await read()).toEqual(changed);
    const { body: second } = await invoke(updateSettings, { token, body: { title: "Acme" } });
    expect(second.settings).toEqual({ ...changed, title: "Acme" });
    expect(await read()).toEqual({ ...changed, title: "Acme" });
  });

  it("removes optional fields by null or empty text, and keeps required ones", async () => {
    const token = await setUpSite();
    const looks = { description: "d", logo: "https://example.com/l", icon: "https://example.com/i" };
    const given = { ...looks, googleAnalyticsId: "G-1" };
    await invoke(updateSettings, { token, body: given });
    expect(await read()).toMatchObject(given);
    await invoke(updateSettings, { token, body: { description: "", logo: null, icon: "", googleAnalyticsId: "" } });
    expect(await read()).toEqual(asSetUp);
    await invoke(updateSettings, { token, body: { title: null, accentColor: null, allowSignup: null } });
    expect(await read()).toEqual(asSetUp);
  });

  it("writes only the fields that change, and counts the change", async () => {
    const token = await setUpSite();
    const same = await invoke(updateSettings, { token, body: { title: "Acme", allowSignup: true, logo: null } });
    expect([same.status, same.calls.map(({ operation }) => operation)]).toEqual([200, ["GetItem", "GetItem"]]);
    await invoke(updateSettings, { token, body: { title: "Acme", accentColor: "000000" } });
    const site = (await scan()).find(({ pk }) => pk === "SITE");
    expect(Object.keys(site ?? {}).sort()).toEqual(["accentColor", "ownerId", "pk", "sk", "title", "version"]);
  });

  it("applies both of two changes at once", async () => {
    const token = await setUpSite();
    await Promise.all([
      invoke(updateSettings, { token, body: { title: "Both" } }),
      invoke(updateSettings, { token, body: { accentColor: "123456" } }),
      invoke(updateSettings, { token, body: { description: "kept" } }),
    ]);
    expect(await read()).toEqual({ ...asSetUp, title: "Both", accentColor: "123456", description: "kept" });
  });

  it("answers the logo as the icon of a site that has none", async () => {
    const token = await setUpSite();
    const logo = "https://example.com/logo.svg";
    await invoke(updateSettings, { token, body: { logo } });
    expect(await read()).toEqual({ ...asSetUp, logo, icon: logo });
  });

  it("ignores the constant field, the labs and unknown fields", async () => {
    const token = await setUpSite();
    const body = { isPoweredBy: false, labs: { voteOnBehalf: true }, voteOnBehalf: true, developerMode: true };
    const { status } = await invoke(updateSettings, { token, body: { ...body, ownerId: "me", sk: "x" } });
    expect([status, await read()]).toEqual([200, asSetUp]);
  });

  it.each([
    ["title", ""],
    ["title", "   "],
    ["title", "x".repeat(101)],
    ["title", "a\0b"],
    ["title", 7],
    ["description", "x".repeat(501)],
    ["description", ["x"]],
    ["description", "\ud800"],
    ["logo", "logo.png"],
    ["logo", "javascript:alert(1)"],
    ["logo", "https://"],
    ["icon", "data:image/png;base64,AAAA"],
    ["icon", `https://example.com/${"x".repeat(2000)}`],
    ["accentColor", "#ff8800"],
    ["accentColor", "red"],
    ["allowSignup", "false"],
    ["allowSignup", 0],
    ["googleAnalyticsId", "G-1'>"],
    ["googleAnalyticsId", "G".repeat(51)],
    ["googleAnalyticsId", 7],
    ["developer_mode", "on"],
  ])("refuses %s %j", async (name, value) => {
    const token = await setUpSite();
    const { status, body } = await invoke(updateSettings, { token, body: { [name]: value } });
    expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.errors[0].path).toBe(`body.${name}`);
    expect(await read()).toEqual(asSetUp);
  });

  it.each(["moderator", "member", "suspended"] as const)("is not for a %s", async (role) => {
    await setUpSite();
    const { token } = await aUser(role);
    const { status, body } = await invoke(updateSettings, { token, body: { title: 7 } });
    expect([status, body.code]).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
  });
});

describe("GET and PATCH /settings/labs", () => {
  const labs = async () => (await invoke(readLabs)).body.labs;

  it("answer the default before setup, and then what the owner switched", async () => {
    expect(await labs()).toEqual({ voteOnBehalf: false });
    const token = await setUpSite();
    for (const voteOnBehalf of [true, false, true]) {
      const { status, body } = await invoke(updateLabs, { token, body: { voteOnBehalf } });
      expect([status, body]).toEqual([200, { labs: { voteOnBehalf } }]);
      expect([await labs(), (await read()).labs]).toEqual([{ voteOnBehalf }, { voteOnBehalf }]);
    }
  });

  it("write nothing if nothing changes", async () => {
    const token = await setUpSite();
    for (const body of [{}, { voteOnBehalf: null }, { voteOnBehalf: false }]) {
      const { status, calls } = await invoke(updateLabs, { token, body });
      expect([status, calls.map(({ operation }) => operation)]).toEqual([200, ["GetItem", "GetItem"]]);
    }
  });

  it("refuse other values, and every caller but the owner", async () => {
    const token = await setUpSite();
    for (const voteOnBehalf of ["true", 1, {}, []]) {
      const { body } = await invoke(updateLabs, { token, body: { voteOnBehalf } });
      expect([body.code, body.errors[0].path]).toEqual(["VALIDATION_ERROR", "body.voteOnBehalf"]);
    }
    for (const role of ["moderator", "member", "suspended"] as const) {
      const { body } = await invoke(updateLabs, { token: (await aUser(role)).token, body: { voteOnBehalf: true } });
      expect(body.code).toBe("NOT_ENOUGH_PERMISSION");
    }
    expect(await labs()).toEqual({ voteOnBehalf: false });
  });
});

describe("POST /auth/signup while the site accepts no new accounts", () => {
  it("answers SIGNUP_NOT_ALLOWED to valid input, decided in the transaction, until signup is allowed again", async () => {
    const token = await setUpSite();
    await invoke(updateSettings, { token, body: { allowSignup: false } });
    const { status, body, calls } = await signUpAs("ada@example.com");
    expect([status, body.code, calls.length]).toEqual([400, "SIGNUP_NOT_ALLOWED", 1]);
    await expectSound();
    expect((await signUpAs("owner@example.com")).body.code).toBe("SIGNUP_NOT_ALLOWED");
    expect((await signUpAs("ada")).body.code).toBe("EMAIL_INVALID");
    await invoke(updateSettings, { token, body: { allowSignup: true } });
    expect((await signUpAs("ada@example.com")).status).toBe(201);
  });

  it("creates no account after the switch, with many signups at that moment", async () => {
    const token = await setUpSite();
    const answered: string[] = [];
    const tries = async (name: string) => {
      for (let n = 0; n < 8; n++) answered.push((await signUpAs(`${name}.${n}@example.com`)).body.code ?? "in");
    };
    const close = async () => {
      answered.push((await signUpAs("first@example.com")).body.code ?? "in");
      await invoke(updateSettings, { token, body: { allowSignup: false } });
      const before = await users.count();
      await signUpAs("last@example.com");
      return before;
    };
    const [before] = await Promise.all([close(), tries("a"), tries("b"), tries("c")]);
    expect(await users.count()).toBe(before);
    expect(new Set(answered)).toEqual(new Set(["in", "SIGNUP_NOT_ALLOWED"]));
    await Promise.all(
      [true, false, true, false].map((allowSignup) => invoke(updateSettings, { token, body: { allowSignup } })),
    );
    await expectSound();
  });

  it("does not prevent setup", async () => {
    expect((await signUpAs("early@example.com")).status).toBe(201);
    expect(await setUpSite()).toBeTypeOf("string");
  });
});
