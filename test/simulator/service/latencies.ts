import type { Pause } from "../model/operations/work.ts";
import type { Random } from "../scheduler/random.ts";

// The medians of a quiet store, in milliseconds: a read of an item takes about 3 ms, a transaction 10 to 20 ms.

/** One way over the network. */
export const NETWORK_MS = 0.4;

// The first step of each kind; the later ones mostly cost nothing.
const FIRST: Record<Pause, number> = { read: 2, write: 4, hold: 4, decide: 4, change: 3, "let go": 3 };
const LATER = 0.7;
const LATER_RATE = 0.3;

const SPREAD = 0.35;

export function durationOf(median: number, random: Random): number {
  return random.longTailed(median, SPREAD);
}

/** The pauses of one request at its steps. */
export function pausesOf(random: Random): (pause: Pause) => number {
  let last: Pause | undefined;
  return (pause) => {
    const isFirst = pause !== last;
    last = pause;
    if (isFirst) return durationOf(FIRST[pause], random);
    return random.chance(LATER_RATE) ? durationOf(LATER, random) : 0;
  };
}
