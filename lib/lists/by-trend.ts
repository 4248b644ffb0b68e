import { range } from "../table/keys.ts";
import { padded } from "../values/text.ts";
import type { RankOrder } from "./order.ts";

const DIGITS = 13;
const DAY_MS = 86_400_000;

/** The latest trending time first (values/trend.ts), then newest first. Posts are counted by the day of that time. */
export const byTrend: RankOrder = {
  ranking: "TRENDING",
  descending: true,
  rankDigits: DIGITS,
  rows: (list, bounds) => range.rankRows("TRENDING", list, bounds),
  counts: (list) => range.rankCounts("TRENDING", list),
  bucketOf: (month, day) => `${month}-${day}`,
  keysOf: (day) => {
    const start = Date.parse(day);
    return { start: padded(start, DIGITS), end: padded(start + DAY_MS, DIGITS) };
  },
  rankOf: (postId, { trendingAt }) => {
    const day = new Date(trendingAt).toISOString();
    return { rowKey: `${padded(trendingAt, DIGITS)}#${postId}`, month: day.slice(0, 7), digits: day.slice(8, 10) };
  },
};
