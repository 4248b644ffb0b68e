import { beforeAll, describe, expect, it } from "vitest";
import type { Program } from "../simulator/scheduler/program.ts";
import { attackers } from "./neighbours/attackers.ts";
import { onASite } from "./neighbours/site.ts";
import { besides, frontPage, isFair, type Row, rowOf } from "./neighbours/table.ts";
import { sharedService } from "./shared-program.ts";

// The quickest rows of docs/guarantees.md#neighbours; `npm run simulate -- --neighbours` measures all of them.

let program: Program;
beforeAll(async () => {
  program = await sharedService();
});

function expectFair(row: Row): void {
  expect(isFair(row), JSON.stringify(row, null, 1)).toBe(true);
}

const inTests = attackers.flatMap((attacker) => {
  const { containersInTests } = attacker;
  return containersInTests ? [{ ...attacker, containers: containersInTests }] : [];
});
/** What misses an answer does so at first: with fewer rounds its share is larger. */
const ROUNDS = 2;

describe("Twenty people beside an attacker", () => {
  it.each(inTests)("get their answers, within twice the time: $title, $containers containers", async (attacker) => {
    expectFair(await rowOf(attacker, program, { rounds: ROUNDS }));
  });

  it("read a front page of long posts as often as its route admits", async () => {
    expectFair(await frontPage(program));
  });

  it("would miss many answers without limits", async () => {
    const [worst] = inTests;
    if (!worst) throw new Error("No attacker is in the tests");
    const without = await onASite({ program, containers: 6, limits: "off" }, (site) =>
      besides({ ...worst, every: 50 }, site, 1),
    );
    expect(without.answered).toBeLessThan(0.9);
  });
});
