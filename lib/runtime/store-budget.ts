import { AsyncLocalStorage } from "node:async_hooks";

/** How long the store may work for one request, in milliseconds (five seconds, then a 503: docs/decisions.md#errors). */
export const STORE_BUDGET_MS = 5000;

/** What one request asked of the store; its clock runs while a call is under way, so hashing a password does not count. */
type Use = { spent: number; underWay: number; since: number; calls: number; conflicts: number };

const uses = new AsyncLocalStorage<Use>();

/** Runs one request with a store budget of its own. */
export const withStoreBudget = <T>(work: () => Promise<T>): Promise<T> =>
  uses.run({ spent: 0, underWay: 0, since: 0, calls: 0, conflicts: 0 }, work);

/** Milliseconds of store work that the request at hand still has; the whole budget outside of a request. */
export const storeBudgetLeft = (): number => {
  const use = uses.getStore();
  if (!use) return STORE_BUDGET_MS;
  return STORE_BUDGET_MS - use.spent - (use.underWay > 0 ? performance.now() - use.since : 0);
};

/** Counts a call, or a wait before one, against the budget of the request at hand. */
export const onStoreClock = async <T>(work: () => Promise<T>): Promise<T> => {
  const use = uses.getStore();
  if (!use) return work();
  if (use.underWay++ === 0) use.since = performance.now();
  try {
    return await work();
  } finally {
    if (--use.underWay === 0) use.spent += performance.now() - use.since;
  }
};

/** Notes one call for the request log. */
export const countCall = (): void => {
  const use = uses.getStore();
  if (use) use.calls++;
};

/** Notes one transaction that another one got in the way of, for the request log. */
export const countConflict = (): void => {
  const use = uses.getStore();
  if (use) use.conflicts++;
};

/** The counts of the request at hand. */
export const storeUse = (): { calls: number; conflicts: number } => {
  const { calls = 0, conflicts = 0 } = uses.getStore() ?? {};
  return { calls, conflicts };
};
