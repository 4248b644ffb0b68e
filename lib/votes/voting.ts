import { type Person, shownOf } from "../accounts/users.ts";
import { stillHas } from "../table/changes.ts";
import type { IdempotencyPart } from "../table/idempotency.ts";
import { key } from "../table/keys.ts";
import { check, create, type Part, remove, update } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { idAt, newId } from "../values/ids.ts";
import { SEATS, seat } from "./seats.ts";
import { readVotes, summary, VoteItem, type VoteRecord, type Voters, voteOf } from "./votes.ts";
import { type Waiting, waitingVote } from "./waiting-votes.ts";
import { countVote } from "./weights.ts";

// How votes are cast and taken back, each in one transaction: the vote, the user's vote, and the voters item of the
// post: `count` counts all votes, `first` seats min(6, count) of them. Only `takeSeat`, `countUp`, `countDown`,
// `freeSeat` and `handSeatOver` change `count`. docs/data-model.md#votes lists the cases with their conditions.

/** A vote to cast: at a time (ms since 1970; now if absent), and by an account on the voter's behalf. */
type Ballot = Person & { at?: number; by?: string };

/** Casts a vote, from the voters as they were read. */
export function cast(
  postId: string,
  { at, by, ...voter }: Ballot,
  { voters: asRead, idempotencyPart }: { voters: Voters | undefined; idempotencyPart?: IdempotencyPart<VoteRecord> },
): Promise<{ voted: VoteRecord } | "no such post" | "already voted"> {
  return replanned(
    asRead,
    () => summary(postId),
    async (voters) => {
      if (!voters) return "no such post";
      const voteId = at === undefined ? newId() : idAt(at);
      const shown = { ...shownOf(voter), by };
      const voted = { voteId, ...shown };
      const outcome = await transact({
        voters: voters.first.length < SEATS ? takeSeat(postId, voted) : countUp(postId, voted),
        userVote: create(key.userVote(voter.userId, postId), { voteId }),
        vote: create(key.vote(postId, voteId), shown),
        idempotency: idempotencyPart?.(voted),
      });
      if (outcome.done) return { voted };
      if (outcome.failed.voters === "no item") return "no such post";
      return outcome.failed.userVote ? "already voted" : "changed meanwhile";
    },
  );
}

function takeSeat(postId: string, vote: VoteRecord): Part {
  const { expression, names, values } = countVote(vote.voteId);
  return update(key.voters(postId), `SET #first.#user = :seat ${expression}`, {
    if: "attribute_exists(pk) AND size(#first) < :seats",
    names: { "#first": "first", "#user": vote.userId, ...names },
    values: { ...values, ":seat": seat(vote), ":seats": SEATS },
  });
}

/** Part: all seats are taken; the count goes up. */
function countUp(postId: string, { voteId }: VoteRecord): Part {
  const { expression, names, values } = countVote(voteId);
  return update(key.voters(postId), expression, {
    if: "attribute_exists(pk) AND size(#first) = :seats",
    names: { "#first": "first", ...names },
    values: { ...values, ":seats": SEATS },
  });
}

/** A vote with the voters of its post, as one read gave them. */
export type OwnVote = { voters: Voters | undefined; voteId: string | undefined };

/** Reads what `takeBack` needs. */
export async function ownVote(postId: string, userId: string): Promise<OwnVote> {
  const [voters, voteId] = await Promise.all([summary(postId), voteOf(userId, postId)]);
  return { voters, voteId };
}

/** Reads a vote with the voters of its post; undefined if one of them is gone. */
export async function findVote(
  postId: string,
  voteId: string,
): Promise<{ vote: VoteRecord; voters: Voters } | undefined> {
  const [voters, vote] = await Promise.all([summary(postId), get(key.vote(postId, voteId), VoteItem)]);
  return voters && vote && { vote, voters };
}

/** Takes a vote back, from what was read. */
export function takeBack(
  postId: string,
  userId: string,
  asRead: OwnVote,
): Promise<"taken back" | "had not voted" | "no such post"> {
  const read = () => ownVote(postId, userId);
  return replanned(asRead, read, async ({ voters, voteId: firstRead }) => {
    if (!voters) return "no such post";
    const waiting = await waitingVote(voters, userId);
    // A merge may have moved the vote here since it was looked for.
    const voteId = firstRead ?? (voters.move.moves ? await voteOf(userId, postId) : undefined);
    if (!voteId && !waiting) return withoutVote(voters, userId);
    const parts = voteId ? await takeBackParts(voters, { userId, voteId }) : {};
    const waitingParts = waiting ? await waitingVoteParts(waiting, userId) : {};
    if (parts === "no successor" || waitingParts === "no successor") return "changed meanwhile";
    const outcome = await transact<string>({ ...parts, ...waitingParts });
    if (outcome.done) return "taken back";
    return outcome.failed.voters === "no item" ? "no such post" : "changed meanwhile";
  });
}

