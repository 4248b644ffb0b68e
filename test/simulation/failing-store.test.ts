import { describe, expect, it } from "vitest";
import { type Profile, profiles } from "./clients/profiles.ts";
import { run } from "./clients/run.ts";
import { sharedService } from "./shared-program.ts";

// Of a hundred calls of the store five fail, of a hundred transactions fifteen. Time is virtual and the seed fixed, so
// other load on the machine changes nothing. For a longer run: npm run simulate -- --profile "failing store".

describe("A store that fails often", () => {
  it("leaves at most 3 of 1,000 calls without an answer, and contradicts no answer", async () => {
    const profile = profiles.find(({ name }) => name === "failing store") as Profile;
    const program = await sharedService();
    const { violation, tally, faults } = await run({ seed: "evening", program, operations: 900, profile });
    expect(violation).toBeUndefined();
    expect(tally.operations).toBeGreaterThan(700);
    expect(faults.length).toBeGreaterThan(150);
    expect(tally.unknown / tally.operations, JSON.stringify([...tally.unknownOf])).toBeLessThanOrEqual(0.003);
  });
});
