import * as z from "zod/mini";
import { prefix } from "../table/keys.ts";

// For each vote of a duplicate an item stays, by the vote that the voter has on the other post since then: the same
// one, which moved, or, of a voter who had voted on both posts, the one that was there, with the vote that was lost. It
// names no account.

/**
 * What stays of a vote: `was` is the vote that was lost, `by` who cast it on the voter's behalf. `inherits`: the one
 * that was there had come from another duplicate, which has it again, so the vote on the other post is this one's.
 */
export const movedFields = {
  sk: z.string(),
  was: z.optional(z.string()),
  by: z.optional(z.string()),
  inherits: z.optional(z.literal(true)),
};

/** Parses what stays of a vote. */
export const MovedVoteItem = z.pipe(
  z.object(movedFields),
  z.transform(({ sk, ...moved }) => ({ voteId: sk.slice(prefix.vote.length), ...moved })),
);
export type MovedVote = z.output<typeof MovedVoteItem>;

/** Whether the vote on the other post came with this duplicate: the voter had not voted there. */
export function hasCome({ was, inherits }: Pick<MovedVote, "was" | "inherits">): boolean {
  return was === undefined || inherits === true;
}
