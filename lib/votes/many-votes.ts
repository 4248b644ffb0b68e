import { key } from "../table/keys.ts";
import { type Attributes, type Condition, create, type Part, update } from "../table/parts.ts";
import { SEATS, seat } from "./seats.ts";
import type { VoteRecord } from "./votes.ts";
import { newVoters, type VotedPost, weightsOf } from "./weights.ts";

// An import writes many votes of a post in one transaction: a third of the units and a tenth of the calls of single
// votes. What holds after each commit is the same as in voting.ts.

// What an item with votes always fulfils.
const ALWAYS: Condition = { if: "attribute_exists(pk)" };

function voteParts(postId: string, votes: VoteRecord[]): Record<string, Part> {
  const parts = votes.flatMap(({ voteId, ...shown }) => [
    [userVotePartOf(shown.userId), create(key.userVote(shown.userId, postId), { voteId })] as const,
    [`vote ${voteId}`, create(key.vote(postId, voteId), shown)] as const,
  ]);
  return Object.fromEntries(parts);
}

/** The name of the part that fails if a user has voted already. */
export function userVotePartOf(userId: string): string {
  return `vote of ${userId}`;
}

/** The parts that create the voters item of a new post with its first votes. */
export function firstVotesParts(post: VotedPost, votes: VoteRecord[]): Record<string, Part> {
  const { postId } = post;
  const item: Attributes = newVoters(post);
  for (const [name, weight] of weightsOf([postId, ...votes.map(({ voteId }) => voteId)])) item[name] = weight;
  const first = Object.fromEntries(votes.slice(0, SEATS).map((vote) => [vote.userId, seat(vote)]));
  return { voters: create(key.voters(postId), { ...item, count: votes.length, first }), ...voteParts(postId, votes) };
}

/**
 * The parts that add votes to a post of whose seats some are `taken`. `voters` fails if the post is gone, the number of
 * its seats has changed, or another condition does not hold.
 */
export function moreVotesParts(
  postId: string,
  votes: VoteRecord[],
  taken: number,
  further: Condition = ALWAYS,
): Record<string, Part> {
  const seated = votes.slice(0, SEATS - taken);
  const sums: [name: string, sum: number | bigint][] = [
    ["count", votes.length],
    ...weightsOf(votes.map(({ voteId }) => voteId)),
  ];
  const set = seated.map((_, n) => `#first.#u${n} = :u${n}`).join(", ");
  const add = sums.map((_, n) => `#s${n} :s${n}`).join(", ");
  const voters = update(key.voters(postId), `${set && `SET ${set} `}ADD ${add}`, {
    if: `attribute_exists(pk) AND size(#first) = :taken AND ${further.if}`,
    names: {
      ...further.names,
      "#first": "first",
      ...Object.fromEntries(seated.map(({ userId }, n) => [`#u${n}`, userId])),
      ...Object.fromEntries(sums.map(([name], n) => [`#s${n}`, name])),
    },
    values: {
      ...further.values,
      ":taken": taken,
      ...Object.fromEntries(seated.map((vote, n) => [`:u${n}`, seat(vote)])),
      ...Object.fromEntries(sums.map(([, sum], n) => [`:s${n}`, sum])),
    },
  });
  return { voters, ...voteParts(postId, votes) };
}
