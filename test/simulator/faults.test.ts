import { describe, expect, it } from "vitest";
import { drawnFaults } from "./faults/plan.ts";
import { shrink } from "./faults/shrink.ts";
import { Random } from "./scheduler/random.ts";

function attempt(number: number, operation = "TransactWriteItems") {
  return { request: `request ${number}`, operation, random: new Random(number) };
}

describe("a plan of faults", () => {
  it("draws for each request by itself, at the rates of its operation, faults that fit", () => {
    const plan = () =>
      drawnFaults([
        [/./, { lost: 10, slow: [20, 1000, 2000] }],
        [/Get/, { stall: 50, refuse: 5 }],
      ]);
    const [all, every] = [plan(), plan()];
    const met = Array.from({ length: 10_000 }, (_, number) => all.draw(attempt(number))?.kind);
    const share = (kind: string): number => met.filter((each) => each === kind).length / met.length;
    expect([share("lost"), share("slow"), share("refuse")]).toEqual([
      expect.closeTo(0.1, 1),
      expect.closeTo(0.2, 1),
      0,
    ]);
    for (const { milliseconds, kind } of all.met) expect(milliseconds >= 1000).toBe(kind === "slow");
    for (let number = 0; number < 10_000; number += 7) expect(every.draw(attempt(number))?.kind).toBe(met[number]);
    const reads = Array.from({ length: 1000 }, (_, number) => plan().draw(attempt(number, "GetItem"))?.kind);
    expect(new Set(reads)).toEqual(new Set([undefined, "lost", "slow", "refuse"]));
  });
});

describe("shrinking", () => {
  it("finds the shortest list that still fails in fewer than 200 tries", async () => {
    const things = Array.from({ length: 200 }, (_, each) => each);
    let tries = 0;
    const needs = async (fewer: readonly number[]): Promise<boolean> => {
      tries++;
      return [17, 120, 121].every((each) => fewer.includes(each));
    };
    expect(await shrink(things, needs)).toEqual([17, 120, 121]);
    expect(tries).toBeLessThan(200);
    expect(await shrink(things, async () => true)).toEqual([]);
    expect(await shrink(things, async (fewer) => fewer.length === 200)).toEqual(things);
  });
});
