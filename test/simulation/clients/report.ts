import type { Fault } from "../faults/faults.ts";
import { shrink } from "../faults/shrink.ts";
import { type RunOptions, type RunResult, run } from "./run.ts";

// From a run that found a violation to the shortest one that still does.

/** Which turns and faults a run keeps. */
export type Kept = { turns: readonly string[]; faults: readonly Fault[] };

/** What shrinking gives: what is left of the run, and how it ended. */
export type Shrunk = Kept & { result: RunResult; runs: number };

/** Leaves out turns of clients, then faults, as long as the run still finds a violation; at most so many milliseconds. */
export const shrinkRun = async (options: RunOptions, found: RunResult, milliseconds: number): Promise<Shrunk> => {
  const end = Date.now() + milliseconds;
  let best: Shrunk = { turns: found.turns, faults: found.faults, result: found, runs: 0 };
  const attempt = async (turns: readonly string[], faults: readonly Fault[]): Promise<boolean> => {
    if (Date.now() > end) return false;
    const result = await run({ ...options, turns: new Set(turns), faults });
    const runs = best.runs + 1;
    best = result.violation ? { turns, faults, result, runs } : { ...best, runs };
    return result.violation !== undefined;
  };
  // The last turns are the likeliest to matter: those that were under way when it was found.
  const order = [...found.turns].reverse();
  await shrink(order, (fewer) => attempt(fewer, best.faults));
  await shrink([...best.faults], (fewer) => attempt(best.turns, fewer));
  return best;
};
