import * as z from "zod";
import { idAt, newId } from "../values/ids.ts";
import { idIn, key, range, VOTERS_SUFFIX } from "./keys.ts";
import {
  backOff,
  check,
  create,
  get,
  getFirst,
  getMany,
  getRange,
  type Part,
  pagesOf,
  remove,
  removeAlone,
  StoreUnavailable,
  SWEPT_AT_ONCE,
  transact,
  update,
} from "./table.ts";
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
const seat = ({ voteId, name, username }: VoteRecord): z.infer<typeof Seat> => ({ v: voteId, n: name, u: username });

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

// A crowd on one post overtakes a plan again and again: the store budget ends that, hardly ever this number.
const MAX_PLANS = 30;

/** Waits a little, up to 80 ms, before another plan: whoever was overtaken is to get a turn within the crowd, not after it. */
const beforeReplan = (plan: number): Promise<void> => backOff(Math.min(plan, 2));

/** Adds a vote; `asRead` is the voters item read beside the caller's account, `at` (milliseconds since 1970) puts it into the past. */
export const add = async (
  postId: string,
  voter: Person,
  asRead: Voters | undefined,
  at?: number,
): Promise<{ voted: VoteRecord } | "no such post" | "already voted"> => {
  let voters = asRead;
  for (let plan = 0; plan < MAX_PLANS; plan++) {
    if (!voters) return "no such post";
    const { userId, name, username } = voter;
    const voteId = at === undefined ? newId(voters.edge) : idAt(at, voters.edge);
    const vote = { voteId, userId, name, username };
    const outcome = await transact(addPlan(postId, vote, voters));
    if (outcome.done) return { voted: vote };
    if (outcome.failed.voters === "no item") return "no such post";
    if (outcome.failed.userVote) return "already voted";
    if (plan > 0) await beforeReplan(plan);
    voters = await summary(postId);
  }
  throw new StoreUnavailable("the voters changed at every attempt to add a vote");
};

/** The parts of the transaction that adds a vote. */
export const addPlan = (postId: string, vote: VoteRecord, voters: Voters) => {
  const { voteId, ...voter } = vote;
  return {
    voters: voters.first.length < SEATS ? takeSeat(postId, vote) : countOnly(postId, vote),
    userVote: create(key.userVote(voter.userId, postId), { voteId }),
    vote: create(key.vote(postId, voteId), voter),
  };
};

/** A vote while `first` has room: it is counted and named there. */
const takeSeat = (postId: string, vote: VoteRecord): Part =>
  update(key.voters(postId), "SET #first.#user = :seat, edge = :vote ADD #count :one, #cast :one", {
    if: "attribute_exists(pk) AND size(#first) < :seats AND attribute_not_exists(#first.#user) AND (attribute_not_exists(edge) OR edge < :vote)",
    names: { "#first": "first", "#user": vote.userId, "#count": "count", "#cast": "cast" },
    values: { ":seat": seat(vote), ":vote": vote.voteId, ":one": 1, ":seats": SEATS },
  });

/** A vote while `first` is full: it is counted. */
const countOnly = (postId: string, vote: VoteRecord): Part =>
  update(key.voters(postId), "ADD #count :one, #cast :one", {
    if: "attribute_exists(pk) AND size(#first) >= :seats AND edge < :vote",
    names: { "#first": "first", "#count": "count", "#cast": "cast" },
    values: { ":vote": vote.voteId, ":one": 1, ":seats": SEATS },
  });

/** What taking a vote back has to know: the voters item and the user's own vote. */
export type Standing = { voters: Voters | undefined; voteId: string | undefined };

/** Reads what taking a vote back has to know, in one step. */
export const standing = async (postId: string, userId: string): Promise<Standing> => {
  const [voters, voteId] = await Promise.all([summary(postId), voteOf(userId, postId)]);
  return { voters, voteId };
};

/** Takes a vote back; `asRead` is the standing read beside the caller's account. */
export const takeBack = async (
  postId: string,
  userId: string,
  asRead: Standing,
): Promise<"taken back" | "had not voted" | "no such post"> => {
  let { voters, voteId } = asRead;
  for (let plan = 0; plan < MAX_PLANS; plan++) {
    if (!voters) return "no such post";
    if (!voteId) return "had not voted";
    const parts = await takeBackPlan(postId, userId, voteId, voters);
    const outcome = parts && (await transact(parts));
    if (outcome?.done) return "taken back";
    if (outcome?.failed.voters === "no item") return "no such post";
    if (plan > 0) await beforeReplan(plan);
    ({ voters, voteId } = await standing(postId, userId));
  }
  throw new StoreUnavailable("the voters changed at every attempt to take a vote back");
};

