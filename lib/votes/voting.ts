import { type Person, shownOf } from "../accounts/users.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { CarriedOutBefore, type Once } from "../table/idempotency.ts";
import { key } from "../table/keys.ts";
import { check, create, type Part, remove, update } from "../table/parts.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { idAt, newId } from "../values/ids.ts";
import { cool, type Shards } from "./hot-posts.ts";
import { earliestVotes, ownVoteOf, SEATS, seat, summary, type VoteRecord, type Voters } from "./votes.ts";
import { counting } from "./weights.ts";

// How votes are cast and taken back. The voters item of a post counts all votes and seats min(6, count) of them in `first`; every
// transaction here keeps both exact. docs/data-model.md#votes lists the cases with their conditions.

/** A vote to cast; `at` is its time in milliseconds since 1970, now if it is absent; `by` is who casts it on the voter's behalf. */
type Ballot = Person & { at?: number; by?: string };

// A transaction takes 100 items: the voters item, and two of each vote.
const VOTES_AT_ONCE = 49;

/**
 * Casts a vote; `asRead` is the voters item as read beside the caller's account. With `once`, not a second time. With `shards`, a vote
 * on a hot post is counted in a shard: it may then be committed just after the post is deleted, so its caller reads the voters
 * afterwards. Without, it is counted in the voters item.
 */
export async function cast(
  postId: string,
  voter: Ballot,
  asRead: Voters | undefined,
  once?: Once<VoteRecord>,
  shards?: Shards,
): Promise<{ voted: VoteRecord } | "no such post" | "already voted"> {
  const votes = await castTogether(postId, [voter], asRead, once, shards);
  if (votes === "no such post") return votes;
  return votes[0] ? { voted: votes[0] } : "already voted";
}

/** Casts the votes of many, each voter once, 49 in a transaction; leaves out who has voted. For demo data and bulk fixtures. */
export async function castAll(postId: string, ballots: Ballot[]): Promise<"cast" | "no such post"> {
  for (let start = 0; start < ballots.length; start += VOTES_AT_ONCE) {
    const some = ballots.slice(start, start + VOTES_AT_ONCE);
    if ((await castTogether(postId, some, await summary(postId))) === "no such post") return "no such post";
  }
  return "cast";
}

/** Casts up to 49 votes in one transaction; leaves out who has voted. */
function castTogether(
  postId: string,
  ballots: Ballot[],
  asRead: Voters | undefined,
  once?: Once<VoteRecord>,
  shards?: Shards,
): Promise<VoteRecord[] | "no such post"> {
  let left = ballots;
  return replanned(
    asRead,
    () => summary(postId),
    async (voters): Promise<VoteRecord[] | "no such post" | "changed meanwhile"> => {
      if (!voters) return "no such post";
      const hot = voters.hot && shards;
      const shard = hot ? hot.any() : undefined;
      const votes = left.map((ballot) => ({ ...voteOfBallot(ballot), shard }));
      const [vote] = votes;
      const parts = { ...castParts(votes, voters, hot), once: vote && once?.(vote) };
      const outcome = await transact<string>(parts, hot ? {} : shards);
      if (outcome.done) return votes;
      if (outcome.contended) await shards?.heat(voters);
      if (outcome.failed.once) throw new CarriedOutBefore();
      if (outcome.failed.voters === "no item") return "no such post";
      left = left.filter(({ userId }) => !outcome.failed[userVotePart(userId)]);
      return left.length === 0 ? [] : "changed meanwhile";
    },
  );
}

function voteOfBallot({ at, by, ...voter }: Ballot): VoteRecord {
  return {
    voteId: at === undefined ? newId() : idAt(at),
    ...shownOf(voter),
    by,
  };
}

function idsOf(votes: VoteRecord[]): string[] {
  return votes.map(({ voteId }) => voteId);
}

function userVotePart(userId: string): string {
  return `vote of ${userId}`;
}

/** The parts that cast votes: the first of them take the free seats, those on a hot post none. */
function castParts(votes: VoteRecord[], voters: Voters, hot: Shards | undefined): Record<string, Part> {
  const { postId, first } = voters;
  const parts: Record<string, Part> = {};
  if (hot) parts.counter = hot.count(voters, counting(idsOf(votes)), votes[0]?.shard);
  else parts.voters = countPart(postId, votes, votes.slice(0, SEATS - first.length));
  for (const { voteId, shard, ...voter } of votes) {
    parts[userVotePart(voter.userId)] = create(key.userVote(voter.userId, postId), { voteId, shard });
    parts[`vote ${voteId}`] = create(key.vote(postId, voteId, shard), voter);
  }
  return parts;
}

/** Part: counts votes and seats some of them. All votes get a seat and there is room, or the seats are full afterwards. */
function countPart(postId: string, votes: VoteRecord[], seated: VoteRecord[]): Part {
  const counted = counting(votes.map(({ voteId }) => voteId));
  const seats = seated.map((vote, index) => ({ vote, user: `#user${index}`, seat: `:seat${index}` }));
  const taken = seats.map(({ user, seat }) => `#first.${user} = ${seat}`).join(", ");
  return update(key.voters(postId), `${taken && `SET ${taken} `}${counted.expression}`, {
    if: `attribute_exists(pk) AND size(#first) ${seated.length === votes.length ? "<=" : "="} :seatedBefore`,
    names: {
      "#first": "first",
      ...counted.names,
      ...Object.fromEntries(seats.map(({ vote, user }) => [user, vote.userId])),
    },
    values: {
      ...counted.values,
      ":seatedBefore": SEATS - seated.length,
      ...Object.fromEntries(seats.map(({ vote, seat: name }) => [name, seat(vote)])),
    },
  });
}

