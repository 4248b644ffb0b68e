import { beforeAll, describe, expect, it } from "vitest";
import { profiles } from "./clients/profiles.ts";
import { run } from "./clients/run.ts";
import { findMutant, mutants } from "./mutants/mutants.ts";
import { bundleProgram, type Program } from "./scheduler/program.ts";

// Clients of all kinds call every endpoint, and each answer is checked against history: docs/correctness.md#clients-and-their-history.
// Short runs from fixed seeds; `npm run simulate` makes long ones.

let program: Program;

beforeAll(async () => {
  program = await bundleProgram([`${import.meta.dirname}/programs/service.ts`]);
});

describe("clients of the functions", () => {
  it.each(profiles)("see nothing that contradicts history: $name", async (profile) => {
    const { violation, tally, faults } = await run({ seed: "test", program, operations: 350, profile });
    expect(violation).toBeUndefined();
    expect(tally.operations).toBeGreaterThan(250);
    expect(faults.length).toBeGreaterThan(5);
  });
});

describe("mistakes in the functions", () => {
  it.each(mutants.filter(({ isQuick }) => isQuick))("are found: $name", async (mutant) => {
    expect(await findMutant(mutant)).toBeDefined();
  });
});
