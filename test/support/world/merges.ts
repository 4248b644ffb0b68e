import type * as users from "../../../lib/accounts/users.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import * as merges from "../../../lib/cleanup/merges.ts";
import { MergeItem, merge, unmerge } from "../../../lib/posts/merging.ts";
import { destroy, type PostRecord } from "../../../lib/posts/posts.ts";
import * as subscriptions from "../../../lib/posts/subscriptions.ts";
import { key } from "../../../lib/table/keys.ts";
import { get } from "../../../lib/table/reads.ts";
import { aBoard, aComment, aMember, aPost, aVote, strangersVote } from "./fixtures.ts";

/** Merges a post into another one, and moves what it has unless `waits`. */
export async function mergeInto({ postId, author }: PostRecord, into: string, { waits = false } = {}): Promise<void> {
  const outcome = await merge(postId, into, author.userId);
  if (outcome !== "merging") throw new Error(JSON.stringify(outcome));
  if (!waits) await moveAll(postId);
}

export async function takeOut({ postId, author }: PostRecord, { waits = false } = {}): Promise<void> {
  const outcome = await unmerge(postId, author.userId, statuses.read);
  if (typeof outcome !== "object" || "conflict" in outcome) throw new Error(JSON.stringify(outcome));
  if (!waits) await moveAll(postId);
}

/** Carries out the job of a merge. */
export async function moveAll(postId: string): Promise<void> {
  while (await get(key.merge(postId), MergeItem)) await merges.carryOut(postId);
}

/** A post on a board, and one of the same author that was merged into it. */
export async function aMergedPost(
  author: users.Person,
  options?: { waits: boolean },
): Promise<{ duplicate: PostRecord; target: PostRecord }> {
  const target = await aPost(author, { boardId: (await aBoard()).boardId });
  const duplicate = await aPost(author);
  await mergeInto(duplicate, target.postId, options);
  return { duplicate, target };
}

/** A post, with the vote of an account that has not come from its duplicate yet. */
export async function aWaitingVote(author: users.Person, voter: users.Person): Promise<PostRecord> {
  const target = await aPost(author);
  const duplicate = await aPost(author);
  await aVote(duplicate.postId, voter);
  await mergeInto(duplicate, target.postId, { waits: true });
  return target;
}

/**
 * A post whose merge was undone, with the vote of an account that has not returned; `hasHeir`: it had also voted on
 * another duplicate of the same post.
 */
export async function aReturningVote(
  author: users.Person,
  voter: users.Person,
  { hasHeir = false } = {},
): Promise<PostRecord> {
  const target = await aPost(author);
  const duplicate = await aPost(author);
  await aVote(duplicate.postId, voter);
  await strangersVote(duplicate.postId, 7);
  await mergeInto(duplicate, target.postId);
  if (hasHeir) {
    const other = await aPost(author);
    await aVote(other.postId, voter);
    await mergeInto(other, target.postId);
  }
  await takeOut(duplicate, { waits: true });
  return duplicate;
}

/**
 * A post with votes, comments, notes and choices that wait for a move, another one for the move back, and one that was
 * deleted meanwhile.
 */
export async function leaveMoves(author: users.Person): Promise<void> {
  for (const way of ["there", "back", "back to nothing"]) {
    const back = way !== "there";
    const target = await aPost(author);
    const duplicate = await aPost(author, { title: "The same again" });
    const voter = await aMember();
    const moderator = await aMember();
    await aVote(duplicate.postId, author);
    for (const { postId } of [target, duplicate]) await aVote(postId, voter);
    const other = await aPost(author);
    await aVote(other.postId, author);
    await strangersVote(duplicate.postId, 7);
    await strangersVote(target.postId, 7);
    for (const isInternal of [false, true]) await aComment(duplicate.postId, moderator, { isInternal });
    await subscriptions.choose(voter.userId, duplicate.postId, true);
    if (!back) await derive(duplicate.postId);
    await mergeInto(duplicate, target.postId, { waits: !back });
    if (!back) continue;
    await mergeInto(other, target.postId);
    await takeOut(duplicate, { waits: true });
    if (way === "back to nothing") await destroy(duplicate);
  }
}

/**
 * A merged post of an account whose vote and comment wait for the move, and a vote that has not returned. Returns the
 * post to which it has to.
 */
export async function leaveWaiting(person: users.Person): Promise<string> {
  const target = await aPost(await aMember());
  const duplicate = await aPost(person);
  await aVote(duplicate.postId, person);
  await aComment(duplicate.postId, person);
  await mergeInto(duplicate, target.postId, { waits: true });
  const { postId } = await aReturningVote(await aMember(), person);
  await aVote(postId, person);
  return postId;
}
