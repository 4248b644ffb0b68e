import { idAt, newId } from "../values/ids.ts";
import { key, range } from "./keys.ts";
import { check, create, type Part, remove, update } from "./parts.ts";
import { getFirst } from "./reads.ts";
import { replanned } from "./retries.ts";
import { transact } from "./transactions.ts";
import type { Person } from "./users.ts";
import { SEATS, seat, summary, VoteItem, type VoteRecord, type Voters, voteOf } from "./votes.ts";

/**
 * Casts a vote. `asRead` is the voters item as read beside the caller's account; `at` is the time of the vote in milliseconds
 * since 1970, for demo data.
 */
export const add = (
  postId: string,
  voter: Person,
  asRead: Voters | undefined,
  at?: number,
): Promise<{ voted: VoteRecord } | "no such post" | "already voted"> =>
  replanned(
    asRead,
    () => summary(postId),
    async (voters) => {
      if (!voters) return "no such post";
      const { userId, name, username } = voter;
      const voteId = at === undefined ? newId(voters.edge) : idAt(at, voters.edge);
      const vote = { voteId, userId, name, username };
      const outcome = await transact(addPlan(postId, vote, voters));
      if (outcome.done) return { voted: vote };
      if (outcome.failed.voters === "no item") return "no such post";
      return outcome.failed.userVote ? "already voted" : "changed meanwhile";
    },
  );

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

/** Takes a vote back; `asRead` is what was read beside the caller's account. */
export const takeBack = (
  postId: string,
  userId: string,
  asRead: Standing,
): Promise<"taken back" | "had not voted" | "no such post"> =>
  replanned(
    asRead,
    () => standing(postId, userId),
    async ({ voters, voteId }) => {
      if (!voters) return "no such post";
      if (!voteId) return "had not voted";
      const parts = await takeBackPlan(postId, userId, voteId, voters);
      const outcome = parts && (await transact(parts));
      if (outcome?.done) return "taken back";
      return outcome?.failed.voters === "no item" ? "no such post" : "changed meanwhile";
    },
  );

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
