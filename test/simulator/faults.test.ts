import { describe, expect, it } from "vitest";
import { DURATIONS, FAULTS, type FaultKind } from "./faults/faults.ts";
import { parseFaults } from "./faults/language.ts";
import { drawnFaults, replayedFaults } from "./faults/plan.ts";
import { shrink } from "./faults/shrink.ts";
import { Random } from "./scheduler/random.ts";

describe("the language of faults", () => {
  it("names operations, a span of time, faults, their rates and durations", () => {
    const rules = parseFaults(`
      # what AWS does on a busy day
      TransactWriteItems: conflict 10%, late 0.5% 2s..3.5s
      Query, GetItem: slow 5% ; * from 10s to 1.5m: refuse 100%
    `);
    expect(rules.map(({ operations, ...rule }) => ({ ...rule, operations: operations && [...operations] }))).toEqual([
      { operations: ["TransactWriteItems"], from: 0, to: Infinity, kind: "conflict", rate: 0.1, low: 0, high: 0 },
      { operations: ["TransactWriteItems"], from: 0, to: Infinity, kind: "late", rate: 0.005, low: 2000, high: 3500 },
      { operations: ["Query", "GetItem"], from: 0, to: Infinity, kind: "slow", rate: 0.05, low: 10, high: 1000 },
      { operations: undefined, from: 10_000, to: 90_000, kind: "refuse", rate: 1, low: 0, high: 0 },
    ]);
  });

  it("holds every fault with its usual duration", () => {
    for (const kind of Object.keys(FAULTS) as FaultKind[]) {
      const [rule] = parseFaults(`*: ${kind} 1%`);
      expect([rule?.kind, rule?.low, rule?.high]).toEqual([kind, ...(DURATIONS[kind] ?? [0, 0])]);
    }
  });

  it.each([
    ["GetItem lost 1%", "not of the form `operations: faults`"],
    ["Get: lost 1%", '"Get" is not an operation'],
    ["*: gone 1%", '"gone" is not a fault'],
    ["*: lost 1", "not of the form `fault 1%`"],
    ["*: lost 101%", "101% is more than all"],
    ["*: late 1% 2..3s", '"2" is not a time'],
    ["* from noon: lost 1%", '"noon" is not a time'],
  ])("explains the mistake in %s", (text, problem) => {
    expect(() => parseFaults(text)).toThrow(problem);
  });
});

function attempt(number: number, operation = "TransactWriteItems", time = 0) {
  return { request: `request ${number}`, operation, random: new Random(number), time };
}

describe("a plan of faults", () => {
  it("draws for each request by itself, at the rates of the rules", () => {
    const rules = parseFaults("*: lost 10%, slow 20% 1s..2s; GetItem: stall 50%");
    const all = drawnFaults(rules);
    const met = Array.from({ length: 10_000 }, (_, number) => all.draw(attempt(number))?.kind);
    const share = (kind: string | undefined): number => met.filter((each) => each === kind).length / met.length;
    expect(share("lost")).toBeCloseTo(0.1, 1);
    expect(share("slow")).toBeCloseTo(0.2, 1);
    expect(share("stall")).toBe(0);
    const every = drawnFaults(rules);
    for (let number = 0; number < 10_000; number += 7) expect(every.draw(attempt(number))?.kind).toBe(met[number]);
  });

  it("keeps to its span of time and to operations that the fault fits", () => {
    const plan = drawnFaults(parseFaults("* from 1s to 2s: conflict 100%"));
    expect(plan.draw(attempt(1))).toBeUndefined();
    expect(plan.draw(attempt(1, "TransactWriteItems", 1000))?.kind).toBe("conflict");
    expect(plan.draw(attempt(1, "TransactWriteItems", 2000))).toBeUndefined();
    expect(plan.draw(attempt(1, "GetItem", 1000))).toBeUndefined();
  });

  it("repeats the faults of an earlier run, all or some of them", () => {
    const drawn = drawnFaults(parseFaults("*: late 30%"));
    for (let number = 0; number < 100; number++) drawn.draw(attempt(number));
    expect(drawn.met.length).toBeGreaterThan(10);
    const replayed = replayedFaults(drawn.met);
    for (let number = 0; number < 100; number++) replayed.draw(attempt(number));
    expect(replayed.met).toEqual(drawn.met);
    const [first] = drawn.met;
    const alone = replayedFaults([first as (typeof drawn.met)[number]]);
    for (let number = 0; number < 100; number++) alone.draw(attempt(number));
    expect(alone.met).toEqual([first]);
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
