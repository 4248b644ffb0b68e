import { changedRankParts, isRanked, RankItem, rankNow } from "../lists/ranks.ts";
import { findWithVoters, isGone, type PostWithVoters } from "../posts/posts.ts";
import { DerivedWordsItem, wordParts, wordsNow } from "../search/word-rows.ts";
import { isEmpty } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { get } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import type { Commit } from "../table/shared-commit.ts";
import { transact } from "../table/transactions.ts";

// The derived rows of a post follow from it and its voters: rows and counts by rank, and rows of words. Two items store
// the content of these rows, so that only differences are written. docs/data-model.md#ranks explains why no change is
// lost if two functions derive the rows of the same post.

/** Reads the content of a post's derived rows; with `votesOnly` without its words. */
async function readRows(postId: string, votesOnly = false) {
  const [rank, words] = await Promise.all([
    get(key.rank(postId), RankItem),
    votesOnly ? undefined : get(key.derivedWords(postId), DerivedWordsItem),
  ]);
  return { rank, words };
}

/**
 * Brings the derived rows of a post up to date, or deletes them if the post is deleted. Rewrites words at most once in
 * `pause` ms, and never with `votesOnly`. Returns "more" if `commit` answers that the time is over.
 */
export async function derive(
  postId: string,
  pause = 0,
  inBatch?: { votesOnly: boolean },
  commit: Commit = transact<string>,
): Promise<"done" | "more" | { notBefore: number }> {
  const votesOnly = inBatch?.votesOnly;
  const read = () => Promise.all([readRows(postId, votesOnly), findWithVoters(postId)]);
  return replanned(await read(), read, async ([{ rank, words }, found]) => {
    const wanted = votesOnly ? undefined : wordsNow(found?.post, words);
    const notBefore = (words?.rewrittenAt ?? 0) + pause;
    const waits = found && wanted !== words && Date.now() < notBefore;
    const parts = {
      ...(await changedRankParts(postId, rank, found && rankNow(found))),
      ...(!waits && wordParts(postId, words, wanted)),
    };
    if (isEmpty(parts) || (!found && !(await isGone(postId)))) return waits ? { notBefore } : "done";
    const outcome = await commit(parts);
    if (outcome === "is over") return "more";
    if (!outcome.done) return "changed meanwhile";
    if (waits) return { notBefore };
    if (!found) return "done";
    // Look again where this commit may have come too late. Rows that were there before are removed with their post, so
    // the commit of new ones alone can outlive it. And without the stream, which hands over each change after the work
    // on earlier ones, another function may have skipped a later change, because the rows said so until this commit.
    const wereThere = rank && (votesOnly || words);
    return inBatch && wereThere ? "done" : "changed meanwhile";
  });
}

/** The ids of the posts whose derived rows are not up to date. */
export async function behind(posts: PostWithVoters[]): Promise<string[]> {
  const all = await Promise.all(posts.map(({ post }) => readRows(post.postId)));
  const isBehind = (each: PostWithVoters, at: number): boolean => {
    const { rank, words } = all[at] ?? {};
    return !isRanked(each, rank) || wordsNow(each.post, words) !== words;
  };
  return posts.filter(isBehind).map(({ post }) => post.postId);
}
