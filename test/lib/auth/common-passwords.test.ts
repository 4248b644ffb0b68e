import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import { isCommon, shortHash } from "../../../lib/auth/common-passwords.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { anAccount } from "../../support/world/fixtures.ts";

const FROM = "@zxcvbn-ts/language-common 4.1.3 (MIT)";
const common = passwords.filter((password) => password.length >= 8).slice(0, 3000);

describe("The list of common passwords", () => {
  it("agrees with the package: after an update of the package run npx vitest -u", async () => {
    const hashes = common.map((password) => shortHash(password)).sort(Buffer.compare);
    const text = JSON.stringify({ from: FROM, hashes: Buffer.concat(hashes).toString("base64") }, null, 2);
    await expect(`${text}\n`).toMatchFileSnapshot("../../../lib/auth/common-passwords.json");
  });

  it("contains the 3,000 commonest of at least 8 characters, and no others that people choose", () => {
    expect(common).toHaveLength(3000);
    expect(common.filter((password) => !isCommon(password))).toEqual([]);
    for (const password of ["PASSWORD", "Password1", "12345678", "qwertyuiop"]) expect(isCommon(password)).toBe(true);
    for (const password of ["correct horse", "another good horse", "7 Blaue Katzen"])
      expect(isCommon(password)).toBe(false);
    const rarer = passwords.filter((password) => password.length >= 8).slice(3000);
    expect(rarer.length).toBeGreaterThan(10_000);
    // Equal short hashes: one in 1.4 million.
    const wrong = rarer.filter((password) => isCommon(password) && !common.includes(password.toLowerCase()));
    expect(wrong.length).toBeLessThan(2);
  });
});

describe("COMMON_PASSWORDS=refuse", () => {
  const email = "ada@example.com";

  beforeEach(async () => {
    await freshTable();
    newContainer({ COMMON_PASSWORDS: "refuse" });
  });
  afterEach(() => newContainer({ COMMON_PASSWORDS: "" }));

  it.each(["password", "PassWord", "12345678"])(
    "refuses %s wherever a password is set, before it is hashed",
    async (password) => {
      const token = await mailTokens.issue("reset-password", await anAccount("correct horse"));
      for (const [endpoint, body] of [
        ["auth-sign-up", { email, password }],
        ["auth-set-up", { email, password }],
        ["auth-password-set", { token, password }],
      ] as const) {
        const reply = await invoke(endpoint, { body });
        refusal(reply, "VALIDATION_ERROR");
        const message = "Must not be one of the commonest passwords";
        expect(reply.body.errors).toEqual([{ path: "body.password", code: "custom", message }]);
        expect(reply.calls).toEqual([]);
      }
      success(await invoke("auth-password-set", { body: { token, password: "another good horse" } }), 200);
    },
  );

  it("accepts an existing common password at login", async () => {
    const { email } = await anAccount("12345678");
    success(await invoke("auth-log-in", { body: { email, password: "12345678" } }), 200);
  });

  it("reports the length of a short password first", async () => {
    const reply = await invoke("auth-sign-up", { body: { email, password: "1234567" } });
    expect(reply.body.errors.map(({ code }: { code: string }) => code)).toEqual(["too_small"]);
  });

  it("requires COMMON_PASSWORDS=refuse: by default common passwords are accepted", async () => {
    newContainer({ COMMON_PASSWORDS: "" });
    success(await invoke("auth-sign-up", { body: { email, password: "12345678" } }), 201);
  });
});
