import { afterEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import { newId } from "../../../lib/values/ids.ts";
import { atOnce, crowdOf, invoke, tally } from "../../support/http/invoke.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { type Attempt, conflicts, type Fault, isTransaction, withFaults } from "../../support/store/faults.ts";
import { generated } from "../../support/world/generated.ts";

// Many hashes in parallel take two cores longer than one function may run.
const HOUR = 3_600_000;
const password = "correct horse";

afterEach(expectSound);

async function accounts(): Promise<number> {
  return (await scan()).filter(({ pk }) => pk === "USERS").length;
}

async function expectOneOwner(): Promise<void> {
  expect(await accounts()).toBe(1);
  expect((await scan()).filter(({ role }) => role === "owner")).toHaveLength(1);
}

describe("POST /auth/setup in parallel", () => {
  it("makes one owner if 64 ask", async () => {
    await freshTable();
    const replies = await atOnce(64, (n) =>
      invoke("auth-set-up", { body: { email: `owner.${n}@example.com`, password } }, "gateway", HOUR),
    );
    expect(tally(replies)).toEqual({ 201: 1, "403 SETUP_COMPLETED": 63 });
    await expectOneOwner();
  });

  const CROWD = crowdOf(128);

  generated(`makes one owner of ${CROWD} who all read that there is none, despite conflicts`, async ({ below }) => {
    for (let round = 0; round < 2; round++) {
      await freshTable();
      const ask = (n: number) => {
        const owner = newAccount(`owner.${n}@example.com`, undefined, "owner");
        return site.setUp("Feedback", owner, "no password", site.firstBoard(newId()));
      };
      const outcomes = await withFaults(conflicts(2, below), () => atOnce(CROWD, ask));
      expect(outcomes.filter((outcome) => outcome === "set up")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "set up before")).toHaveLength(CROWD - 1);
      await expectOneOwner();
      await expectSound();
    }
  });
});

describe("POST /auth/signup in parallel", () => {
  it("makes one account of 64 signups with one address in different case", async () => {
    const spellings = ["ada@example.com", "ADA@example.com", " Ada@EXAMPLE.com "];
    const before = await accounts();
    const replies = await atOnce(64, (n) =>
      invoke("auth-sign-up", { body: { email: spellings[n % 3], password, name: `Ada ${n}` } }, "gateway", HOUR),
    );
    expect(tally(replies)).toEqual({ 201: 1, "409 USER_EXISTS": 63 });
    expect((await accounts()) - before).toBe(1);
  });

  generated("makes one account of 64 without the time that hashing takes, despite conflicts", async ({ below }) => {
    for (let round = 0; round < 2; round++) {
      const before = await accounts();
      const ask = (n: number) =>
        users.register(newAccount(`round.${round}@example.com`, `Grace ${n}`, "member"), "no password");
      const outcomes = await withFaults(conflicts(3, below), () => atOnce(64, ask));
      expect(outcomes.filter((outcome) => outcome === "registered")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "email taken")).toHaveLength(63);
      expect((await accounts()) - before).toBe(1);
    }
  });

  it("makes one account with one mail if the store's answer is lost after the commit", async () => {
    const seen = new Set<string | undefined>();
    const loseFirst = (attempt: Attempt): Fault => {
      if (!isTransaction(attempt) || seen.has(attempt.clientRequestToken)) return "none";
      seen.add(attempt.clientRequestToken);
      return "lose the answer";
    };
    const body = { email: "lost@example.com", password };
    expect(tally([await withFaults(loseFirst, () => invoke("auth-sign-up", { body }))])).toEqual({ 201: 1 });
    expect((await scan()).filter(({ to }) => to === body.email)).toHaveLength(1);
  });
});