/** The voters of a post, and a user's own vote on it. */
type OwnVote = { voters: Voters | undefined; vote: Pick<VoteRecord, "voteId" | "shard"> | undefined };

/** Reads what taking a vote back needs to know, in one step. */
export async function ownVote(postId: string, userId: string): Promise<OwnVote> {
  const [voters, vote] = await Promise.all([summary(postId), ownVoteOf(userId, postId)]);
  return { voters, vote };
}

/** Takes a vote back; `asRead` is what was read beside the caller's account, `shards` as in `cast`. */
export function takeBack(
  postId: string,
  userId: string,
  asRead: OwnVote,
  shards?: Shards,
): Promise<"taken back" | "had not voted" | "no such post"> {
  return replanned(
    asRead,
    () => ownVote(postId, userId),
    async ({ voters, vote }) => {
      if (!voters) return "no such post";
      if (!vote) return "had not voted";
      const parts = await leaveParts({ userId, voteId: vote.voteId }, voters, shards);
      if (parts === "no successor") {
        // Somebody wrote meanwhile, or all votes on a hot post have seats: it is hot no longer.
        await cool(voters);
        return "changed meanwhile";
      }
      const outcome = await transact(
        {
          voters: parts.voters,
          counter: parts.counter,
          userVote: remove(key.userVote(userId, postId), { if: "voteId = :vote", values: { ":vote": vote.voteId } }),
          vote: remove(key.vote(postId, vote.voteId, vote.shard), parts.counter && isUnseated),
          successor: parts.successor,
        },
        voters.hot ? {} : shards,
      );
      if (outcome.done) return "taken back";
      if (outcome.contended) await shards?.heat(voters);
      return outcome.failed.voters === "no item" ? "no such post" : "changed meanwhile";
    },
  );
}

/** Who takes which vote back. */
type Leaver = { userId: string; voteId: string };

/** The parts by which a voter leaves: the voters item, with the vote that gets the seat, or a counter. */
type Leaving = { voters?: Part; counter?: Part; successor?: Part };

/** The parts by which a voter leaves. "no successor" if the voter has a seat and no vote that could get it was found. */
async function leaveParts(leaver: Leaver, voters: Voters, shards?: Shards): Promise<Leaving | "no successor"> {
  const { postId, count, hot, first } = voters;
  const seated = new Set(first.map((vote) => vote.userId));
  if (!seated.has(leaver.userId)) {
    return hot && shards
      ? { counter: shards.count(voters, counting([leaver.voteId], -1)) }
      : { voters: countDown(postId, leaver) };
  }
  if (!hot && count <= SEATS) return { voters: freeSeat(postId, leaver) };
  const successor = await firstUnseated(voters, seated);
  if (!successor) return "no successor";
  return { voters: handSeatOver(voters, leaver, successor), successor: keepsSeat(voters, successor) };
}

/** The first vote without a seat, in the order the votes were cast. Two more than have seats are read: some may just have left. */
async function firstUnseated(voters: Voters, seated: Set<string>): Promise<VoteRecord | undefined> {
  return (await earliestVotes(voters, SEATS + 2)).find(({ userId }) => !seated.has(userId));
}

/** Part: the voter has no seat; the count goes down. */
function countDown(postId: string, { userId, voteId }: Leaver): Part {
  const { expression, names, values } = counting([voteId], -1);
  return update(key.voters(postId), expression, {
    if: "attribute_exists(pk) AND attribute_not_exists(#first.#user)",
    names: { "#first": "first", "#user": userId, ...names },
    values,
  });
}

/** Part: the voter has a seat, and all votes have one. */
function freeSeat(postId: string, { userId, voteId }: Leaver): Part {
  const { expression, names, values } = counting([voteId], -1);
  return update(key.voters(postId), `REMOVE #first.#user ${expression}`, {
    if: "attribute_exists(#first.#user) AND #count <= :seats AND attribute_not_exists(hot)",
    names: { "#first": "first", "#user": userId, ...names },
    values: { ...values, ":seats": SEATS },
  });
}

/** Part: the voter has a seat, and the successor gets it. */
function handSeatOver({ postId, hot }: Voters, { userId, voteId }: Leaver, successor: VoteRecord): Part {
  const { expression, names, values } = counting([voteId], -1);
  return update(key.voters(postId), `REMOVE #first.#user SET #first.#successor = :seat ${expression}`, {
    if: `attribute_exists(#first.#user) AND attribute_not_exists(#first.#successor) AND ${
      hot ? "attribute_exists(hot)" : "#count > :seats AND attribute_not_exists(hot)"
    }`,
    names: { "#first": "first", "#user": userId, "#successor": successor.userId, ...names },
    values: { ...values, ":seat": seat(successor), ...(!hot && { ":seats": SEATS }) },
  });
}

/**
 * Part: the successor's vote exists and shows what the seat gets; a rename may have changed it meanwhile. On a hot post the vote
 * then knows of its seat: who takes it back without looking at the voters item must not leave the seat behind.
 */
function keepsSeat({ postId, hot }: Voters, { voteId, shard, name, role }: VoteRecord): Part {
  const at = key.vote(postId, voteId, shard);
  return hot ? setFields(at, { seated: true }, stillHas({ name, role })) : check(at, stillHas({ name, role }));
}

/** Condition on a vote that is taken back by a counter: it got no seat since the voters item was read. */
const isUnseated = { if: "attribute_not_exists(seated)" };
