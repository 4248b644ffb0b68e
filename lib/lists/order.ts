import type { Bounds, Range, Ranking } from "../table/keys.ts";
import type { PostList } from "../table/post-lists.ts";

/** An order of the posts of a list: where its rows and counts are stored, and which rows a count counts. */
export type Order = {
  /** Whether a list begins with the row of the greatest key. */
  descending: boolean;
  /** The length of the rank that stands before `#` and the post's id in a row's key; 0 if the key is the id alone. */
  rankDigits: number;
  /** The rows of a list within some bounds. */
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

/** An order by rank: background work keeps up its rows and counts (ranks.ts). */
export type RankOrder = Order & {
  ranking: Ranking;
  /** The key of the post's row, and where the post is counted. */
  rankOf(postId: string, merits: Merits): { rowKey: string; month: string; digits: string };
};

/** The bounds of the rows from one of them on. */
export function boundsFrom(rowKey: string, { descending }: Order): Bounds {
  return descending ? { to: rowKey } : { from: rowKey };
}

/** The bounds of the rows after one of them; without one, of all rows. */
export function boundsAfter(rowKey: string | undefined, { descending }: Order): Bounds {
  if (rowKey === undefined) return {};
  return descending ? { before: rowKey } : { after: rowKey };
}

/** The bounds of the rows from one bucket to another; with `after`, only of those after that row. */
export function boundsBetween(first: string, last: string, order: Order, after?: string): Bounds {
  const [low, high] = order.descending ? [last, first] : [first, last];
  const bounds = { from: order.keysOf(low).start, before: order.keysOf(high).end };
  const cuts = after !== undefined && after >= bounds.from && after < bounds.before;
  return cuts ? { ...bounds, ...boundsAfter(after, order) } : bounds;
}

/** Whether a bucket can hold rows after one of them. */
export function reachesBeyond(bucket: string, rowKey: string, order: Order): boolean {
  const { start, end } = order.keysOf(bucket);
  return order.descending ? start < rowKey : end > rowKey;
}
