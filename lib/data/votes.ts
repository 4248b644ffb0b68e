import * as z from "zod";
import { idIn, key, range, VOTERS_SUFFIX } from "./keys.ts";
import { check, type Part, update } from "./parts.ts";
import { get, getFirst, getMany, getRange } from "./reads.ts";
import type { Person } from "./users.ts";

/** How many voters the voters item itself names: the earliest ones, what a list shows. */
export const SEATS = 6;

/** How many votes the answer of a single post carries. */
export const SHOWN_VOTES = 100;

/** A vote with the name of its voter. */
export type VoteRecord = Person & { voteId: string };

/** The voters item of a post: the exact count, and the earliest min(6, count) voters, in the order they voted. */
export type Voters = {
  postId: string;
  count: number;
  /** How many votes were ever cast: tells a plan whether a vote came in since it was made. */
  cast: number;
  first: VoteRecord[];
  /** No vote outside of `first` has an id up to this one, none inside has a greater one: new votes get ids above it. */
  edge?: string | undefined;
};

// Seat attributes are single letters, so that the item stays below 1 KB with six ordinary names.
const Seat = z.object({ v: z.string(), n: z.string(), u: z.string() });
/** A seat of `first` as stored. */
export const seat = ({ voteId, name, username }: VoteRecord): z.infer<typeof Seat> => ({
  v: voteId,
  n: name,
  u: username,
});

const byVoteId = (a: VoteRecord, b: VoteRecord): number => (a.voteId < b.voteId ? -1 : 1);

/** The voters item as stored. */
export const VotersItem = z
  .object({
    sk: z.string().endsWith(VOTERS_SUFFIX),
    count: z.number(),
    cast: z.number(),
    first: z.record(z.string(), Seat),
    edge: z.string().optional(),
  })
  .transform(
    ({ sk, first, ...voters }): Voters => ({
      postId: sk.slice(0, -VOTERS_SUFFIX.length),
      ...voters,
      first: Object.entries(first)
        .map(([userId, { v, n, u }]) => ({ voteId: v, userId, name: n, username: u }))
        .sort(byVoteId),
    }),
  );

/** A vote as it lies in the table. */
export const VoteItem = z
  .object({ sk: z.string(), userId: z.string(), name: z.string(), username: z.string() })
  .transform(({ sk, ...voter }): VoteRecord => ({ voteId: sk, ...voter }));

/** What tells that a user voted on a post, as it lies in the table. */
export const UserVoteItem = z
  .object({ sk: z.string(), voteId: z.string() })
  .transform(({ sk, voteId }) => ({ postId: idIn(sk), voteId }));

/** The voters of a post that nobody voted on. */
export const noVoters = (postId: string): Voters => ({ postId, count: 0, cast: 0, first: [] });

/** Reads the voters item of a post; undefined when the post does not exist. */
export const summary = (postId: string): Promise<Voters | undefined> => get(key.voters(postId), VotersItem);

/** The id of a user's vote on a post; undefined when there is none. */
export const voteOf = async (userId: string, postId: string): Promise<string | undefined> =>
  (await get(key.userVote(userId, postId), UserVoteItem))?.voteId;

/** The first votes on a post in the order they were cast; `total` is known where these are all. */
export type FirstVotes = { votes: VoteRecord[]; total: number | undefined };

/** Reads up to 100 votes on a post. */
export const firstVotes = async (postId: string): Promise<FirstVotes> => {
  const { items, more } = await getFirst(range.votes(postId), VoteItem, SHOWN_VOTES);
  return { votes: items, total: more ? undefined : items.length };
};

/** Reads the exact number of votes on a post with up to 100 of them; undefined when the post is gone. */
export const votersOf = async (postId: string): Promise<{ votes: VoteRecord[]; total: number } | undefined> => {
  const [voters, { votes, total }] = await Promise.all([summary(postId), firstVotes(postId)]);
  // Where the votes are all there, their number is the total: the two reads may be a vote apart.
  return voters && { votes, total: total ?? voters.count };
};

/**
 * The votes of a user, as postId -> voteId, on those posts of a page whose voters items do not tell: one Query where the page is
 * contiguous, one BatchGet otherwise, nothing where all tell.
 */
export const ownVotesOn = async (
  page: Voters[],
  userId: string,
  { contiguous }: { contiguous: boolean },
): Promise<Map<string, string>> => {
  const untold = page.filter(({ count, first }) => count > SEATS && !first.some((vote) => vote.userId === userId));
  const postIds = untold.map(({ postId }) => postId).sort();
  const [earliest, latest] = [postIds[0], postIds.at(-1)];
  if (!earliest || !latest) return new Map();
  const keys = postIds.map((postId) => key.userVote(userId, postId));
  const votes = contiguous
    ? await getRange(range.userVotes(userId, earliest, latest), UserVoteItem)
    : await getMany(keys, UserVoteItem);
  return new Map(votes.map(({ postId, voteId }) => [postId, voteId]));
};

/** A page of votes after one of them, in the order they were cast; `more` says that there may be further ones. */
export const votesAfter = (
  postId: string,
  voteId: string | undefined,
  count: number,
): Promise<{ items: VoteRecord[]; more: boolean }> =>
  getFirst(voteId === undefined ? range.votes(postId) : range.votesAfter(postId, voteId), VoteItem, count);

/**
 * The parts that put the voter's name into a vote and, where the voter has one of the first seats, into the seat: always both, so
 * that a seat never tells another name than its vote. Empty where the name stands there.
 */
export const nameParts = (vote: VoteRecord, { postId, first }: Voters, name: string): Record<string, Part> => {
  const { voteId, userId } = vote;
  const seat = first.find((each) => each.userId === userId);
  if (vote.name === name && (!seat || seat.name === name)) return {};
  const names = { "#first": "first", "#user": userId };
  return {
    [`vote on ${postId}`]: update(key.vote(postId, voteId), "SET #name = :name", {
      if: "attribute_exists(pk)",
      names: { "#name": "name" },
      values: { ":name": name },
    }),
    [`voters of ${postId}`]: seat
      ? update(key.voters(postId), "SET #first.#user.#seatName = :name", {
          if: "#first.#user.#seatVote = :vote",
          names: { ...names, "#seatName": "n", "#seatVote": "v" },
          values: { ":name": name, ":vote": voteId },
        })
      : check(key.voters(postId), { if: "attribute_exists(pk) AND attribute_not_exists(#first.#user)", names }),
  };
};
