import * as z from "zod/mini";
import { type Row, rowParts } from "../posts/placement.ts";
import type { PostWithVoters } from "../posts/posts.ts";
import { isEqual, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { type Part, replace } from "../table/parts.ts";
import {
  codesOf,
  hasOwner,
  isAmong,
  isRanked,
  listsOf,
  type Placement,
  type PostList,
  placementFields,
  placementOf,
} from "../table/post-lists.ts";
import { get } from "../table/reads.ts";
import { type Merits, meritsOf, type RankOrder, rankOrders } from "./orders.ts";

// The rows of the orders by rank. They follow from a post's votes, and only background work writes them
// (cleanup/derived-rows.ts). The item RANK stores the content of a post's rows.

export const RankItem = z.object({
  votes: z.number(),
  trendingAt: z.number(),
  ...placementFields,
});
export type RankItem = z.output<typeof RankItem>;

/** What the rows of a post are made from: its merits (votes, trending time) and its facets. */
type Ranked = Merits & Placement;

/** The fields in one order, absent ones too, so that they can be compared and used as conditions. */
function fieldsOf({ votes, trendingAt, ...placement }: Ranked): Ranked {
  return { votes, trendingAt, ...placementOf(placement) };
}

/** The rank that a post should have. */
export function rankNow({ post, voters }: PostWithVoters): Ranked {
  return fieldsOf({ ...post, ...meritsOf(voters) });
}

/** Whether a post has the rank that it should have. */
export function isRankCurrent(found: PostWithVoters, rank: Ranked | undefined): boolean {
  return isEqual(rank && fieldsOf(rank), rankNow(found));
}

/** The parts that bring the rows of a post up to date; none if they already are. */
export async function changedRankParts(
  postId: string,
  from: Ranked | undefined,
  to: Ranked | undefined,
): Promise<Record<string, Part>> {
  return isEqual(from && fieldsOf(from), to) ? {} : rankParts(postId, from, to, await liveLists(from, to));
}

/**
 * The parts that bring a post's rows in some lists from one rank to another. Without `from` there are none
 * yet, without `to` they are removed. RANK is written on condition that it has not changed since it was read.
 */
export function rankParts(
  postId: string,
  from: Ranked | undefined,
  to: Ranked | undefined,
  lists: PostList[],
): Record<string, Part> {
  const parts = rankOrders.flatMap((order) =>
    lists.flatMap((list) => rowParts(rowIn(order, list, postId, from), rowIn(order, list, postId, to))),
  );
  return {
    rank: replace(key.rank(postId), from && stillHas(fieldsOf(from)), to),
    ...Object.fromEntries(parts.map((part, at) => [`part ${at}`, part])),
  };
}

/**
 * The ranked lists without those that would get a row though their board or roadmap is gone. The sweeper clears these
 * twice, because a board or roadmap may also be deleted after this look.
 */
async function liveLists(from: Ranked | undefined, to: Ranked | undefined): Promise<PostList[]> {
  const lists = listsOf(from, to).filter(isRanked);
  const next = listsOf(to);
  const isLive = async (list: PostList): Promise<boolean> => {
    if (!hasOwner(list) || !isAmong(list, next)) return true;
    return (await get(key.listOwner(list), z.object({ sk: z.string() }))) !== undefined;
  };
  const live = await Promise.all(lists.map(isLive));
  return lists.filter((_, at) => live[at]);
}

function rowIn(order: RankOrder, list: PostList, postId: string, ranked: Ranked | undefined): Row | undefined {
  if (!ranked || !isAmong(list, listsOf(ranked))) return undefined;
  return { key: key.rankRow(order.ranking, list, order.rowKeyOf(postId, ranked)), facets: codesOf(ranked) };
}
