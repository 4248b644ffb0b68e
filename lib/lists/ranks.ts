import * as z from "zod/mini";
import { type Entry, entryParts, rowAttributes } from "../posts/placement.ts";
import {
  findAllWithVoters,
  isGone,
  type PostOrVoters,
  PostOrVotersItem,
  type PostWithVoters,
  withVoters,
} from "../posts/posts.ts";
import { isEqual, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part, put, remove } from "../table/parts.ts";
import { isAmong, listsOf, nameOf, type Placement, type PostList } from "../table/post-lists.ts";
import { getMany } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { type Merits, meritsOf, type RankOrder, rankOrders } from "./orders.ts";

// The rows and counts of the orders by rank. A post's place in these follows from its votes, and requests write none of
// it: a background function brings it up to date after each change of a post or its voters. An item, RANK, says what
// the rows and counts of a post say now. docs/data-model.md#ranks tells why no change is lost when two functions rank
// the same post.

export const RankItem = z.object({
  votes: z.number(),
  trendingAt: z.number(),
  boardId: z.optional(z.string()),
  roadmapId: z.optional(z.string()),
  status: z.optional(z.string()),
});

/** The source of the rows and counts of a post: its merits, its lists, and its status. */
type Ranked = Merits & Placement;

/** The fields in one order, absent ones too, so that they can be compared and used as conditions. */
function fieldsOf({ votes, trendingAt, boardId, roadmapId, status }: Ranked) {
  return { votes, trendingAt, boardId, roadmapId, status };
}

function rankedNow({ post, voters }: PostWithVoters): Ranked {
  return fieldsOf({ ...post, ...meritsOf(voters) });
}

const RankOrPostItem = z.union([PostOrVotersItem, RankItem]);
type RankOrPost = z.output<typeof RankOrPostItem>;

function isRank(item: RankOrPost): item is Ranked {
  return "trendingAt" in item;
}

/** What the rows and counts of a post say (`known`), and what they should say. */
async function read(postId: string): Promise<{ known: Ranked | undefined; now: Ranked | undefined }> {
  const items = await getMany([key.rank(postId), key.post(postId), key.voters(postId)], RankOrPostItem);
  const [known] = items.filter(isRank);
  const [found] = withVoters(items.filter((item): item is PostOrVoters => !isRank(item)));
  return { known: known && fieldsOf(known), now: found && rankedNow(found) };
}

// The most commits in a row: then other posts get their turn.
const COMMITS = 3;

/** Brings the rows and counts of a post up to date, if it is deleted to none. "more" if it never stops changing. */
export async function rank(postId: string): Promise<"done" | "more"> {
  return replanned(
    await read(postId),
    () => read(postId),
    async ({ known, now }) => {
      for (let commits = 0; !isEqual(known, now); commits++) {
        if (!now && !(await isGone(postId))) break;
        if (commits === COMMITS) return "more";
        const parts = rankParts(postId, known, now, await liveLists(known, now));
        if (!(await transact<string>(parts)).done) return "changed meanwhile";
        known = now;
        // The post may have been read before RANK, and another function may have skipped a later change because RANK
        // said so already.
        [now] = (await findAllWithVoters([postId])).map(rankedNow);
      }
      return "done";
    },
  );
}

/** The ids of the posts whose rows and counts are not up to date. */
export async function behind(found: PostWithVoters[]): Promise<string[]> {
  const keys = found.map(({ post: { postId } }) => key.rank(postId));
  const items = await getMany(keys, z.extend(RankItem, { pk: z.string() }));
  const ranked = new Map(items.map((item) => [item.pk, fieldsOf(item)]));
  const outdated = found.filter((post) => !isEqual(ranked.get(key.rank(post.post.postId).pk), rankedNow(post)));
  return outdated.map(({ post }) => post.postId);
}

/**
 * The parts that bring a post's rows and counts in some lists from one rank to another. Without `from` there are none
 * yet, without `to` they are removed. RANK is written on condition that it says what was read.
 */
export function rankParts(
  postId: string,
  from: Ranked | undefined,
  to: Ranked | undefined,
  lists: PostList[],
): Record<string, Part> {
  const at = key.rank(postId);
  const unchanged = from && stillHas(from);
  const parts = rankOrders.flatMap((order) =>
    lists.flatMap((list) => entryParts(entryIn(order, list, postId, from), entryIn(order, list, postId, to))),
  );
  return {
    rank: !to ? remove(at, unchanged) : unchanged ? put(at, to, unchanged) : create(at, to),
    ...Object.fromEntries(parts.map((part, at) => [`part ${at}`, part])),
  };
}

/**
 * The lists of a post whose board or roadmap exists. The sweeper clears the others, twice: a board may be deleted
 * between this check and the commit.
 */
async function liveLists(...ranked: (Ranked | undefined)[]): Promise<PostList[]> {
  const lists = listsOf(...ranked);
  const owned = lists.filter(({ id }) => id !== undefined);
  const owners = await getMany(owned.map(key.listOwner), z.object({ sk: z.string() }));
  const alive = new Set(owners.map(({ sk }) => sk));
  return lists.filter((list) => list.id === undefined || alive.has(nameOf(list)));
}

function entryIn(order: RankOrder, list: PostList, postId: string, ranked: Ranked | undefined): Entry | undefined {
  if (!ranked || !isAmong(list, listsOf(ranked))) return undefined;
  const { rowKey, month, digits } = order.rankOf(postId, ranked);
  return {
    row: key.rankRow(order.ranking, list, rowKey),
    attributes: rowAttributes(list, ranked),
    month: key.rankCounts(order.ranking, list, month),
    digits,
  };
}
