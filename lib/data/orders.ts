import { firstIdOf } from "../values/ids.ts";
import { type Bounds, type Range, range } from "./keys.ts";
import type { PostList } from "./post-lists.ts";

/** An order of the posts of a list: which rows it reads, from which end, and which of them one count counts. */
export type Order = {
  /** The rows of a list within some bounds. */
  rows: (list: PostList, bounds: Bounds) => Range;
  /** Whether the list begins with the row of the greatest key. */
  descending: boolean;
  /** The keys of the rows that the count of this name counts: `start` is included, `end` is not. Names sort as their rows do. */
  bucket: (name: string) => Bucket;
};

type Bucket = { start: string; end: string };

// A row's key is the id of its post, and posts are counted by day.
const byCreation = {
  rows: range.listRows,
  bucket: (day: string): Bucket => {
    const nextDay = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    return { start: firstIdOf(day), end: firstIdOf(nextDay) };
  },
};

/** The orders of a list, by the names that clients use. A new order is one more entry. */
export const orders = {
  asc: { ...byCreation, descending: false },
  desc: { ...byCreation, descending: true },
} as const satisfies Record<string, Order>;

/** The name of an order. */
export type OrderName = keyof typeof orders;

/** The same rows from the other end. */
export const reversed = (order: Order): Order => ({ ...order, descending: !order.descending });

/** The bounds of the rows from one of them on, in an order. */
export const boundsFrom = (key: string, { descending }: Order): Bounds => (descending ? { to: key } : { from: key });

/** The bounds of the rows after one of them, in an order; without a row, of all. */
export const boundsAfter = (key: string | undefined, { descending }: Order): Bounds => {
  if (key === undefined) return {};
  return descending ? { before: key } : { after: key };
};

/** The bounds of the rows of a bucket. */
export const boundsIn = (bucket: string, order: Order): Bounds => {
  const { start, end } = order.bucket(bucket);
  return { from: start, before: end };
};

/** The bounds of the rows from the first bucket to the last, in an order; of those after a row, if it lies among them. */
export const boundsBetween = (first: string, last: string, order: Order, after?: string): Bounds => {
  const [low, high] = order.descending ? [last, first] : [first, last];
  const bounds = { from: order.bucket(low).start, before: order.bucket(high).end };
  const isAmong = after !== undefined && after >= bounds.from && after < bounds.before;
  return isAmong ? { ...bounds, ...boundsAfter(after, order) } : bounds;
};

/** Whether a bucket comes after another one in an order. */
export const isLater = (bucket: string, other: string, { descending }: Order): boolean =>
  descending ? bucket < other : bucket > other;

/** Whether a bucket has, in an order, rows after one of them. */
export const reachesBeyond = (bucket: string, key: string, order: Order): boolean => {
  const { start, end } = order.bucket(bucket);
  return order.descending ? start < key : end > key;
};

/** The bounds of the rows from the first one of a bucket on, in an order. */
export const boundsFromBucket = (bucket: string, order: Order): Bounds => {
  const { start, end } = order.bucket(bucket);
  return order.descending ? { before: end } : { from: start };
};

/** The bounds of the rows after the last one of a bucket, in an order. */
export const boundsAfterBucket = (bucket: string, order: Order): Bounds => {
  const { start, end } = order.bucket(bucket);
  return order.descending ? { before: start } : { from: end };
};
