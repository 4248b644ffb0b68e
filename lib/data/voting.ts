import { idAt, newId } from "../values/ids.ts";
import { stillHas } from "./changes.ts";
import { CarriedOutBefore, type Once } from "./idempotency.ts";
import { key, range } from "./keys.ts";
import { check, create, type Part, remove, update } from "./parts.ts";
import { getFirst } from "./reads.ts";
import { replanned } from "./retries.ts";
import { transact } from "./transactions.ts";
import { type Person, shownOf } from "./users.ts";
import { SEATS, seat, summary, VoteItem, type VoteRecord, type Voters, voteOf } from "./votes.ts";

// How votes are cast and taken back. The voters item of a post counts all votes and seats min(6, count) of them in `first`; every
// transaction here keeps both exact. docs/data-model.md#votes lists the cases with their conditions.

/** A vote to cast; `at` is its time in milliseconds since 1970, now if it is absent; `by` is who casts it on the voter's behalf. */
type Ballot = Person & { at?: number; by?: string };

// A transaction takes 100 items: the voters item, and two of each vote.
const VOTES_AT_ONCE = 49;

/** Casts a vote; `asRead` is the voters item as read beside the caller's account. With `once`, not a second time. */
export const cast = async (
  postId: string,
  voter: Ballot,
  asRead: Voters | undefined,
  once?: Once<VoteRecord>,
): Promise<{ voted: VoteRecord } | "no such post" | "already voted"> => {
  const votes = await castTogether(postId, [voter], asRead, once);
  if (votes === "no such post") return votes;
  return votes[0] ? { voted: votes[0] } : "already voted";
};

/** Casts the votes of many, each voter once, 49 in a transaction; leaves out who has voted. For demo data and bulk fixtures. */
export const castAll = async (postId: string, ballots: Ballot[]): Promise<"cast" | "no such post"> => {
  for (let start = 0; start < ballots.length; start += VOTES_AT_ONCE) {
    const some = ballots.slice(start, start + VOTES_AT_ONCE);
    if ((await castTogether(postId, some, await summary(postId))) === "no such post") return "no such post";
  }
  return "cast";
};

/** Casts up to 49 votes in one transaction; leaves out who has voted. */
const castTogether = (
  postId: string,
  ballots: Ballot[],
  asRead: Voters | undefined,
  once?: Once<VoteRecord>,
): Promise<VoteRecord[] | "no such post"> => {
  let left = ballots;
  return replanned(
    asRead,
    () => summary(postId),
    async (voters): Promise<VoteRecord[] | "no such post" | "changed meanwhile"> => {
      if (!voters) return "no such post";
      const votes = left.map(voteOfBallot);
      const [vote] = votes;
      const outcome = await transact<string>({ ...castParts(postId, votes, voters), once: vote && once?.(vote) });
      if (outcome.done) return votes;
      if (outcome.failed.once) throw new CarriedOutBefore();
      if (outcome.failed.voters === "no item") return "no such post";
      left = left.filter(({ userId }) => !outcome.failed[userVotePart(userId)]);
      return left.length === 0 ? [] : "changed meanwhile";
    },
  );
};

const voteOfBallot = ({ at, by, ...voter }: Ballot): VoteRecord => ({
  voteId: at === undefined ? newId() : idAt(at),
  ...shownOf(voter),
  by,
});

const userVotePart = (userId: string): string => `vote of ${userId}`;

/** The parts that cast votes: the first of them take the free seats. */
const castParts = (postId: string, votes: VoteRecord[], { first }: Voters): Record<string, Part> => {
  const seated = votes.slice(0, SEATS - first.length);
  const parts: Record<string, Part> = { voters: countPart(postId, votes.length, seated) };
  for (const { voteId, ...voter } of votes) {
    parts[userVotePart(voter.userId)] = create(key.userVote(voter.userId, postId), { voteId });
    parts[`vote ${voteId}`] = create(key.vote(postId, voteId), voter);
  }
  return parts;
};

