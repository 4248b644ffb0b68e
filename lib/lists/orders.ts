import type { Ranking } from "../table/families.ts";
import { allPosts, type PostList } from "../table/post-lists.ts";
import { type Bounds, type Range, range } from "../table/ranges.ts";
import { timeOf } from "../values/ids.ts";
import { padded } from "../values/text.ts";
import { trendingTime } from "../values/trend.ts";
import type { Voters } from "../votes/votes.ts";

/** An order of the posts of a list, and where its rows are stored. */
export type Order = {
  /** Whether a list begins with the row of the greatest key. */
  descending: boolean;
  rows(list: PostList, bounds: Bounds): Range;
};

/** The source of a rank: the number of votes, and the time that `trending` sorts by. */
export type Merits = { votes: number; trendingAt: number };

/** An order by rank, whose rows background work writes (ranks.ts). A row's key is the rank, `#`, the post's id. */
export type RankOrder = Order & {
  ranking: Ranking;
  /** The key of the post's row. */
  rowKeyOf(postId: string, merits: Merits): string;
};

/** Oldest first, or newest first: a row's key is the id of its post. */
function byCreation(descending: boolean): Order {
  return { descending, rows: range.listRows };
}

function byRank(ranking: Ranking, rankOf: (merits: Merits) => string): RankOrder {
  return {
    ranking,
    descending: true,
    rows: (list, bounds) => range.rankRows(ranking, list, bounds),
    rowKeyOf: (postId, merits) => `${rankOf(merits)}#${postId}`,
  };
}

const VOTES_DIGITS = 7;
const TIME_DIGITS = 13;

export const orders = {
  asc: byCreation(false),
  desc: byCreation(true),
  /** Most votes first, then newest first. */
  top: byRank("TOP", ({ votes }) => padded(votes, VOTES_DIGITS)),
  /** The latest trending time first (values/trend.ts), then newest first. */
  trending: byRank("TRENDING", ({ trendingAt }) => padded(trendingAt, TIME_DIGITS)),
} as const;

/** The rows of the posts that trend since a time (milliseconds since 1970), each of which may come twice. */
export function trendingSince(time: number): Range {
  return orders.trending.rows(allPosts, { from: padded(Math.max(time, 0), TIME_DIGITS) });
}

export type OrderName = keyof typeof orders;

export const rankOrders: readonly RankOrder[] = [orders.top, orders.trending];

/** An order by rank; undefined for the orders by date. */
export function rankOrder(name: OrderName): RankOrder | undefined {
  const order = orders[name];
  return "ranking" in order ? order : undefined;
}

/** What the rank of a post is made of. */
export function meritsOf({ postId, count, trend }: Voters): Merits {
  return { votes: count, trendingAt: trendingTime(timeOf(postId), trend) };
}

/** The bounds of the rows after one, in an order. */
export function boundsAfter(rowKey: string | undefined, { descending }: Order): Bounds {
  if (rowKey === undefined) return {};
  return descending ? { before: rowKey } : { after: rowKey };
}
