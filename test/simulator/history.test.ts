import { describe, expect, it } from "vitest";
import { type Effect, NotLinearizable, Register } from "./history/register.ts";

const cast: Effect<boolean> = (hasVoted) => [{ state: true, outcome: hasVoted ? "had voted" : "voted" }];
const takeBack: Effect<boolean> = () => [{ state: false, outcome: "taken back" }];

function vote() {
  return new Register<boolean>("vote", [false], String);
}

describe("a register", () => {
  it("accepts two outcomes that only the other order explains, and not that both were the first", () => {
    const register = vote();
    const first = register.begin(1, cast);
    const second = register.begin(2, cast);
    register.end(3, second, "voted");
    expect(() => register.end(4, first, "voted")).toThrow(NotLinearizable);
    register.end(4, first, "had voted");
    expect(register.between(5, 5)).toEqual([true]);
  });

  it("rejects the loss of an acknowledged write", () => {
    const register = vote();
    register.end(2, register.begin(1, cast), "voted");
    register.end(4, register.begin(3, takeBack), "taken back");
    expect(() => register.end(6, register.begin(5, cast), "had voted")).toThrow(NotLinearizable);
  });

  it("leaves a write without an answer open until it can no longer arrive", () => {
    const register = vote();
    register.lose(2, register.begin(1, cast));
    expect(register.between(3, 3)).toEqual([false, true]);
    // It arrives only now, between the two.
    register.end(5, register.begin(4, takeBack), "taken back");
    register.end(7, register.begin(6, cast), "had voted");
    expect(register.isQuiet(8)).toBe(false);
    expect(register.isQuiet(20_000)).toBe(true);
    expect(register.between(20_000, 20_000)).toEqual([true]);
  });

  it("rejects an effect long after a write went without an answer", () => {
    const register = vote();
    register.lose(2, register.begin(1, cast));
    register.end(20_002, register.begin(20_000, takeBack), "taken back");
    expect(() => register.end(20_005, register.begin(20_003, cast), "had voted")).toThrow(NotLinearizable);
  });

  it("treats a refused write as one without effect", () => {
    const register = vote();
    register.cancel(2, register.begin(1, cast));
    expect(register.between(3, 3)).toEqual([false]);
    expect(() => register.end(5, register.begin(4, cast), "had voted")).toThrow(NotLinearizable);
  });

  it("learns from a read while no write is under way", () => {
    const register = vote();
    register.lose(2, register.begin(1, cast));
    register.learn(10, 11, (hasVoted) => hasVoted);
    expect(register.between(12, 12)).toEqual([false, true]);
    expect(register.isQuiet(20_000)).toBe(true);
    register.learn(20_001, 20_002, (hasVoted) => hasVoted);
    expect(register.between(20_003, 20_003)).toEqual([true]);
  });
});
