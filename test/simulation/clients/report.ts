import type { Fault } from "../../simulator/faults/faults.ts";
import { shrink } from "../../simulator/faults/shrink.ts";
import { type RunOptions, type RunResult, run } from "./run.ts";

/** The shortest failing run that was found, by its turns and faults, and the number of runs that it took. */
export type Shrunk = { turns: readonly string[]; faults: readonly Fault[]; result: RunResult; runs: number };

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
