import { type Bounds, type Range, type Ranking, range } from "../table/keys.ts";
import type { PostList } from "../table/post-lists.ts";
import { firstIdOf, timeOf } from "../values/ids.ts";
import { trendingTime } from "../values/trend.ts";
import type { Voters } from "../votes/votes.ts";

/** An order of the posts of a list: which rows it reads, from which end, and which of them one count counts. */
export type Order = {
  /** The rows of a list within some bounds. */
  rows: (list: PostList, bounds: Bounds) => Range;
  /** Whether the list begins with the row of the greatest key. */
  descending: boolean;
  /** The counts of a list. */
  counts: (list: PostList) => Range;
  /** The name of the bucket that an attribute of a month's counts counts. Names sort as their rows do. */
  nameOf: (month: string, digits: string) => string;
  /** The keys of the rows that the count of this name counts: `start` is included, `end` is not. */
  bucket: (name: string) => Bucket;
  /** For an order by rank: the key that the row of a post would have now. Pages are sorted by it. */
  rowKeyNow?: (voters: Voters) => string;
};

type Bucket = { start: string; end: string };

const DAY_MS = 86_400_000;

/** The day of an attribute of a month's counts. */
function dayNamed(month: string, digits: string): string {
  return `${month}-${digits}`;
}

// A row's key is the id of its post, and posts are counted by day.
const byCreation = {
  rows: range.listRows,
  counts: range.dayCounts,
  nameOf: dayNamed,
  bucket: (day: string): Bucket => {
    const nextDay = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
    return { start: firstIdOf(day), end: firstIdOf(nextDay) };
  },
};

/** What a ranking sorts posts by, and where it counts a post. */
type Rank = {
  /** The key of the post's row. */
  rowKey: string;
  /** The month's counts that it is in, and the digits of its attribute there. */
  month: string;
  digits: string;
};

/** What the ranks of a post are made of: the number of its votes, and its trending time. */
export type Merits = { votes: number; trendingAt: number };

/** The merits of a post. */
export function meritsOf({ postId, count, trend }: Voters): Merits {
  return {
    votes: count,
    trendingAt: trendingTime(timeOf(postId), trend),
  };
}

// Numbers of votes up to this one have buckets of their own, above it each doubling has eight.
const EXACT = 63;

const VOTES_DIGITS = 7;
const TIME_DIGITS = 13;

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

function log2Of(votes: number): number {
  return 31 - Math.clz32(votes);
}

/** The least number of votes of the bucket that a number of votes is in. */
function leastOf(votes: number): number {
  if (votes <= EXACT) return votes;
  const step = 2 ** (log2Of(votes) - 3);
  return Math.floor(votes / step) * step;
}

// Posts with the same number of votes are sorted by their ids, so by month. Up to EXACT votes a bucket is the posts of a month with a
// number of votes, above it those of all months with some numbers of votes.
const byVotes = {
  rows: (list: PostList, bounds: Bounds) => range.rankRows("TOP", list, bounds),
  counts: (list: PostList) => range.rankCounts("TOP", list),
  nameOf: (month: string, digits: string): string => {
    const votes = Number(digits);
    return votes <= EXACT ? `${padded(votes, VOTES_DIGITS)}#${month}` : padded(votes, VOTES_DIGITS);
  },
  bucket: (name: string): Bucket => {
    const [digits = "", month] = name.split("#");
    const votes = Number(digits);
    if (month === undefined) {
      const step = 2 ** (log2Of(votes) - 3);
      return { start: `${digits}#`, end: `${padded(votes + step, VOTES_DIGITS)}#` };
    }
    const [year = 0, number = 0] = month.split("-").map(Number);
    const nextMonth = new Date(Date.UTC(year, number)).toISOString().slice(0, 10);
    return { start: `${digits}#${firstIdOf(`${month}-01`)}`, end: `${digits}#${firstIdOf(nextMonth)}` };
  },
  descending: true,
  rowKeyNow: (voters: Voters): string => rankOf("TOP", voters.postId, meritsOf(voters)).rowKey,
};

