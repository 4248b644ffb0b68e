import { setTimeout as sleep } from "node:timers/promises";
import { storeUse, withStoreBudget } from "../runtime/store-budget.ts";
import { StoreUnavailable } from "../table/client.ts";

/** Does a piece of work at the table, within a pace; repeats it while the table is too slow. */
export type Work = <T>(piece: () => Promise<T>) => Promise<T>;

export type Workshop = {
  work: Work;
  /** Counts units that were used outside of this work. */
  pay: (units: number) => Promise<void>;
  /** The units that were used so far. */
  units: () => number;
};

const ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 10_000;

/** Makes work that uses at most this many units a second, so that the requests of people find the others. */
export function workshop(unitsPerSecond: number, kind: "read" | "write" = "write", attempts = ATTEMPTS): Workshop {
  let used = 0;
  // When the units that are used so far are paid for, in milliseconds of the process.
  let paidAt = performance.now();
  const pay = async (units: number): Promise<void> => {
    used += units;
    paidAt = Math.max(paidAt, performance.now()) + (units / unitsPerSecond) * 1000;
    const wait = paidAt - performance.now();
    if (wait > 1) await sleep(wait);
  };
  const work: Work = async (piece) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, units } = await withStoreBudget(async () => {
          const outcome = await piece();
          return { result: outcome, units: storeUse()[`${kind}Units`] };
        });
        await pay(units);
        return result;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || attempt === attempts) throw error;
        await sleep(Math.min(LONGEST_PAUSE_MS, 100 * 2 ** attempt));
      }
    }
  };
  return { work, pay, units: () => used };
}

/** Items in groups of at most a size. */
export function inGroups<T>(items: T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}
