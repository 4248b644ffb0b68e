import { setTimeout as sleep } from "node:timers/promises";

/**
 * Turns, one in each interval of milliseconds, for all who ask this function. Waits for the next turn; false, without a
 * turn, if it is longer than `patience` away.
 */
export function paceOf(interval: number) {
  let nextAt = 0;
  return async (patience = Number.POSITIVE_INFINITY): Promise<boolean> => {
    const now = Date.now();
    const at = Math.max(now, nextAt);
    if (at - now > patience) return false;
    nextAt = at + interval;
    if (at > now) await sleep(at - now);
    return true;
  };
}