// A row's key is the trending time of its post, and posts are counted by the day of it.
const byTrendingTime = {
  rows: (list: PostList, bounds: Bounds) => range.rankRows("TRENDING", list, bounds),
  counts: (list: PostList) => range.rankCounts("TRENDING", list),
  nameOf: dayNamed,
  bucket: (day: string): Bucket => {
    const start = Date.parse(day);
    return { start: padded(start, TIME_DIGITS), end: padded(start + DAY_MS, TIME_DIGITS) };
  },
  descending: true,
  rowKeyNow: (voters: Voters): string => rankOf("TRENDING", voters.postId, meritsOf(voters)).rowKey,
};

/** Where a post with some merits is in a ranking. */
export function rankOf(ranking: Ranking, postId: string, { votes, trendingAt }: Merits): Rank {
  if (ranking === "TRENDING") {
    const day = new Date(trendingAt).toISOString();
    return { rowKey: `${padded(trendingAt, TIME_DIGITS)}#${postId}`, month: day.slice(0, 7), digits: day.slice(8, 10) };
  }
  const month = new Date(timeOf(postId)).toISOString().slice(0, 7);
  return { rowKey: `${padded(votes, VOTES_DIGITS)}#${postId}`, month, digits: String(leastOf(votes)) };
}

/** The orders of a list, by the names that the code uses. A new order is one more entry. */
export const orders = {
  asc: { ...byCreation, descending: false },
  desc: { ...byCreation, descending: true },
  top: byVotes,
  trending: byTrendingTime,
} as const satisfies Record<string, Order>;

/** The name of an order. */
export type OrderName = keyof typeof orders;

// How many digits of rank come before the id in a row's key.
const rankDigits: Record<OrderName, number> = { asc: 0, desc: 0, top: VOTES_DIGITS, trending: TIME_DIGITS };

/** Whether a text has the form of a row's key in an order. */
export function isRowKeyOf(name: OrderName, rowKey: string): boolean {
  return rowKey.includes("#") ? rowKey.indexOf("#") === rankDigits[name] : rankDigits[name] === 0;
}

/** The same rows from the other end. */
export function reversed(order: Order): Order {
  return { ...order, descending: !order.descending };
}

/** The bounds of the rows from one of them on, in an order. */
export function boundsFrom(key: string, { descending }: Order): Bounds {
  return descending ? { to: key } : { from: key };
}

/** The bounds of the rows after one of them, in an order; without a row, of all. */
export function boundsAfter(key: string | undefined, { descending }: Order): Bounds {
  if (key === undefined) return {};
  return descending ? { before: key } : { after: key };
}

/** The bounds of the rows of a bucket. */
export function boundsIn(bucket: string, order: Order): Bounds {
  const { start, end } = order.bucket(bucket);
  return { from: start, before: end };
}

/** The bounds of the rows from the first bucket to the last, in an order; of those after a row, if it lies among them. */
export function boundsBetween(first: string, last: string, order: Order, after?: string): Bounds {
  const [low, high] = order.descending ? [last, first] : [first, last];
  const bounds = { from: order.bucket(low).start, before: order.bucket(high).end };
  const isAmong = after !== undefined && after >= bounds.from && after < bounds.before;
  return isAmong ? { ...bounds, ...boundsAfter(after, order) } : bounds;
}

/** Whether a bucket comes after another one in an order. */
export function isLater(bucket: string, other: string, { descending }: Order): boolean {
  return descending ? bucket < other : bucket > other;
}

/** Whether a bucket has, in an order, rows after one of them. */
export function reachesBeyond(bucket: string, key: string, order: Order): boolean {
  const { start, end } = order.bucket(bucket);
  return order.descending ? start < key : end > key;
}

/** The bounds of the rows from the first one of a bucket on, in an order. */
export function boundsFromBucket(bucket: string, order: Order): Bounds {
  const { start, end } = order.bucket(bucket);
  return order.descending ? { before: end } : { from: start };
}

/** The bounds of the rows after the last one of a bucket, in an order. */
export function boundsAfterBucket(bucket: string, order: Order): Bounds {
  const { start, end } = order.bucket(bucket);
  return order.descending ? { before: start } : { from: end };
}
