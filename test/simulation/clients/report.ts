import type { Fault } from "../../simulator/faults/faults.ts";
import { shrink } from "../../simulator/faults/shrink.ts";
import type { Program } from "../../simulator/scheduler/program.ts";
import { type RunOptions, type RunResult, run } from "./run.ts";

type Kept = { turns: readonly string[]; faults: readonly Fault[] };

export type Shrunk = Kept & { result: RunResult; runs: number };

/** A run that was found, as it is kept to be repeated. */
export type Found = Kept & Pick<RunOptions, "seed" | "operations"> & { profile: string };

/** The most milliseconds, or the most runs, that shrinking takes. */
type Patience = { milliseconds?: number; runs?: number };

/** Leaves out turns of clients, then faults, while the run still finds a violation. */
export async function shrinkRun(
  options: RunOptions,
  found: RunResult,
  { milliseconds = Number.POSITIVE_INFINITY, runs: mostRuns = Number.POSITIVE_INFINITY }: Patience,
): Promise<Shrunk> {
  const end = Date.now() + milliseconds;
  let best: Shrunk = { turns: found.turns, faults: found.faults, result: found, runs: 0 };
  const attempt = async (turns: readonly string[], faults: readonly Fault[]): Promise<boolean> => {
    if (Date.now() > end || best.runs === mostRuns) return false;
    const result = await run({ ...options, turns: new Set(turns), faults });
    const runs = best.runs + 1;
    best = result.violation ? { turns, faults, result, runs } : { ...best, runs };
    return result.violation !== undefined;
  };
  // The last turns matter most: they were under way when the violation was found.
  const order = [...found.turns].reverse();
  await shrink(order, (fewer) => attempt(fewer, best.faults));
  await shrink([...best.faults], (fewer) => attempt(best.turns, fewer));
  return best;
}

export function foundOf({ seed, operations }: RunOptions, { turns, faults, result }: Shrunk): Found {
  return { seed, operations, profile: result.profile, turns, faults };
}

export function runAgain(
  { profile: _, turns, ...found }: Found,
  options: Pick<RunOptions, "profile"> & { program: Program },
): Promise<RunResult> {
  return run({ ...found, ...options, turns: new Set(turns), keepsTrace: true });
}
