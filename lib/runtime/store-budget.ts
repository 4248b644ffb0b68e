import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds of store work that a request may use; then it is a 503 (docs/contract.md#errors). */
export const STORE_BUDGET_MS = 5000;

/** The store use of a request. Its clock runs while a call is under way, so hashing a password does not count. */
function newUse() {
  return { spent: 0, underWay: 0, since: 0, calls: 0, conflicts: 0, readUnits: 0, writeUnits: 0 };
}

const uses = new AsyncLocalStorage<ReturnType<typeof newUse>>();

/** Runs the work of a request, whose store calls share five seconds. */
export function withStoreBudget<T>(work: () => Promise<T>): Promise<T> {
  return uses.run(newUse(), work);
}

/** Stands for the current request; undefined outside of one. */
export function currentRequest(): object | undefined {
  return uses.getStore();
}

/** Milliseconds that the current request has left; the whole budget outside of a request. */
export function storeBudgetLeft(): number {
  const use = uses.getStore();
  if (!use) return STORE_BUDGET_MS;
  return STORE_BUDGET_MS - use.spent - (use.underWay > 0 ? performance.now() - use.since : 0);
}

/** Runs work that counts against the store budget; parallel work counts once. */
export async function onStoreClock<T>(work: () => Promise<T>): Promise<T> {
  const use = uses.getStore();
  if (!use) return work();
  if (use.underWay++ === 0) use.since = performance.now();
  try {
    return await work();
  } finally {
    if (--use.underWay === 0) use.spent += performance.now() - use.since;
  }
}

/**
 * Waits before the next attempt, with full jitter: up to 20 ms for attempt 0, doubling, at most 640 ms. The wait counts
 * against the budget of the request and ends with it.
 */
export function backOff(attempt: number): Promise<void> {
  return onStoreClock(() =>
    sleep(Math.min(Math.random() * 20 * 2 ** Math.min(attempt, 5), Math.max(storeBudgetLeft(), 0))),
  );
}

/** Counts for the log line of the request. */
export function count(kind: "calls" | "conflicts" | "readUnits" | "writeUnits", number: number | undefined): void {
  const use = uses.getStore();
  if (use) use[kind] += number ?? 0;
}

/** The counts of the current request; zeros outside of one. */
export function storeUse() {
  return uses.getStore() ?? newUse();
}
