import { describe, expect, it } from "vitest";
import { handler as passwordSet } from "../../../functions/auth/password-set.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { all as allWebhooks } from "../../../lib/webhooks/webhooks.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { operate, theEngine } from "../../support/process/operate.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { aKey, anAccount, aUser, aWebhook } from "../../support/world/fixtures.ts";
import { aSsoSecret, claimsOf, signedBy } from "../../support/world/sso.ts";

describe("npm run operate -- end-sessions", () => {
  it("ends sessions, mailed links, API keys, webhooks and the secret of the product, also those that a restore would revive", async () => {
    await freshTable();
    const password = "correct horse";
    success(await portal.setUp({ email: "owner@example.com", password }), 201);
    const token = signedBy(await aSsoSecret(), claimsOf());
    const ada = await anAccount(password);
    const grace = await aUser("moderator");
    const apiKey = await aKey(grace);
    const broken = await aKey(grace, [], { name: 7 as unknown as string });
    // More than one page of accounts.
    await Promise.all(Array.from({ length: 100 }, () => aUser()));
    const link = await mailTokens.issue("reset-password", ada);
    // Tokens of sessions that began after the backup.
    await aWebhook(ada);
    await aWebhook(ada, { isDisabled: true });
    const later = await Promise.all([2, 3, 1000].map((tokenVersion) => tokens.issue({ ...ada, tokenVersion })));
    const { code, output } = await operate(["end-sessions"], theEngine());
    expect(output).toMatch(
      /^Ended the sessions of 103 accounts and 2 API keys of the table \S+ at \S+, disabled 1 webhooks$/m,
    );
    expect(code).toBe(0);
    for (const token of [ada.token, grace.token, apiKey.text, broken.text, ...later]) {
      refusal(await portal.profile({ token }), "INVALID_TOKEN");
    }
    expect(output).toMatch(/^Deleted the secret that signs tokens of the product$/m);
    refusal(await invoke("auth-sso", { body: { token } }), "SSO_NOT_ALLOWED");
    const enabled = (await allWebhooks()).filter(({ isDisabled }) => !isDisabled);
    expect(enabled).toEqual([]);
    refusal(await invoke(passwordSet, { body: { token: link, password: "another good horse" } }), "INVALID_TOKEN");
    const { user } = success(await portal.logIn(ada.email, password), 200);
    success(await portal.profile({ token: user.authToken }), 200);
    await expectSound();
  });
});