/** Part: counts votes and seats some of them. All votes get a seat and there is room, or the seats are full afterwards. */
const countPart = (postId: string, count: number, seated: VoteRecord[]): Part => {
  const seats = seated.map((vote, index) => ({ vote, user: `#user${index}`, seat: `:seat${index}` }));
  const taken = seats.map(({ user, seat }) => `#first.${user} = ${seat}`).join(", ");
  return update(key.voters(postId), `${taken && `SET ${taken} `}ADD #count :count`, {
    if: `attribute_exists(pk) AND size(#first) ${seated.length === count ? "<=" : "="} :seatedBefore`,
    names: {
      "#first": "first",
      "#count": "count",
      ...Object.fromEntries(seats.map(({ vote, user }) => [user, vote.userId])),
    },
    values: {
      ":count": count,
      ":seatedBefore": SEATS - seated.length,
      ...Object.fromEntries(seats.map(({ vote, seat: name }) => [name, seat(vote)])),
    },
  });
};

/** The voters of a post, and the id of a user's own vote on it. */
type OwnVote = { voters: Voters | undefined; voteId: string | undefined };

/** Reads what taking a vote back needs to know, in one step. */
export const ownVote = async (postId: string, userId: string): Promise<OwnVote> => {
  const [voters, voteId] = await Promise.all([summary(postId), voteOf(userId, postId)]);
  return { voters, voteId };
};

/** Takes a vote back; `asRead` is what was read beside the caller's account. */
export const takeBack = (
  postId: string,
  userId: string,
  asRead: OwnVote,
): Promise<"taken back" | "had not voted" | "no such post"> =>
  replanned(
    asRead,
    () => ownVote(postId, userId),
    async ({ voters, voteId }) => {
      if (!voters) return "no such post";
      if (!voteId) return "had not voted";
      const parts = await leaveParts(userId, voters);
      if (!parts) return "changed meanwhile";
      const outcome = await transact({
        voters: parts.voters,
        userVote: remove(key.userVote(userId, postId), { if: "voteId = :vote", values: { ":vote": voteId } }),
        vote: remove(key.vote(postId, voteId)),
        successor: parts.successor,
      });
      if (outcome.done) return "taken back";
      return outcome.failed.voters === "no item" ? "no such post" : "changed meanwhile";
    },
  );

/** The parts by which a voter leaves the voters item; undefined if no successor was found, because somebody wrote meanwhile. */
const leaveParts = async (
  userId: string,
  { postId, count, first }: Voters,
): Promise<{ voters: Part; successor?: Part } | undefined> => {
  const seated = new Set(first.map((vote) => vote.userId));
  if (!seated.has(userId)) return { voters: countDown(postId, userId) };
  if (count <= SEATS) return { voters: freeSeat(postId, userId) };
  const successor = await firstUnseated(postId, seated);
  return successor && { voters: handSeatOver(postId, userId, successor), successor: isStillThere(postId, successor) };
};

/** The first vote without a seat, in the order the votes were cast. Two more than have seats are read: some may just have left. */
const firstUnseated = async (postId: string, seated: Set<string>): Promise<VoteRecord | undefined> => {
  const { items } = await getFirst(range.votes(postId), VoteItem, SEATS + 2);
  return items.find(({ userId }) => !seated.has(userId));
};

/** Part: the voter has no seat; the count goes down. */
const countDown = (postId: string, userId: string): Part =>
  update(key.voters(postId), "ADD #count :less", {
    if: "attribute_exists(pk) AND attribute_not_exists(#first.#user)",
    names: { "#first": "first", "#user": userId, "#count": "count" },
    values: { ":less": -1 },
  });

/** Part: the voter has a seat, and all votes have one. */
const freeSeat = (postId: string, userId: string): Part =>
  update(key.voters(postId), "REMOVE #first.#user ADD #count :less", {
    if: "attribute_exists(#first.#user) AND #count <= :seats",
    names: { "#first": "first", "#user": userId, "#count": "count" },
    values: { ":less": -1, ":seats": SEATS },
  });

/** Part: the voter has a seat, and the successor gets it. */
const handSeatOver = (postId: string, userId: string, successor: VoteRecord): Part =>
  update(key.voters(postId), "REMOVE #first.#user SET #first.#successor = :seat ADD #count :less", {
    if: "attribute_exists(#first.#user) AND attribute_not_exists(#first.#successor) AND #count > :seats",
    names: { "#first": "first", "#user": userId, "#successor": successor.userId, "#count": "count" },
    values: { ":less": -1, ":seats": SEATS, ":seat": seat(successor) },
  });

/** Part: the successor's vote exists and shows what the seat gets; a rename may have changed it meanwhile. */
const isStillThere = (postId: string, { voteId, name, role }: VoteRecord): Part =>
  check(key.vote(postId, voteId), stillHas({ name, role }));
