import { timeOf } from "../values/ids.ts";
import { trendingTime } from "../values/trend.ts";
import type { Voters } from "../votes/votes.ts";
import { byCreation } from "./by-creation.ts";
import { byTrend } from "./by-trend.ts";
import { byVotes } from "./by-votes.ts";
import type { Merits, Order, RankOrder } from "./order.ts";

/** The orders of a list, by the names that the code uses. */
export const orders = {
  asc: byCreation(false),
  desc: byCreation(true),
  top: byVotes,
  trending: byTrend,
} as const satisfies Record<string, Order>;

export type OrderName = keyof typeof orders;

/** The orders by rank. */
export const rankOrders: readonly RankOrder[] = [byVotes, byTrend];

/** Whether a text has the form of a row's key in an order. */
export function isRowKeyOf(name: OrderName, rowKey: string): boolean {
  const { rankDigits } = orders[name];
  return rowKey.indexOf("#") === (rankDigits === 0 ? -1 : rankDigits);
}

/** The merits of a post. */
export function meritsOf({ postId, count, trend }: Voters): Merits {
  return { votes: count, trendingAt: trendingTime(timeOf(postId), trend) };
}