/** The transaction; undefined where nobody is found to take the seat, because somebody wrote between the reads. */
const takeBackPlan = async (postId: string, userId: string, voteId: string, voters: Voters) => {
  const seated = new Set(voters.first.map((vote) => vote.userId));
  const needsSuccessor = seated.has(userId) && voters.count > SEATS;
  const successor = needsSuccessor ? await earliestOutside(postId, seated) : undefined;
  if (needsSuccessor && !successor) return undefined;
  const change = seated.has(userId) ? freeSeat(postId, userId) : countDown(postId, userId);
  return {
    voters: successor ? handSeatOver(postId, userId, successor, voters.cast) : change,
    userVote: remove(key.userVote(userId, postId), { if: "voteId = :vote", values: { ":vote": voteId } }),
    vote: remove(key.vote(postId, voteId)),
    // Under the name that the seat gets: a rename may have come between.
    successor:
      successor &&
      check(key.vote(postId, successor.voteId), {
        if: "#name = :name",
        names: { "#name": "name" },
        values: { ":name": successor.name },
      }),
  };
};

/**
 * The earliest vote that `first` does not name. It is read after the voters item, never beside it: a vote that is cast in between
 * changes `cast` and so fails the plan, and only this order makes sure that none is missed.
 */
const earliestOutside = async (postId: string, seated: Set<string>): Promise<VoteRecord | undefined> => {
  const { items } = await getFirst(range.votes(postId), VoteItem, SEATS + 2);
  return items.find((vote) => !seated.has(vote.userId));
};

/** The user is not in `first`: one less. */
const countDown = (postId: string, userId: string): Part =>
  update(key.voters(postId), "ADD #count :less", {
    if: "attribute_exists(pk) AND attribute_not_exists(#first.#user)",
    names: { "#first": "first", "#user": userId, "#count": "count" },
    values: { ":less": -1 },
  });

/** The user is in `first` and nobody waits for the seat. */
const freeSeat = (postId: string, userId: string): Part =>
  update(key.voters(postId), "REMOVE #first.#user ADD #count :less", {
    if: "attribute_exists(#first.#user) AND #count <= :seats",
    names: { "#first": "first", "#user": userId, "#count": "count" },
    values: { ":less": -1, ":seats": SEATS },
  });

/** The user is in `first` and the earliest vote outside takes the seat; `cast` tells that no other vote came in since. */
const handSeatOver = (postId: string, userId: string, successor: VoteRecord, cast: number): Part =>
  update(key.voters(postId), "REMOVE #first.#user SET #first.#successor = :seat, edge = :edge ADD #count :less", {
    if: "attribute_exists(#first.#user) AND attribute_not_exists(#first.#successor) AND #count > :seats AND #cast = :cast",
    names: { "#first": "first", "#user": userId, "#successor": successor.userId, "#count": "count", "#cast": "cast" },
    values: { ":less": -1, ":seats": SEATS, ":seat": seat(successor), ":edge": successor.voteId, ":cast": cast },
  });

/** A page of votes after one of them, in the order they were cast; `more` says that there may be further ones. */
export const votesAfter = (
  postId: string,
  voteId: string | undefined,
  count: number,
): Promise<{ items: VoteRecord[]; more: boolean }> =>
  getFirst(voteId === undefined ? range.votes(postId) : range.votesAfter(postId, voteId), VoteItem, count);

// A vote that does not parse is swept like any other.
const SweptVote = z
  .object({ sk: z.string(), userId: z.string().optional().catch(undefined) })
  .transform(({ sk, userId }) => ({ voteId: sk, userId }));

/** Deletes all votes of a deleted post, a page at a time; safe to repeat after a crash at any point. */
export const sweep = async (postId: string): Promise<void> => {
  for await (const page of pagesOf(range.votes(postId), SweptVote, { pageSize: SWEPT_AT_ONCE })) {
    await Promise.all(page.map((vote) => sweepVote(postId, vote)));
  }
};

const sweepVote = async (postId: string, { userId, voteId }: z.output<typeof SweptVote>): Promise<void> => {
  // The user's vote first: after a crash in between, the vote is still there to lead to it again.
  if (userId !== undefined) await removeAlone(key.userVote(userId, postId));
  await removeAlone(key.vote(postId, voteId));
};

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
