import { range } from "../table/keys.ts";
import { firstIdOf } from "../values/ids.ts";
import type { Order } from "./order.ts";

const DAY_MS = 86_400_000;

/** Oldest first, or newest first: a row's key is the id of its post, and posts are counted by the day. */
export function byCreation(descending: boolean): Order {
  return {
    descending,
    rankDigits: 0,
    rows: range.listRows,
    counts: range.dayCounts,
    bucketOf: (month, day) => `${month}-${day}`,
    keysOf: (day) => {
      const nextDay = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
      return { start: firstIdOf(day), end: firstIdOf(nextDay) };
    },
  };
}
