import { pbkdf2 } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import type { Program } from "../simulator/scheduler/program.ts";
import { type Profile, profiles } from "./clients/profiles.ts";
import { shrinkRun } from "./clients/report.ts";
import { run } from "./clients/run.ts";
import { bundleMutant, findMutant, type Mutant, mutants } from "./mutants/mutants.ts";
import { sharedService } from "./shared-program.ts";
import { Milestones } from "./world/milestones.ts";

// Clients of all kinds call every endpoint, and each answer is checked against history: test/simulator/README.md.
// Short runs from fixed seeds; `npm run simulate` makes long ones.

let program: Program;

beforeAll(async () => {
  program = await sharedService();
});

const reached = new Milestones();

const OPERATIONS = 90;

// failing-store.test.ts has one of them, long runs have the others.
const ELSEWHERE = new Set([
  "everyday",
  "few posts",
  "lives",
  "crowd",
  "large catalogue",
  "lost answers",
  "failing store",
]);

describe("clients of the functions", () => {
  it.each(profiles.filter(({ name }) => !ELSEWHERE.has(name)))(
    "see nothing that contradicts history: $name",
    async (profile) => {
      const { violation, tally, faults, milestones } = await run({
        seed: "noon",
        program,
        operations: OPERATIONS,
        profile: { ...profile, phases: 2 },
      });
      expect(violation).toBeUndefined();
      expect(tally.operations).toBeGreaterThan(0.75 * OPERATIONS);
      expect(faults.length).toBeGreaterThan(5);
      reached.add(milestones);
    },
  );

  it("carry out a call of every endpoint", async () => {
    const [everyday] = profiles as [Profile];
    const profile = { ...everyday, phases: 1, weather: [] };
    // The simulated network has no bucket: exports are refused there.
    const refused = ["exports-create", "exports-file"];
    let missing = endpoints.map(({ definition }) => definition.name).filter((name) => !refused.includes(name));
    // By chance a run may lack the right session for an action. Another short run finds it sooner than a longer one.
    for (const [seed, operations] of [
      ["a", 450],
      ["b", 450],
      ["one", 450],
      ["more", 450],
      ["late", 450],
      ["each", 700],
      ["last", 450],
    ] as const) {
      const { violation, tally, milestones } = await run({ seed, program, operations, takesEachAction: true, profile });
      expect(violation).toBeUndefined();
      reached.add(milestones);
      missing = missing.filter((name) => !tally.succeeded.has(name));
      if (missing.length === 0) return;
    }
    expect(missing, "give each of these endpoints a client in test/simulation/clients/").toEqual([]);
  });

  it.each([
    "midnights",
    "posts changed rank",
    "walks by rank",
    "secrets rotated",
    "deletions swept",
    "merges",
    "moves begun",
    "decisions checked",
    "reports checked",
  ])("reach the milestone: %s", (milestone) => {
    expect(reached.counts.get(milestone)).toBeGreaterThan(0);
  });
});

describe("a run of clients", () => {
  it.each(mutants)("changes a text that its source has once: $name", ({ file, find }) => {
    expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
  });

  it("finds a vote that a merge leaves behind", async () => {
    const mutant = mutants.find(({ profile }) => profile === "merges") as Mutant;
    const program = await bundleMutant(mutant);
    // By chance a run may lack the moment at which it is taken back: others have it.
    for (const seed of [mutant.seed, ..."lbcdefghija"]) {
      const found = await findMutant({ ...mutant, seed }, program);
      if (found) return expect(found.violation).toContain("was not taken back with the other one");
    }
    expect.unreachable("no run has found it");
  });

  /** Works while real time passes unevenly, and other threads are busy when a signature needs them. */
  const besideBusyMachine = async <T>(work: () => Promise<T>): Promise<T> => {
    let isOver = false;
    const disturb = (): void => {
      // Not `performance`, whose time passes slowly in tests (test/support/patience.ts).
      const until = Date.now() + 1;
      while (Date.now() < until);
      if (Math.random() < 0.3) pbkdf2("x", "y", 1000, 32, "sha256", () => {});
      if (!isOver) setTimeout(disturb, Math.random() * 4);
    };
    disturb();
    return work().finally(() => {
      isOver = true;
    });
  };

  it("finds a mistake, and shrinks to a shorter one, which repeats with the same trace", async () => {
    const mutant = mutants.find(({ name }) => name === "a suspended user still acts") as Mutant;
    const profile: Profile = {
      ...(profiles[0] as Profile),
      clients: 4,
      accounts: 3,
      phases: 1,
      weights: { accounts: 8 },
    };
    const options = { seed: "12", program: await bundleMutant(mutant), operations: 200, profile };
    const found = await run(options);
    const shrunk = await shrinkRun({ ...options, keepsTrace: true }, found, { runs: 8 });
    expect(shrunk.turns.length).toBeLessThan(found.turns.length / 2);
    expect(shrunk.result.violation?.message).toContain("do what it may not");
    const { turns, faults } = shrunk;
    const again = await besideBusyMachine(() => run({ ...options, turns: new Set(turns), faults, keepsTrace: true }));
    expect(again.violation?.message).toBe(shrunk.result.violation?.message);
    expect(again.trace).toEqual(shrunk.result.trace);
    expect(again.trace.length).toBeGreaterThan(50);
  });
});
