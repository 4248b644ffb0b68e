import { changedRankParts, isRankCurrent, RankItem, rankNow } from "../lists/ranks.ts";
import type { PostWithVoters } from "../posts/posts.ts";
import * as posts from "../posts/posts.ts";
import { DerivedWordsItem, wordParts, wordsNow } from "../search/word-rows.ts";
import { isEmpty } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import type { Part } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import type { Commit } from "../table/shared-commit.ts";
import { transact } from "../table/transactions.ts";

// The derived rows of a post follow from it and its voters: rows by rank, and rows of words. Two items store the
// content of these rows, so that only differences are written. docs/data-model.md#ranks explains why no change is lost
// if two functions derive the rows of the same post.

type Options = {
  /** Words are rewritten at most once in this time, in milliseconds. */
  pause?: number;
  /**
   * Set if the stream handed the post over (`InBatch` in background.ts). With `votersOnly` its words are neither read
   * nor written. `isAlone`, only on one machine: no other batch is under way.
   */
  inBatch?: { votersOnly: boolean; isAlone?: boolean | undefined } | undefined;
  commit?: Commit;
};

/** What was last written: the content of the rows of a post. */
type Written = { rank: RankItem | undefined; words: DerivedWordsItem | undefined };

async function readWritten(postId: string, votersOnly = false): Promise<Written> {
  const [rank, words] = await Promise.all([
    get(key.rank(postId), RankItem),
    votersOnly ? undefined : get(key.derivedWords(postId), DerivedWordsItem),
  ]);
  return { rank, words };
}

/** The content that was written, and the post as it is; undefined if it is deleted (`isGone`) or does not parse. */
type Read = { written: Written; found: PostWithVoters | undefined; isGone: boolean };

// What a plan answers so that `replanned` reads and plans once more.
const LOOK_AGAIN = "changed meanwhile";

/**
 * Brings the derived rows of a post up to date, or deletes them if the post is deleted. Returns "more" if `commit`
 * answers that the time is over, and a time if words have to wait until then.
 */
export async function derive(postId: string, options: Options = {}): Promise<Outcome> {
  const { inBatch, commit = transact<string> } = options;
  const read = async (): Promise<Read> => {
    // These reads go out as one call, which gets the post once: it may be there and not parse.
    const [written, found, isGone] = await Promise.all([
      readWritten(postId, inBatch?.votersOnly),
      posts.findWithVoters(postId),
      posts.isGone(postId),
    ]);
    return { written, found, isGone };
  };
  return replanned(await read(), read, async (asRead): Promise<Outcome | typeof LOOK_AGAIN> => {
    const { parts, outcome } = await plan(postId, asRead, options);
    if (isEmpty(parts)) return outcome;
    const committed = await commit(parts);
    if (committed === "is over") return "more";
    if (!committed.done) return LOOK_AGAIN;
    return mustLookAgain(asRead, outcome, inBatch) ? LOOK_AGAIN : outcome;
  });
}

type Plan = { parts: Record<string, Part>; outcome: "done" | { notBefore: number } };

/** The parts that write what differs, and the outcome once they are committed. */
async function plan(postId: string, asRead: Read, { pause = 0, inBatch }: Options): Promise<Plan> {
  const { written, found, isGone } = asRead;
  // Nothing is changed for a post that does not parse: it may be repaired.
  if (!found && !isGone) return { parts: {}, outcome: "done" };
  const rankChanges = await changedRankParts(postId, written.rank, found && rankNow(found));
  if (inBatch?.votersOnly) return { parts: rankChanges, outcome: "done" };
  // The same object as was written if nothing differs.
  const words = wordsNow(found?.post, written.words);
  const areStale = words !== written.words;
  const notBefore = (written.words?.rewrittenAt ?? 0) + pause;
  if (found && areStale && Date.now() < notBefore) return { parts: rankChanges, outcome: { notBefore } };
  return { parts: { ...rankChanges, ...wordParts(postId, written.words, words) }, outcome: "done" };
}

/**
 * Whether a post is read again after its rows were written, because the commit may have come too late:
 *
 * - It wrote the post's first rows, which may outlive the post: a sweep that has passed did not see them.
 * - The stream did not hand the post over, so that the commit may hide a later change. Example: this function has read
 *   6 votes, and the rows have 5. A vote is taken back. Another function finds 5 in both and does nothing. Then this
 *   one writes 6. A batch of the stream ends before the batch with the next change begins.
 */
function mustLookAgain({ written, found }: Read, outcome: Plan["outcome"], inBatch: Options["inBatch"]): boolean {
  // A deleted post does not come back, so its rows stay deleted.
  if (!found) return false;
  // The words wait: the post is looked at again when they are due.
  if (outcome !== "done") return false;
  // On one machine no other batch is under way: a change that is not seen yet comes in a later one, and so does the
  // sweep of a post that was just deleted: it finds these rows.
  if (inBatch?.isAlone) return false;
  if (!inBatch) return true;
  const isFirstRank = written.rank === undefined;
  const areFirstWords = !inBatch.votersOnly && written.words === undefined;
  return isFirstRank || areFirstWords;
}

/** The ids of the posts whose derived rows are stale. */
export async function staleAmong(found: PostWithVoters[]): Promise<string[]> {
  const all = await Promise.all(found.map(({ post }) => readWritten(post.postId)));
  const isStale = (each: PostWithVoters, at: number): boolean => {
    const { rank, words } = all[at] ?? {};
    return !isRankCurrent(each, rank) || wordsNow(each.post, words) !== words;
  };
  return found.filter(isStale).map(({ post }) => post.postId);
}
