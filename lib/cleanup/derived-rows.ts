import * as z from "zod/mini";
import { changedRankParts, isRanked, type Ranked, RankItem, rankNow } from "../lists/ranks.ts";
import {
  findAllWithVoters,
  isGone,
  type PostOrVoters,
  PostOrVotersItem,
  type PostWithVoters,
  withVoters,
} from "../posts/posts.ts";
import { type DerivedWords, DerivedWordsItem, wordParts, wordsNow } from "../search/word-rows.ts";
import { isEmpty } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { getMany } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";

// The derived rows of a post follow from it and its voters: rows and counts by rank, and rows of words. Two items say
// what these rows say now, so that only differences are written. docs/data-model.md#ranks tells why no change is lost
// when two functions derive the rows of the same post.

const pk = z.string();
const DerivedItem = z.union([z.extend(RankItem, { pk }), z.extend(DerivedWordsItem, { pk })]);
type Derived = z.output<typeof DerivedItem>;

/** What the rows of a post say. */
type Said = { rank?: Ranked | undefined; words?: DerivedWords | undefined };

function saidBy(items: Derived[] = []): Said {
  return { rank: items.find((item) => "trendingAt" in item), words: items.find((item) => "version" in item) };
}

const AnyItem = z.union([PostOrVotersItem, DerivedItem]);

function isDerived(item: z.output<typeof AnyItem>): item is Derived {
  return "trendingAt" in item || "version" in item;
}

/** What a post is, and what its rows say; `votesOnly` leaves its words out. */
async function read(postId: string, votesOnly: boolean) {
  const words = votesOnly ? [] : [key.derivedWords(postId)];
  const items = await getMany([key.rank(postId), key.post(postId), key.voters(postId), ...words], AnyItem);
  const [found] = withVoters(items.filter((item): item is PostOrVoters => !isDerived(item)));
  return { found, known: saidBy(items.filter(isDerived)) };
}

// The most commits in a row: then other posts get their turn.
const COMMITS = 3;

/**
 * Brings the derived rows of a post up to date, if it is deleted to none. Words are rewritten once in `pause` ms at
 * most, with `votesOnly` never. "more" if the post never stops changing.
 */
export async function derive(
  postId: string,
  votesOnly = false,
  pause = 0,
): Promise<"done" | "more" | { notBefore: number }> {
  const readAgain = () => read(postId, votesOnly);
  return replanned(await readAgain(), readAgain, async ({ found, known }) => {
    for (let commits = 0; ; commits++) {
      const { rank, words } = known;
      const notBefore = (words?.rewrittenAt ?? 0) + pause;
      const now: Said = { rank: found && rankNow(found), words: votesOnly ? undefined : wordsNow(found?.post, words) };
      const waits = found && now.words !== words && Date.now() < notBefore;
      if (waits) now.words = words;
      const parts = { ...(await changedRankParts(postId, rank, now.rank)), ...wordParts(postId, words, now.words) };
      if (isEmpty(parts) || (!found && !(await isGone(postId)))) return waits ? { notBefore } : "done";
      if (commits === COMMITS) return "more";
      if (!(await transact<string>(parts)).done) return "changed meanwhile";
      // A post that is gone does not come back.
      if (!found) return "done";
      known = now;
      // The post may have been read before what its rows say, and another function may have skipped a later change
      // because they said so already.
      [found] = await findAllWithVoters([postId]);
    }
  });
}

/** The ids of the posts whose derived rows are not up to date. */
export async function behind(posts: PostWithVoters[]): Promise<string[]> {
  const keys = posts.flatMap(({ post: { postId } }) => [key.rank(postId), key.derivedWords(postId)]);
  const items = Map.groupBy(await getMany(keys, DerivedItem), (item) => item.pk);
  const isBehind = (each: PostWithVoters): boolean => {
    const { rank, words } = saidBy(items.get(key.rank(each.post.postId).pk));
    return !isRanked(each, rank) || wordsNow(each.post, words) !== words;
  };
  return posts.filter(isBehind).map(({ post }) => post.postId);
}
