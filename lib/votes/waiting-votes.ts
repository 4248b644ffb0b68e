import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { check, type Part, remove } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { heirsOf, inheritancePart } from "./heirs.ts";
import { hasCome, MovedVoteItem } from "./moved-votes.ts";
import { type VoteRecord, type Voters, voteOf } from "./votes.ts";

// Votes that are taken back while they wait to move. docs/data-model.md#merged-posts

/** A vote of a user that a move under way has not reached yet, as parts that take it back. */
export type Waiting = { parts: Record<string, Part>; alsoOn?: { postId: string; voteId: string } };

/**
 * Finds the vote of a user on a post that a merge has not moved yet; no call unless one is under way. It must be read
 * after the voters of the post.
 */
export async function waitingVote({ postId, move }: Voters, userId: string): Promise<Waiting | undefined> {
  if (move.incoming !== undefined) return waitingToCome(move.incoming, postId, userId);
  return move.regaining === undefined ? undefined : waitingToReturn(postId, move.regaining, userId);
}

async function waitingToCome(from: string, into: string, userId: string): Promise<Waiting | undefined> {
  const voteId = await voteOf(userId, from);
  if (voteId === undefined) return undefined;
  // Once it is taken out of the merge, its voters item counts that vote.
  const stillMerged = check(key.merged(from), stillHas({ into }));
  return { parts: { ...withdrawnParts({ userId, voteId }, from), stillMerged } };
}

/** The parts that take back a vote on a duplicate, which has no voters item. */
export function withdrawnParts(
  { userId, voteId }: Pick<VoteRecord, "userId" | "voteId">,
  postId: string,
): Record<string, Part> {
  return {
    waitingUserVote: remove(key.userVote(userId, postId), { if: "voteId = :vote", values: { ":vote": voteId } }),
    waitingVote: remove(key.vote(postId, voteId)),
  };
}

async function waitingToReturn(postId: string, from: string, userId: string): Promise<Waiting | undefined> {
  const voteId = await voteOf(userId, from);
  const moved = voteId === undefined ? undefined : await get(key.movedVote(postId, voteId), MovedVoteItem);
  if (voteId === undefined || !moved) return undefined;
  const parts = {
    // An item that a repetition of the merge made anew differs in nothing.
    moved: remove(key.movedVote(postId, voteId), { if: "attribute_exists(pk)" }),
  };
  if (!hasCome(moved)) return { parts };
  const heir = (await heirsOf(from, [voteId])).get(voteId);
  if (!heir) return { parts, alsoOn: { postId: from, voteId } };
  // The voter had also voted on a duplicate that is still part of the other post.
  const stays = check(key.vote(from, voteId), stillHas({ userId }));
  return { parts: { ...parts, stays, heir: inheritancePart(heir, voteId) } };
}