/**
 * What it means that no vote was found. One read gives the voters and the user's vote, but each as it was at a moment
 * of its own: in between a merge may have begun and taken the vote along.
 */
async function withoutVote(
  { postId, count, first, move }: Voters,
  userId: string,
): Promise<"had not voted" | "no such post" | "changed meanwhile"> {
  const isAtRest = (move.incoming ?? move.regaining) === undefined;
  // Where all votes have seats, the voters alone say so.
  if (isAtRest && count <= SEATS && !first.some((vote) => vote.userId === userId)) return "had not voted";
  const now = await summary(postId);
  if (!now) return "no such post";
  return now.move.moves === move.moves ? "had not voted" : "changed meanwhile";
}

/** The parts that take a vote back, and hand over its seat. */
async function takeBackParts(
  voters: Voters,
  { userId, voteId }: Leaver,
): Promise<Record<string, Part | undefined> | "no successor"> {
  const { postId } = voters;
  const parts = await leaveParts({ userId, voteId }, voters);
  if (parts === "no successor") return parts;
  return {
    voters: parts.voters,
    userVote: remove(key.userVote(userId, postId), { if: "voteId = :vote", values: { ":vote": voteId } }),
    vote: remove(key.vote(postId, voteId)),
    successor: parts.successor,
  };
}

/** The parts that take back a vote that a merge has not moved yet. */
async function waitingVoteParts(
  { parts, alsoOn }: Waiting,
  userId: string,
): Promise<Record<string, Part | undefined> | "no successor"> {
  if (!alsoOn) return parts;
  const voters = await summary(alsoOn.postId);
  // That post is being deleted, with its votes.
  if (!voters) return parts;
  const there = await takeBackParts(voters, { userId, voteId: alsoOn.voteId });
  if (there === "no successor") return there;
  const named = Object.entries(there).map(([name, part]) => [`${name} there`, part] as const);
  return { ...parts, ...Object.fromEntries(named) };
}

type Leaver = { userId: string; voteId: string };

/**
 * The parts that remove a vote: the change of the voters item, and the vote that gets the seat; "no successor" if no
 * vote was found for it.
 */
async function leaveParts(
  leaver: Leaver,
  voters: Voters,
): Promise<{ voters: Part; successor?: Part } | "no successor"> {
  const { postId, count, first } = voters;
  const seated = new Set(first.map((vote) => vote.userId));
  if (!seated.has(leaver.userId)) return { voters: countDown(postId, leaver) };
  if (count <= SEATS) return { voters: freeSeat(postId, leaver) };
  // Two more votes than there are seats, because some may just have left.
  const { votes } = await readVotes(postId, SEATS + 2);
  const successor = votes.find(({ userId }) => !seated.has(userId));
  if (!successor) return "no successor";
  const { userId, voteId, name, role } = successor;
  return {
    voters: handSeatOver(postId, leaver, successor),
    // A rename or an erasure may have changed what the seat shows.
    successor: check(key.vote(postId, voteId), stillHas({ userId, name, role })),
  };
}

/** Part: the voter has no seat; the count goes down. */
function countDown(postId: string, { userId, voteId }: Leaver): Part {
  const { expression, names, values } = countVote(voteId, -1);
  return update(key.voters(postId), expression, {
    if: "attribute_exists(pk) AND attribute_not_exists(#first.#user)",
    names: { "#first": "first", "#user": userId, ...names },
    values,
  });
}

/** Part: the voter has a seat, and all votes have one. */
function freeSeat(postId: string, { userId, voteId }: Leaver): Part {
  const { expression, names, values } = countVote(voteId, -1);
  return update(key.voters(postId), `REMOVE #first.#user ${expression}`, {
    if: "attribute_exists(#first.#user) AND #count <= :seats",
    names: { "#first": "first", "#user": userId, ...names },
    values: { ...values, ":seats": SEATS },
  });
}

/** Part: the voter has a seat, and the successor gets it. */
function handSeatOver(postId: string, { userId, voteId }: Leaver, successor: VoteRecord): Part {
  const { expression, names, values } = countVote(voteId, -1);
  return update(key.voters(postId), `REMOVE #first.#user SET #first.#successor = :seat ${expression}`, {
    if: "attribute_exists(#first.#user) AND attribute_not_exists(#first.#successor) AND #count > :seats",
    names: { "#first": "first", "#user": userId, "#successor": successor.userId, ...names },
    values: { ...values, ":seat": seat(successor), ":seats": SEATS },
  });
}
