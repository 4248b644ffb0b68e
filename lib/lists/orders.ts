import { type Bounds, type Range, type Ranking, range } from "../table/keys.ts";
import type { PostList } from "../table/post-lists.ts";
import { firstIdOf, timeOf } from "../values/ids.ts";
import { padded } from "../values/text.ts";
import { trendingTime } from "../values/trend.ts";
import type { Voters } from "../votes/votes.ts";

/** An order of the posts of a list: where its rows and counts are stored, and which rows a count counts. */
export type Order = {
  /** Whether a list begins with the row of the greatest key. */
  descending: boolean;
  rows(list: PostList, bounds: Bounds): Range;
  /** The counts of a list: an item a month, a number for each of the digits in it. */
  counts(list: PostList): Range;
  /** The bucket that the digits in a month's item count: its name, which sorts as its rows do. */
  bucketOf(month: string, digits: string): string;
  /** The keys of the rows in a bucket: `start` is included, `end` is not. */
  keysOf(bucket: string): { start: string; end: string };
};

/** The source of a rank: the number of votes, and the time that `trending` sorts by. */
export type Merits = { votes: number; trendingAt: number };

/** An order by rank: background work keeps its rows and counts up to date (ranks.ts). */
export type RankOrder = Order & {
  ranking: Ranking;
  /** The key of the post's row, and where the post is counted. */
  rankOf(postId: string, merits: Merits): { rowKey: string; month: string; digits: string };
};

const DAY_MS = 86_400_000;

/** Oldest first, or newest first: a row's key is the id of its post, and posts are counted by the day. */
function byCreation(descending: boolean): Order {
  return {
    descending,
    rows: range.listRows,
    counts: range.dayCounts,
    bucketOf: (month, day) => `${month}-${day}`,
    keysOf: (day) => {
      const nextDay = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
      return { start: firstIdOf(day), end: firstIdOf(nextDay) };
    },
  };
}

/** Where an order by rank is stored. A row's key is the rank, `#` and the id of its post. */
function storedBy(ranking: Ranking) {
  return {
    ranking,
    descending: true,
    rows: (list: PostList, bounds: Bounds) => range.rankRows(ranking, list, bounds),
    counts: (list: PostList) => range.rankCounts(ranking, list),
  };
}

const VOTES_DIGITS = 7;

// Each number of votes up to this one is counted alone; above it, each doubling is counted in eight steps.
const EXACT = 63;

function stepAt(votes: number): number {
  return votes <= EXACT ? 1 : 2 ** (31 - Math.clz32(votes) - 3);
}

/**
 * Most votes first, then newest first. A bucket holds the posts of a month with the same number of votes; above 63
 * votes, the posts of all months with some numbers of votes.
 */
const byVotes: RankOrder = {
  ...storedBy("TOP"),
  bucketOf: (month, votes) => padded(Number(votes), VOTES_DIGITS) + (Number(votes) <= EXACT ? `#${month}` : ""),
  keysOf: (bucket) => {
    const [digits = "", month] = bucket.split("#");
    if (month === undefined) {
      const votes = Number(digits);
      return { start: `${digits}#`, end: `${padded(votes + stepAt(votes), VOTES_DIGITS)}#` };
    }
    const [year = 0, number = 0] = month.split("-").map(Number);
    const nextMonth = new Date(Date.UTC(year, number)).toISOString().slice(0, 10);
    return { start: `${digits}#${firstIdOf(`${month}-01`)}`, end: `${digits}#${firstIdOf(nextMonth)}` };
  },
  rankOf: (postId, { votes }) => ({
    rowKey: `${padded(votes, VOTES_DIGITS)}#${postId}`,
    month: new Date(timeOf(postId)).toISOString().slice(0, 7),
    digits: String(votes - (votes % stepAt(votes))),
  }),
};

const TIME_DIGITS = 13;

/** The latest trending time first (values/trend.ts), then newest first. Posts are counted by the day of that time. */
const byTrend: RankOrder = {
  ...storedBy("TRENDING"),
  bucketOf: (month, day) => `${month}-${day}`,
  keysOf: (day) => {
    const start = Date.parse(day);
    return { start: padded(start, TIME_DIGITS), end: padded(start + DAY_MS, TIME_DIGITS) };
  },
  rankOf: (postId, { trendingAt }) => {
    const day = new Date(trendingAt).toISOString();
    return { rowKey: `${padded(trendingAt, TIME_DIGITS)}#${postId}`, month: day.slice(0, 7), digits: day.slice(8, 10) };
  },
};

export const orders = { asc: byCreation(false), desc: byCreation(true), top: byVotes, trending: byTrend } as const;

export type OrderName = keyof typeof orders;

export const rankOrders: readonly RankOrder[] = [byVotes, byTrend];

export function meritsOf({ postId, count, trend }: Voters): Merits {
  return { votes: count, trendingAt: trendingTime(timeOf(postId), trend) };
}

export function boundsAfter(rowKey: string | undefined, { descending }: Order): Bounds {
  if (rowKey === undefined) return {};
  return descending ? { before: rowKey } : { after: rowKey };
}
