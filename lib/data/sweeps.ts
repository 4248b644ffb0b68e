import * as z from "zod/mini";
import { key, type Range, range } from "./keys.ts";
import { listNamed, type PostList } from "./post-lists.ts";
import { get, pagesOf } from "./reads.ts";
import { closing, counterKeys, shardNumbers } from "./shards.ts";
import { removeAlone, updateAlone } from "./single-writes.ts";
import { writeWords } from "./word-rows.ts";

// What a deleted post, board or roadmap leaves behind is deleted later, by single writes. A tombstone names what was deleted until
// that is done, so a sweep that was cut off is taken up again.

// Items deleted at once: more would crowd out requests, or meet the limit of one partition.
const PAGE = 25;

/**
 * Deletes what a deleted post (by its id), board or roadmap (by its list's name) left behind, then its tombstone. "more" if
 * `isOver` said so before all was deleted.
 */
export const sweep = async (deleted: string, isOver = () => false): Promise<"done" | "more"> => {
  const list = listNamed(deleted);
  const swept = list ? await sweepList(list, isOver) : await sweepPost(deleted, isOver);
  if (swept === "done") await removeAlone(key.tombstone(deleted));
  return swept;
};

/** Deletes all items of a range, page by page; "more" if `isOver` said so before the end. */
const sweepRange = async <S extends z.ZodMiniType>(
  items: Range,
  schema: S,
  isOver: () => boolean,
  remove: (item: z.output<S>) => Promise<void>,
): Promise<"done" | "more"> => {
  for await (const page of pagesOf(items, schema, { pageSize: PAGE })) {
    // All have ended when the sweep ends, also if one fails: nothing goes on behind the back of the next attempt.
    for (const end of await Promise.allSettled(page.map(remove))) if (end.status === "rejected") throw end.reason;
    if (page.length > 0 && isOver()) return "more";
  }
  return "done";
};

// A vote that does not parse is swept like any other.
const Vote = z.pipe(
  z.object({ sk: z.string(), userId: z.catch(z.optional(z.string()), undefined) }),
  z.transform(({ sk, userId }) => ({ voteId: sk, userId })),
);

/** Parses the tombstone of a post: `epoch` if it has been hot. */
const TombstoneItem = z.object({ epoch: z.optional(z.number()) });

const sweepPost = async (postId: string, isOver: () => boolean): Promise<"done" | "more"> => {
  const { epoch } = (await get(key.tombstone(postId), TombstoneItem)) ?? {};
  // Votes may still come in that were planned before the post was deleted: not into closed shards.
  if (epoch !== undefined) await closeCounters(postId, epoch);
  for (const shard of [undefined, ...(epoch === undefined ? [] : shardNumbers)]) {
    if ((await sweepVotes(postId, shard, isOver)) === "more") return "more";
  }
  if ((await sweepComments(range.comments(postId), isOver)) === "more") return "more";
  if ((await sweepComments(range.notes(postId), isOver)) === "more") return "more";
  // As the post's own follow-up does, whose record may be lost.
  await writeWords(postId);
  return "done";
};

const closeCounters = async (postId: string, epoch: number): Promise<void> => {
  const { expression, ...condition } = closing();
  for (const counter of counterKeys(postId, epoch)) await updateAlone(counter, expression, condition);
};

// A comment that does not parse is swept like any other.
const Comment = z.object({
  pk: z.string(),
  sk: z.string(),
  author: z.catch(z.optional(z.object({ userId: z.string() })), undefined),
});

const sweepComments = (comments: Range, isOver: () => boolean): Promise<"done" | "more"> =>
  sweepRange(comments, Comment, isOver, async ({ author, pk, sk }) => {
    if (author) await removeAlone(key.userComment(author.userId, sk));
    await removeAlone({ pk, sk });
  });

const sweepVotes = (postId: string, shard: number | undefined, isOver: () => boolean): Promise<"done" | "more"> =>
  sweepRange(range.votes(postId, shard), Vote, isOver, async ({ userId, voteId }) => {
    // The user's vote first: after a crash in between, the vote still leads to it.
    if (userId !== undefined) await removeAlone(key.userVote(userId, postId));
    await removeAlone(key.vote(postId, voteId, shard));
  });

const Keys = z.object({ pk: z.string(), sk: z.string() });

const sweepList = async (list: PostList, isOver: () => boolean): Promise<"done" | "more"> => {
  for (const items of [range.listRows(list), range.dayCounts(list)]) {
    if ((await sweepRange(items, Keys, isOver, removeAlone)) === "more") return "more";
  }
  return "done";
};
