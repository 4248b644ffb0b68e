import * as z from "zod/mini";
import { createdAt } from "../../values/ids.ts";
import type { VoteRecord } from "../../votes/votes.ts";
import { Author, authorView } from "./accounts.ts";

/** The caller's own vote: docs/contract.md#voters */
export const ViewerVote = z.object({
  voteId: z.string(),
  userId: z.string(),
  postId: z.string(),
  createdAt: z.string(),
});
export type ViewerVote = z.infer<typeof ViewerVote>;

export function viewerVoteView(
  postId: string,
  userId: string | undefined,
  voteId: string | undefined,
): ViewerVote | null {
  return userId !== undefined && voteId !== undefined ? { voteId, userId, postId, createdAt: createdAt(voteId) } : null;
}

/** An item of `voters.votes`: docs/contract.md#vote */
export const Vote = z.extend(ViewerVote, Author.shape);
export type Vote = z.infer<typeof Vote>;

/** The first votes in the order they were cast, the exact total, the caller's own vote: docs/contract.md#voters */
export const Voters = z.object({ votes: z.array(Vote), votesCount: z.number(), viewerVote: z.nullable(ViewerVote) });
export type Voters = z.infer<typeof Voters>;

/** Votes that an answer shows, with the number of all. */
export type ShownVotes = { votes: VoteRecord[]; total: number };

export function votersView(postId: string, { votes, total }: ShownVotes, viewerVote: ViewerVote | null): Voters {
  return {
    votes: votes.map(({ voteId, ...by }) => ({ voteId, postId, createdAt: createdAt(voteId), ...authorView(by) })),
    votesCount: total,
    viewerVote,
  };
}

/** A vote in the list of a post's votes. */
export const CastVote = z.object({
  voteId: z.string(),
  createdAt: z.string(),
  user: Author,
  by: z.optional(z.string()),
});
export type CastVote = z.infer<typeof CastVote>;

export function castVoteView({ voteId, by, ...voter }: VoteRecord, { seesBy }: { seesBy: boolean }): CastVote {
  return { voteId, createdAt: createdAt(voteId), user: authorView(voter), ...(seesBy && { by }) };
}
