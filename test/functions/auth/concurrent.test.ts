import { beforeEach, describe, expect } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { atOnce, type Reply, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { conflicts, withFaults } from "../../support/store/faults.ts";
import { generated } from "../../support/world/generated.ts";

const password = "correct horse";

beforeEach(freshTable);

/** Makes 64 calls in parallel, each met by up to two conflicts, after which one account exists. Returns its item. */
async function oneOf64(answers: object, below: (limit: number) => number, call: (n: number) => Promise<Reply>) {
  expect(tally(await withFaults(conflicts(2, below), () => atOnce(64, call)))).toEqual(answers);
  const items = await scan();
  expect(items.filter(({ pk }) => pk === "USERS")).toHaveLength(1);
  expect(items.filter(({ pk }) => pk === "OUTBOX")).toHaveLength(1);
  await expectSound();
  return items.find(({ sk }) => sk === "USER");
}

describe("POST /auth/setup in parallel", () => {
  generated("makes one owner if 64 ask, through conflicts", async ({ below }) => {
    const setUp = (n: number) => portal.setUp({ email: `owner.${n}@example.com`, password });
    expect(await oneOf64({ 201: 1, "403 SETUP_COMPLETED": 63 }, below, setUp)).toMatchObject({ role: "owner" });
  });
});

describe("POST /auth/signup in parallel", () => {
  generated("makes one account of 64 signups with one address in different case, through conflicts", async (dice) => {
    const spellings = ["ada@example.com", "ADA@example.com", " Ada@EXAMPLE.com "];
    const signUp = (n: number) => portal.signUp({ email: spellings[n % 3], password, name: `Ada ${n}` });
    await oneOf64({ 201: 1, "409 USER_EXISTS": 63 }, dice.below, signUp);
  });
});
