import type { Change, Database } from "../model/database.ts";
import type { Item } from "../model/values.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";

// AWS promises: within a few days.
const LATEST_MS = 2 * 86_400_000;
const AGAIN_MS = 1000;

/**
 * Deletes items some time after they have expired, as DynamoDB's time to live does; `attribute` says when, in seconds
 * since 1970. Returns what each change is told to.
 */
export function expiryOf(scheduler: Scheduler, database: () => Database, attribute: string): (change: Change) => void {
  const random = scheduler.random.fork("expiry");

  const endOf = (item: Item | undefined): number | undefined => {
    const value = item?.[attribute];
    return value && "N" in value ? Number(value.N) * 1000 : undefined;
  };

  const remove = (key: Change["key"]): void => {
    const end = endOf(database().table.get(key)?.item);
    // It was renewed.
    if (end === undefined || end > scheduler.now) return;
    if (database().isHeld(key)) scheduler.after(AGAIN_MS, () => remove(key));
    else database().commit(key, undefined, { by: "expiry" });
  };

  return ({ key, before, after }) => {
    const end = endOf(after);
    if (end === undefined || end === endOf(before)) return;
    scheduler.at(Math.max(end, scheduler.now) + random.between(0, LATEST_MS), () => remove(key));
  };
}
