import * as z from "zod/mini";
import { ErasureItem } from "../accounts/erasures.ts";
import * as outbox from "../accounts/outbox.ts";
import { NOBODY } from "../accounts/users.ts";
import { forgetAskers } from "../figures/lists.ts";
import * as comments from "../posts/comments.ts";
import * as mergedPosts from "../posts/merged-posts.ts";
import * as posts from "../posts/posts.ts";
import { eraseReport } from "../posts/reports.ts";
import { allEnded } from "../runtime/all-ended.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { check, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getOrThrow, getRange, pagesOf } from "../table/reads.ts";
import { changeStored, replanned } from "../table/retries.ts";
import { SETTLE_MS } from "../table/settling.ts";
import { removeAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";
import { firstIdAt, timeOf } from "../values/ids.ts";
import { namelessParts, namelessVoteParts, VoteItem, type VoteRecord, type Voters } from "../votes/votes.ts";
import { findVote, ownVote, takeBack } from "../votes/voting.ts";
import { withdrawnParts } from "../votes/waiting-votes.ts";
import { type Made, readMade, type TrailPage, trailOf } from "./trail.ts";

// What an erased account left behind loses its name: posts and comments show a deleted user, votes stay counted or are
// taken back. The job walks along the account's trail and takes each item of it away, so a walk that was
// interrupted begins again with what is left. It walks twice, as a rename does (renames.ts): a request that read the
// account before the erasure may write after the first walk. Votes that stay lose their name in the second walk only:
// such a request finds the vote of the account, and so adds no second one. What names the account elsewhere goes after
// that.

const PAGE = 25;

type Job = z.output<typeof ErasureItem> & { userId: string };
type Slice = "through" | "more";

/** Continues a job. Returns "more" if `isOver` interrupted it, and a time if it has to wait for requests to end. */
export async function carryOut(
  userId: string,
  now = Date.now(),
  isOver = () => false,
): Promise<"done" | "more" | { notBefore: number }> {
  const stored = await getOrThrow(key.erasure(userId), ErasureItem);
  if (!stored) return "done";
  const job = { userId, ...stored };
  const settledAt = job.at + SETTLE_MS;
  const isSettled = now >= settledAt;
  if ((await walk(job, isSettled, isOver)) === "more") return "more";
  if (!isSettled) return { notBefore: settledAt };
  if ((await eraseFromEvents(job, isOver)) === "more") return "more";
  await eraseUses(userId);
  await forgetAskers();
  if (job.lastMail) await outbox.done(job.lastMail);
  await removeAlone(key.erasure(userId));
  return "done";
}

async function walk(job: Job, isSettled: boolean, isOver: () => boolean): Promise<Slice> {
  const leavesVotes = job.votes === "keep" && !isSettled;
  for await (const page of trailOf(job.userId, { pageSize: PAGE })) {
    await erasePage(job, leavesVotes ? { ...page, votes: [] } : page);
    if (page.next !== undefined && isOver()) return "more";
  }
  return "through";
}

/** Erases what a page leads to. What a merge, or the end of one, changes meanwhile is looked at anew. */
async function erasePage(job: Job, page: TrailPage): Promise<void> {
  const read = () => readMade(page);
  await replanned(await read(), read, async (made) => {
    const outcomes = await eraseMade(job, made);
    return outcomes.includes("gone") ? "changed meanwhile" : "done";
  });
  await allEnded([
    ...page.follows.map((postId) => eraseFollow(job, postId)),
    ...page.held.map((id) => eraseHeld(job, id)),
    ...page.reports.map((id) => eraseReport(job.userId, id)),
  ]);
}

/** "gone": the thing was deleted, or a merge has made something else of it since it was read. */
type Erased = "done" | "gone";

function eraseMade(job: Job, made: Made): Promise<Erased[]> {
  return allEnded([
    ...made.posts.map((post) => erasePost(job, post)),
    ...made.comments.map((comment) => eraseComment(job, comment)),
    ...made.merged.map((merged) => eraseMergedPost(job, merged)),
    ...made.votes.map(({ vote, voters }) => eraseVote(job, vote, voters)),
    ...made.waiting.map(({ vote, postId }) => eraseWaitingVote(job, vote, postId)),
  ]);
}

/** Changes one thing until it is done, or the thing is gone. */
async function eraseOne<Stored>(
  asRead: Stored,
  readAgain: () => Promise<Stored | undefined>,
  plan: (stored: Stored) => Promise<Erased | "changed meanwhile">,
): Promise<Erased> {
  return (await changeStored(asRead, readAgain, plan)) ?? "gone";
}

/** A post that is deleted meanwhile takes its author's item with it. */
function erasePost({ userId }: Job, asRead: posts.PostRecord): Promise<Erased> {
  return eraseOne(
    asRead,
    () => posts.find(asRead.postId),
    async (post) => {
      if (post.author.userId !== userId) return "done";
      return (await transact<string>(posts.namelessParts(post))).done ? "done" : "changed meanwhile";
    },
  );
}

function eraseMergedPost({ userId }: Job, asRead: mergedPosts.MergedPost): Promise<Erased> {
  return eraseOne(
    asRead,
    () => mergedPosts.findMerged(asRead.post.postId),
    async (merged) => {
      if (merged.post.author.userId !== userId) return "done";
      return (await transact<string>(mergedPosts.namelessParts(merged))).done ? "done" : "changed meanwhile";
    },
  );
}

/** The comments of a deleted post are left to its sweep. */
function eraseComment({ userId }: Job, asRead: comments.CommentRecord): Promise<Erased> {
  return eraseOne(
    asRead,
    () => comments.findSeen(asRead, true),
    async (comment) => {
      if (comment.author.userId !== userId) return "done";
      const outcome = await transact<string>(comments.namelessParts(comment));
      if (outcome.done) return "done";
      if (!outcome.failed.ofPost) return "changed meanwhile";
      const onDuplicate = await transact<string>(comments.namelessParts(comment, key.merged(comment.postId)));
      return onDuplicate.done || onDuplicate.failed.ofPost ? "done" : "changed meanwhile";
    },
  );
}

/** So are its votes. */
async function eraseVote({ userId, votes }: Job, vote: VoteRecord, voters: Voters): Promise<Erased> {
  const { postId } = voters;
  if (votes === "withdraw") {
    const outcome = await takeBack(postId, userId, await ownVote(postId, userId));
    return outcome === "no such post" ? "gone" : "done";
  }
  return eraseOne(
    { vote, voters },
    () => findVote(postId, vote.voteId),
    async (read) => {
      if (read.vote.userId !== userId) return "done";
      const outcome = await transact<string>(namelessParts(read.vote, read.voters));
      return outcome.done ? "done" : "changed meanwhile";
    },
  );
}

/** Votes of a duplicate that have not been moved yet; the sweep of a deleted post removes its votes. */
function eraseWaitingVote({ userId, votes }: Job, asRead: VoteRecord, postId: string): Promise<Erased> {
  const ofDuplicate = check(key.merged(postId), { if: "attribute_exists(pk)" });
  const { voteId } = asRead;
  return eraseOne(
    asRead,
    () => get(key.vote(postId, voteId), VoteItem),
    async (vote) => {
      if (vote.userId !== userId) return "done";
      const parts = votes === "withdraw" ? withdrawnParts(vote, postId) : namelessVoteParts(vote, postId);
      const outcome = await transact<string>({ ...parts, ofDuplicate });
      return outcome.done || outcome.failed.ofDuplicate ? "done" : "changed meanwhile";
    },
  );
}

async function eraseFollow({ userId }: Job, postId: string): Promise<void> {
  await transact({
    subscription: remove(key.subscription(postId, userId)),
    userFollow: remove(key.userFollow(userId, postId)),
  });
}

/** Nobody has seen it, so nothing of it stays. */
async function eraseHeld({ userId }: Job, id: string): Promise<void> {
  await transact({ held: remove(key.held(id)), userHeld: remove(key.userHeld(userId, id)) });
}

const Event = z.object({ sk: z.string(), type: z.string(), by: z.string(), userId: z.optional(z.string()) });

/** Takes the account out of the events that it caused; the event of its erasure keeps it until that expires. */
async function eraseFromEvents({ userId, after }: Job, isOver: () => boolean): Promise<Slice> {
  const since = after === undefined ? { from: firstIdAt(timeOf(userId)) } : { after };
  for await (const page of pagesOf(range.events(since), Event)) {
    await allEnded(page.filter(({ by }) => by === userId).map((event) => eraseFromEvent(userId, event)));
    const last = page.at(-1);
    if (last) await transact({ job: setFields(key.erasure(userId), { after: last.sk }) });
    if (last && isOver()) return "more";
  }
  return "through";
}

async function eraseFromEvent(userId: string, { sk, type, userId: about }: z.output<typeof Event>): Promise<void> {
  if (type === "user.deleted" && about === userId) return;
  // It may have expired.
  await transact({ event: setFields(key.event(sk), { by: NOBODY.userId }, stillHas({ by: userId })) });
}

/** The days on which API keys were used. */
async function eraseUses(userId: string): Promise<void> {
  const uses = await getRange(range.keyUses(userId), z.object({ sk: z.string() }));
  await allEnded(uses.map(({ sk }) => removeAlone(key.keyUse(userId, sk))));
}
