import * as z from "zod/mini";
import { duplicatesOf, findMerged } from "../posts/merged-posts.ts";
import * as posts from "../posts/posts.ts";
import { allEnded } from "../runtime/all-ended.ts";
import type { Outcome } from "../table/due.ts";
import { rankings } from "../table/families.ts";
import { key } from "../table/keys.ts";
import { boardList, listNamed, nameOf, type PostList } from "../table/post-lists.ts";
import { type Range, range } from "../table/ranges.ts";
import { get, getRange, pagesOf } from "../table/reads.ts";
import type { Commit } from "../table/shared-commit.ts";
import { removeAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";
import { derive } from "./derived-rows.ts";

// The items that a deleted post, board, roadmap or tag left in the table are deleted later, by single writes. Until
// that is done a tombstone exists, so an interrupted sweep is continued.

export const TombstoneItem = z.object({
  // When a board, roadmap or tag was deleted, in milliseconds since 1970.
  at: z.optional(z.number()),
  // Whether a post had no votes, no comments and no changes of its status.
  isBare: z.optional(z.literal(true)),
  // The board to which the posts of a deleted one are moved, and who moves them.
  moveTo: z.optional(z.string()),
  by: z.optional(z.string()),
});
type Tombstone = z.infer<typeof TombstoneItem>;

// Items deleted in parallel: more would crowd out requests, or meet the limit of one partition.
const PAGE = 25;

// A board, roadmap or tag is swept again when a follow-up that saw it has ended: `keep` runs a minute at most.
const SECOND_SWEEP_MS = 2 * 60_000;

/**
 * Deletes what a deleted post (by its id), board, roadmap or tag (by its list's name) left behind, then its tombstone.
 * Returns "more" if `isOver` interrupted it, and a time if the lists have to be swept again then.
 */
export async function sweep(
  deleted: string,
  isOver = () => false,
  now = Date.now(),
  commit: Commit = transact<string>,
): Promise<Outcome> {
  const list = listNamed(deleted);
  const tombstone = await tombstoneOf(deleted);
  const { at = 0, isBare = false } = tombstone;
  const swept = list ? await sweepList(list, tombstone, isOver) : await sweepPost(deleted, { isBare, isOver, commit });
  if (swept === "more") return "more";
  if (now < at + SECOND_SWEEP_MS) return { notBefore: at + SECOND_SWEEP_MS };
  if (list && tombstone.moveTo && (await isTarget(list))) return { notBefore: now + SECOND_SWEEP_MS };
  await removeAlone(key.tombstone(deleted));
  return "done";
}

async function tombstoneOf(deleted: string): Promise<Tombstone> {
  return (await get(key.tombstone(deleted), TombstoneItem)) ?? {};
}

/** Whether posts of another deleted board are being moved to this one: its tombstone says which board takes them. */
async function isTarget({ id }: PostList): Promise<boolean> {
  const waiting = await getRange(range.waiting("DELETED"), TombstoneItem);
  return waiting.some(({ moveTo }) => moveTo === id);
}

const Keys = z.object({ pk: z.string(), sk: z.string() });

async function sweepRange<S extends z.ZodMiniType>(
  items: Range,
  schema: S,
  isOver: () => boolean,
  remove: (item: z.output<S>) => Promise<void>,
): Promise<"done" | "more"> {
  for await (const page of pagesOf(items, schema, { pageSize: PAGE })) {
    // All have ended when the sweep ends, even if one fails, so none of them still runs during the next attempt.
    await allEnded(page.map((item) => remove(item)));
    if (page.length > 0 && isOver()) return "more";
  }
  return "done";
}

// A vote that does not parse is swept like any other.
const Vote = z.pipe(
  z.object({ sk: z.string(), userId: z.catch(z.optional(z.string()), undefined) }),
  z.transform(({ sk, userId }) => ({ voteId: sk, userId })),
);

type PostSweep = { isBare: boolean; isOver: () => boolean; commit: Commit };

async function sweepPost(postId: string, { isBare, isOver, commit }: PostSweep): Promise<"done" | "more"> {
  await removeAlone(key.held(postId));
  if (!isBare && (await sweepContributions(postId, isOver)) === "more") return "more";
  if ((await sweepSubscriptions(postId, isOver)) === "more") return "more";
  if ((await sweepDuplicates(postId, { isOver, commit })) === "more") return "more";
  return (await derive(postId, { commit })) === "more" ? "more" : "done";
}

/** Deletes what people have added to a post: votes, comments and notes, changes of its status. */
async function sweepContributions(postId: string, isOver: () => boolean): Promise<"done" | "more"> {
  if ((await sweepVotes(postId, isOver)) === "more") return "more";
  if ((await sweepComments(range.activity("comment", postId), isOver)) === "more") return "more";
  return sweepComments(range.activity("note", postId), isOver);
}

/** The posts that were merged into a deleted one go with it. */
async function sweepDuplicates(
  postId: string,
  { isOver, commit }: Omit<PostSweep, "isBare">,
): Promise<"done" | "more"> {
  for (const { postId: duplicate } of await duplicatesOf(postId)) {
    if ((await sweepPost(duplicate, { isBare: false, isOver, commit })) === "more") return "more";
    const merged = await findMerged(duplicate);
    if (merged) await removeAlone(key.userPost(merged.post.author.userId, duplicate));
    if ((await sweepRange(range.merged(duplicate), Keys, isOver, removeAlone)) === "more") return "more";
    await removeAlone(key.duplicate(postId, duplicate));
  }
  return "done";
}

// A comment that does not parse is swept like any other; a row has no author.
const Comment = z.object({
  pk: z.string(),
  sk: z.string(),
  author: z.catch(z.optional(z.object({ userId: z.string() })), undefined),
});

function sweepComments(comments: Range, isOver: () => boolean): Promise<"done" | "more"> {
  return sweepRange(comments, Comment, isOver, async ({ author, pk, sk }) => {
    if (author) {
      await removeAlone(key.held(sk));
      await removeAlone(key.userComment(author.userId, sk));
    }
    await removeAlone({ pk, sk });
  });
}

function sweepVotes(postId: string, isOver: () => boolean): Promise<"done" | "more"> {
  return sweepRange(range.votes(postId), Vote, isOver, async ({ userId, voteId }) => {
    // The user's vote first: after a crash in between, the vote still leads to it.
    if (userId !== undefined) await removeAlone(key.userVote(userId, postId));
    await removeAlone(key.vote(postId, voteId));
  });
}

function sweepSubscriptions(postId: string, isOver: () => boolean): Promise<"done" | "more"> {
  return sweepRange(range.subscriptions(postId), Keys, isOver, async ({ pk, sk: userId }) => {
    // The user's item first: after a crash in between, the subscription still leads to it.
    await removeAlone(key.userFollow(userId, postId));
    await removeAlone({ pk, sk: userId });
  });
}

async function sweepList(list: PostList, { moveTo, by }: Tombstone, isOver: () => boolean): Promise<"done" | "more"> {
  if (moveTo !== undefined && (await movePosts(list, { moveTo, by }, isOver)) === "more") return "more";
  const ranked = rankings.flatMap((ranking) => [range.rankRows(ranking, list), range.formerCounts(ranking, list)]);
  for (const items of [range.listRows(list), range.dayCounts(list), ...ranked]) {
    if ((await sweepRange(items, Keys, isOver, removeAlone)) === "more") return "more";
  }
  return "done";
}

type Move = { moveTo: string; by: string | undefined };

/**
 * Moves the posts of a deleted board to another one. One after the other: each is counted in the same item of that
 * board. A row goes once its post is moved, so an interrupted sweep continues with the rest.
 */
async function movePosts(from: PostList, move: Move, isOver: () => boolean): Promise<"done" | "more"> {
  let next: Move | undefined = move;
  for await (const page of pagesOf(range.listRows(from), Keys, { pageSize: PAGE })) {
    for (const { pk, sk: postId } of page) {
      next = await movePost(postId, from, next);
      if (!next) return "done";
      await removeAlone({ pk, sk: postId });
      if (isOver()) return "more";
    }
  }
  return "done";
}

/**
 * Moves a post, unless another call has moved or deleted it meanwhile. If the board that takes it is deleted too, the
 * post goes where the posts of that one go: such a chain ends, since each board in it was deleted after the one before.
 * Returns the move that was possible, for the next post.
 */
async function movePost(postId: string, from: PostList, move: Move): Promise<Move | undefined> {
  const { moveTo, by } = move;
  const post = await posts.find(postId);
  const plan = ({ boardId }: posts.PostRecord) => (boardId === from.id ? { boardId: moveTo } : {});
  const moved = post && (await posts.change(post, plan, by, { gone: [from] }));
  if (moved !== "no such board") return move;
  const further = await tombstoneOf(nameOf(boardList(moveTo)));
  return further.moveTo === undefined ? undefined : movePost(postId, from, { moveTo: further.moveTo, by: further.by });
}
