import * as z from "zod/mini";
import { isAmong, rowOf } from "../posts/placement.ts";
import type { PostWithVoters } from "../posts/posts.ts";
import * as posts from "../posts/posts.ts";
import { stillHas } from "../table/changes.ts";
import { type Key, key, type Ranking, rankings } from "../table/keys.ts";
import { create, type Part, put, remove, update } from "../table/parts.ts";
import { listsOf, nameOf, type Placement, type PostList } from "../table/post-lists.ts";
import { get, getMany } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { type Merits, meritsOf, rankOf } from "./orders.ts";

// The rows and counts of the orders by rank, in which a post's place follows from its votes. Nothing that users write is touched: a
// background function brings them up to date after each change of a post or its voters. docs/data-model.md#ranks says why no change
// is lost, whoever ranks the same post at the same time.

/** What the rows and counts of a post follow from: its merits, where it is placed, and its status. */
export type Ranked = Merits & Placement;

/** Parses what the rows and counts of a post say now. */
export const RankItem = z.object({
  votes: z.number(),
  trendingAt: z.number(),
  boardId: z.optional(z.string()),
  roadmapId: z.optional(z.string()),
  status: z.optional(z.string()),
});

function fieldsOf({ votes, trendingAt, boardId, roadmapId, status }: Ranked): Record<keyof Ranked, unknown> {
  return {
    votes,
    trendingAt,
    boardId,
    roadmapId,
    status,
  };
}

/** What the rows and counts of a post should say. */
function wantedFor({ post: { boardId, roadmapId, status }, voters }: PostWithVoters): Ranked {
  return {
    ...meritsOf(voters),
    boardId,
    roadmapId,
    status,
  };
}

function isSame(a: Ranked | undefined, b: Ranked | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && JSON.stringify(fieldsOf(a)) === JSON.stringify(fieldsOf(b)));
}

function stored(postId: string): Promise<Ranked | undefined> {
  return get(key.rank(postId), RankItem);
}

// Commits in a row: a post that changes all the time goes on later, so that others get their turn.
const COMMITS = 3;

/** Brings the rows and counts of a post up to date; those of a deleted one go. "more" if the post never stops changing. */
export async function rank(postId: string): Promise<"done" | "more"> {
  return replanned(
    // First this, then the post: what is read of the post is never older than what the rows are known to say.
    await stored(postId),
    () => stored(postId),
    async (asRead) => {
      let known = asRead;
      for (let commits = 0; ; commits++) {
        const found = await posts.findWithVoters(postId);
        const wanted = found && wantedFor(found);
        // Asked after a commit too: what changed before it may have looked up to date to somebody who ranked the post meanwhile.
        if (isSame(known, wanted)) return "done";
        if (commits === COMMITS) return "more";
        const outcome = await transact<string>(rankParts(postId, known, wanted, await liveLists(known, wanted)));
        if (!outcome.done) return "changed meanwhile";
        known = wanted;
      }
    },
  );
}

/** The ids of those of some posts whose rows and counts are not up to date. */
export async function behind(some: PostWithVoters[]): Promise<string[]> {
  const keys = some.map(({ post: { postId } }) => key.rank(postId));
  const StoredItem = z.intersection(RankItem, z.object({ pk: z.string() }));
  const ranked = new Map((await getMany(keys, StoredItem)).map((item) => [item.pk, item]));
  return some.flatMap((each) => {
    const { postId } = each.post;
    return isSame(ranked.get(key.rank(postId).pk), wantedFor(each)) ? [] : [postId];
  });
}

/**
 * The parts that make the rows and counts of a post in some lists say something else; without `from` there are none yet, without
 * `to` they go.
 */
export function rankParts(
  postId: string,
  from: Ranked | undefined,
  to: Ranked | undefined,
  lists: PostList[],
): Record<string, Part> {
  const changes = rankings.flatMap((ranking) => lists.map((list) => changeOf(ranking, list, postId, from, to)));
  const rows = changes.flatMap(({ rows }) => rows);
  const counts = changes.flatMap(({ counts }) => counts);
  return {
    rank: rankPart(postId, from, to),
    ...Object.fromEntries([...rows, ...counts].map((part, at) => [`part ${at}`, part])),
  };
}

/** Part: what the rows and counts say, on condition that they said what was read. */
function rankPart(postId: string, from: Ranked | undefined, to: Ranked | undefined): Part {
  const at = key.rank(postId);
  const asRead = from && stillHas(fieldsOf(from));
  if (!to) return remove(at, asRead);
  return asRead ? put(at, fieldsOf(to), asRead) : create(at, fieldsOf(to));
}

/**
 * The lists that a post leaves or is in whose board or roadmap is there; rows and counts of the others belong to the sweeper. It comes
 * twice: a commit may follow a deletion that this look did not see.
 */
async function liveLists(...ranked: (Ranked | undefined)[]): Promise<PostList[]> {
  const lists: PostList[] = [];
  for (const list of ranked.flatMap((each) => (each ? listsOf(each) : []))) {
    if (!isAmong(list, lists)) lists.push(list);
  }
  const owned = lists.filter(({ id }) => id !== undefined);
  const owners = await getMany(owned.map(key.listOwner), z.object({ sk: z.string() }));
  const alive = new Set(owners.map(({ sk }) => sk));
  return lists.filter((list) => list.id === undefined || alive.has(nameOf(list)));
}

/** The parts that change the row of a post in one list of a ranking, and its counts. */
function changeOf(
  ranking: Ranking,
  list: PostList,
  postId: string,
  from: Ranked | undefined,
  to: Ranked | undefined,
): { rows: Part[]; counts: Part[] } {
  const isIn = (ranked: Ranked | undefined): ranked is Ranked => ranked !== undefined && isAmong(list, listsOf(ranked));
  const placeOf = (ranked: Ranked) => ({
    ...rankOf(ranking, postId, ranked),
    attributes: rowOf(list, ranked),
    status: ranked.status,
  });
  const before = isIn(from) ? placeOf(from) : undefined;
  const after = isIn(to) ? placeOf(to) : undefined;
  const isSameRow = before?.rowKey === after?.rowKey;
  const rows: Part[] = [];
  if (before && !isSameRow) rows.push(remove(key.rankRow(ranking, list, before.rowKey)));
  if (after && !(isSameRow && JSON.stringify(before?.attributes) === JSON.stringify(after.attributes))) {
    rows.push(put(key.rankRow(ranking, list, after.rowKey), { ...after.attributes }));
  }
  const counts = new Map<string, Map<string, number>>();
  for (const [place, change] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (!place) continue;
    const { month, digits, status } = place;
    const ofMonth = counts.get(month) ?? new Map<string, number>();
    counts.set(month, ofMonth);
    for (const attribute of status === undefined ? [digits] : [digits, `${digits}${status}`]) {
      ofMonth.set(attribute, (ofMonth.get(attribute) ?? 0) + change);
    }
  }
  return {
    rows,
    counts: [...counts].flatMap(([month, changed]) => countPart(key.rankCounts(ranking, list, month), changed)),
  };
}

/** Part: adds to some counts of a month; none if nothing changes. */
function countPart(at: Key, changed: ReadonlyMap<string, number>): Part[] {
  const changes = [...changed].filter(([, change]) => change !== 0);
  if (changes.length === 0) return [];
  return [
    update(at, `ADD ${changes.map((_, n) => `#count${n} :change${n}`).join(", ")}`, {
      names: Object.fromEntries(changes.map(([attribute], n) => [`#count${n}`, attribute])),
      values: Object.fromEntries(changes.map(([, change], n) => [`:change${n}`, change])),
    }),
  ];
}
