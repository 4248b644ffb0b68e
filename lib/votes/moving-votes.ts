import * as z from "zod/mini";
import { type Holders, holdersOf, shownNow, unchangedParts } from "../accounts/holders.ts";
import { NOBODY } from "../accounts/users.ts";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { type Condition, check, type Part, put, remove, update } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getFirst, getMany } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { type Heir, heirsOf, inheritancePart, type Kept, keptAnewParts, keptBy } from "./heirs.ts";
import { moreVotesParts } from "./many-votes.ts";
import { hasCome, type MovedVote, MovedVoteItem } from "./moved-votes.ts";
import { SEATS, seat } from "./seats.ts";
import { readVotes, summary, VoteItem, type VoteRecord, type Voters } from "./votes.ts";
import { weightsOf } from "./weights.ts";

// How the votes of a duplicate move to the post that it was merged into, and back. docs/data-model.md#merged-posts

// How many votes are looked at in a transaction: each has six parts at most.
const AT_ONCE = 15;

// Of how many duplicates a transaction changes what they keep of a vote: two parts each.
const MOST_KEPT = 40;

/**
 * How a slice of a move ended: none is left, a full slice or the rest is moved, the rest waits for an erasure, it
 * has to be planned anew, or the post is gone.
 */
export type Moved = "none left" | "moved" | "moved the rest" | "waits" | "changed meanwhile" | "no such post";

/** Commits a slice of `count` things, of at most `most`. */
export async function commitSlice(parts: Record<string, Part>, count: number, most: number): Promise<Moved> {
  if (!(await transact<string>(parts)).done) return "changed meanwhile";
  return count < most ? "moved the rest" : "moved";
}

/** Condition of a voters item: it has this lock, so votes and comments of the other post still move. */
export function whileMoving(name: "incoming" | "outgoing" | "regaining", other: string): Condition {
  return { if: "#move = :other", names: { "#move": name }, values: { ":other": other } };
}

function removalParts(postId: string, { voteId, userId, name, role }: VoteRecord): Record<string, Part> {
  return {
    // A rename or an erasure may have changed what the vote shows.
    [`vote ${voteId} on ${postId}`]: remove(key.vote(postId, voteId), stillHas({ userId, name, role })),
    [`vote of ${userId} on ${postId}`]: remove(key.userVote(userId, postId), {
      if: "voteId = :vote",
      values: { ":vote": voteId },
    }),
  };
}

/** The votes of these users on a post, by the user. */
async function votesOf(userIds: string[], postId: string): Promise<Map<string, string>> {
  const userVotes = await getMany(
    userIds.map((userId) => key.userVote(userId, postId)),
    z.object({ pk: z.string(), voteId: z.string() }),
  );
  return new Map(userVotes.map(({ pk, voteId }) => [pk.slice(pk.indexOf("#") + 1), voteId]));
}

/** Moves the next votes of a duplicate to the post that it was merged into. */
export async function moveVotes(from: string, into: string): Promise<Moved> {
  const { votes: next } = await readVotes(from, AT_ONCE);
  if (next.length === 0) return "none left";
  const ids = next.map(({ userId }) => userId);
  const [voters, there, holders] = await Promise.all([summary(into), votesOf(ids, into), holdersOf(ids)]);
  if (!voters) return "no such post";
  const votes = next.filter(({ userId }) => !holders.beingErased.has(userId));
  if (votes.length === 0) return "waits";
  const moving = votes.filter(({ userId }) => !there.has(userId)).map((vote) => shownNow(holders, vote));
  const incoming = whileMoving("incoming", from);
  const parts: Record<string, Part> = {
    ...(moving.length > 0
      ? moreVotesParts(into, moving, voters.first.length, incoming)
      : { voters: check(key.voters(into), incoming) }),
    ...unchangedParts(
      holders,
      moving.map(({ userId }) => userId),
    ),
  };
  for (const vote of votes) Object.assign(parts, removalParts(from, vote), leftParts(from, into, vote, there));
  return commitSlice(parts, next.length, AT_ONCE);
}

/** The parts that note where a vote is now, which is lost to a voter who has one on the other post. */
function leftParts(
  from: string,
  into: string,
  { voteId, userId, by }: VoteRecord,
  there: Map<string, string>,
): Record<string, Part> {
  const other = there.get(userId);
  if (other === undefined) return { [`moved ${voteId}`]: put(key.movedVote(from, voteId), {}) };
  return {
    [`moved ${voteId}`]: put(key.movedVote(from, other), { was: voteId, by }),
    [`other ${voteId}`]: check(key.userVote(userId, into), { if: "voteId = :vote", values: { ":vote": other } }),
  };
}

/**
 * A vote that returns: what stayed of it, the vote on the other post, the vote that the post gets, and the other
 * duplicate for which the vote on the other post stays.
 */
type Return = { moved: MovedVote; there: VoteRecord; here: VoteRecord; heir: Heir | undefined };

function leaves({ moved, heir }: Return): boolean {
  return hasCome(moved) && heir === undefined;
}

/** The vote with which a voter returns, as the vote on the other post shows the voter. */
function returned({ voteId, was, by }: MovedVote, vote: VoteRecord): VoteRecord {
  if (was === undefined) return vote;
  // A vote without a name has its own id in place of the voter's.
  const isNameless = vote.userId === voteId;
  return isNameless ? { ...NOBODY, voteId: was, userId: was, by } : { ...vote, voteId: was, by };
}

/**
 * Moves the next votes back to the duplicate that they came `from`, which was taken out of its merge: of them, what is
 * still on the post that it was merged `into`.
 */
export async function moveVotesBack(from: string, into: string): Promise<Moved> {
  const { items: next } = await getFirst(range.movedVotes(from), MovedVoteItem, AT_ONCE);
  if (next.length === 0) return "none left";
  const keys = next.map(({ voteId }) => key.vote(into, voteId));
  const came = next.filter(hasCome).map(({ voteId }) => voteId);
  const [votersHere, votersThere, stored, heirs] = await Promise.all([
    summary(from),
    summary(into),
    getMany(keys, VoteItem),
    heirsOf(into, came),
  ]);
  const holders = await holdersOf(stored.map(({ userId }) => userId));
  // If the other post is gone, its votes go with it.
  const voteBy = new Map(votersThere ? stored.map((vote) => [vote.voteId, vote] as const) : []);
  const waits = ({ voteId }: MovedVote): boolean => holders.beingErased.has(voteBy.get(voteId)?.userId ?? "");
  const moved = next.filter((each) => !waits(each));
  if (moved.length === 0) return "waits";
  const returns = moved.flatMap((each): Return[] => {
    const there = voteBy.get(each.voteId);
    const heir = heirs.get(each.voteId);
    return there ? [{ moved: each, there, here: shownNow(holders, returned(each, there)), heir }] : [];
  });
  const back = returns.map(({ here }) => here);
  const anew = await votesOf(votersHere ? back.map(({ userId }) => userId) : [], from);
  // These do not come back: their voters voted there anew.
  const replaced = back.flatMap(({ userId, voteId }) => (anew.has(userId) ? [voteId] : []));
  const kept = await keptBy(from, replaced);
  const alone = returns.find(({ here }) => here.voteId === kept[0]?.voteId);
  const way: Way = { from, into, votersHere, votersThere, holders, anew };
  const parts = alone ? await replacedParts(way, alone, kept) : await returnParts(way, moved, returns);
  if (parts === "no successor") return "changed meanwhile";
  return commitSlice(parts, alone ? AT_ONCE : next.length, AT_ONCE);
}

/**
 * A merge of a post (`from`, "here") into another (`into`, "there") that is taken back. `anew`: the votes that were
 * cast here meanwhile, by the voter; these stay.
 */
type Way = {
  from: string;
  into: string;
  votersHere: Voters | undefined;
  votersThere: Voters | undefined;
  holders: Holders;
  anew: ReadonlyMap<string, string>;
};

type Parts = Record<string, Part> | "no successor";

/** The parts that give a post these votes back. */
async function returnParts(
  { from, into, votersHere, votersThere, holders, anew }: Way,
  moved: MovedVote[],
  returns: Return[],
): Promise<Parts> {
  const departing = votersThere && (await departures(from, votersThere, returns));
  if (departing === "no successor") return departing;
  const gone = moved.map(({ voteId }): [string, Part] => [
    `moved ${voteId}`,
    remove(key.movedVote(from, voteId), { if: "attribute_exists(pk)" }),
  ]);
  const back = returns.map(({ here }) => here);
  const coming = back.filter(({ userId }) => !anew.has(userId));
  const arriving = votersHere && arrivals(votersHere, into, coming);
  const named = unchangedParts(
    holders,
    back.map(({ userId }) => userId),
  );
  return { ...Object.fromEntries(gone), ...departing, ...arriving, ...named };
}

/** The parts for a vote in place of which a new one stays, of which duplicates of the post keep something. */
async function replacedParts(way: Way, replaced: Return, kept: readonly Kept[]): Promise<Parts> {
  const { here } = replaced;
  const ofIt = kept.filter(({ voteId }) => voteId === here.voteId);
  const newId = way.anew.get(here.userId) as string;
  const keptAnew = keptAnewParts(way.from, here, { newId, kept: ofIt.slice(0, MOST_KEPT) });
  // The vote itself goes with the last of them.
  if (ofIt.length > MOST_KEPT) return keptAnew;
  const parts = await returnParts(way, [replaced.moved], [replaced]);
  return parts === "no successor" ? parts : { ...parts, ...keptAnew };
}

/** The parts that take what had moved from the other post, and need its own votes of who had voted on both. */
async function departures(from: string, votersThere: Voters, returns: Return[]): Promise<Parts> {
  const leaving = returns.filter(leaves).map(({ there }) => there);
  const staying = returns.filter((each) => !leaves(each));
  const left = leaving.length > 0 ? await departureParts(votersThere, leaving, whileMoving("outgoing", from)) : {};
  if (left === "no successor") return left;
  const kept = staying.map(({ there: { voteId, userId } }): [string, Part] => [
    `staying ${voteId}`,
    check(key.vote(votersThere.postId, voteId), stillHas({ userId })),
  ]);
  const inherited = staying.flatMap(({ heir, there: { voteId } }): [string, Part][] =>
    heir ? [[`heir ${voteId}`, inheritancePart(heir, voteId)]] : [],
  );
  // One that gets a seat is checked for more: `left` has that part under the same name.
  return { ...Object.fromEntries([...kept, ...inherited]), ...left };
}

/** The parts that give a post its votes back. */
function arrivals({ postId, first }: Voters, into: string, coming: VoteRecord[]): Record<string, Part> {
  if (coming.length === 0) return {};
  const { voters, ...created } = moreVotesParts(postId, coming, first.length, whileMoving("regaining", into));
  return { ...created, here: voters as Part };
}

/** The parts that take votes from a post, of which those with a seat hand it over; "no successor" as in voting.ts. */
async function departureParts(
  { postId, count, first }: Voters,
  leaving: VoteRecord[],
  further: Condition,
): Promise<Record<string, Part> | "no successor"> {
  const leavers = new Set(leaving.map(({ userId }) => userId));
  const leftSeats = first.filter(({ userId }) => leavers.has(userId));
  const seated = first.filter(({ userId }) => !leavers.has(userId));
  const missing = Math.min(SEATS, count - leaving.length) - seated.length;
  const successors = missing > 0 ? await successorsOf(postId, first, leavers, missing) : [];
  if (successors.length < missing) return "no successor";
  const unseated = leaving.filter(({ userId }) => !leftSeats.some((each) => each.userId === userId));
  const names = {
    "#first": "first",
    ...Object.fromEntries(leaving.map(({ userId }, n) => [`#u${n}`, userId])),
    ...Object.fromEntries(successors.map(({ userId }, n) => [`#s${n}`, userId])),
  };
  const nameOf = ({ userId }: { userId: string }) => `#u${leaving.findIndex((each) => each.userId === userId)}`;
  const sums: [name: string, sum: number | bigint][] = [
    ["count", -leaving.length],
    ...weightsOf(leaving.map(({ voteId }) => voteId)).map(([name, weight]): [string, bigint] => [name, -weight]),
  ];
  const clauses = [
    ...(leftSeats.length > 0 ? [`REMOVE ${leftSeats.map((each) => `#first.${nameOf(each)}`).join(", ")}`] : []),
    ...(successors.length > 0 ? [`SET ${successors.map((_, n) => `#first.#s${n} = :s${n}`).join(", ")}`] : []),
    `ADD ${sums.map((_, n) => `#n${n} :n${n}`).join(", ")}`,
  ];
  const conditions = [
    "attribute_exists(pk)",
    // Otherwise a vote that was cast meanwhile could have a seat, or need one.
    count - leaving.length < SEATS ? "#n0 = :count" : "#n0 >= :least",
    ...leftSeats.map((each) => `attribute_exists(#first.${nameOf(each)})`),
    ...unseated.map((each) => `attribute_not_exists(#first.${nameOf(each)})`),
    ...successors.map((_, n) => `attribute_not_exists(#first.#s${n})`),
    further.if,
  ];
  return {
    there: update(key.voters(postId), clauses.join(" "), {
      if: conditions.join(" AND "),
      names: { ...names, ...further.names, ...Object.fromEntries(sums.map(([name], n) => [`#n${n}`, name])) },
      values: {
        ...further.values,
        ...(count - leaving.length < SEATS ? { ":count": count } : { ":least": SEATS + leaving.length }),
        ...Object.fromEntries(successors.map((vote, n) => [`:s${n}`, seat(vote)])),
        ...Object.fromEntries(sums.map(([, sum], n) => [`:n${n}`, sum])),
      },
    }),
    ...Object.assign({}, ...leaving.map((vote) => removalParts(postId, vote))),
    ...Object.fromEntries(
      successors.map(({ voteId, userId, name, role }) => [
        `staying ${voteId}`,
        check(key.vote(postId, voteId), stillHas({ userId, name, role })),
      ]),
    ),
  };
}

/** The earliest votes without a seat that do not leave. */
async function successorsOf(
  postId: string,
  first: Voters["first"],
  leavers: Set<string>,
  count: number,
): Promise<VoteRecord[]> {
  const seated = new Set(first.map(({ userId }) => userId));
  // Two more, because some may just have left.
  const { votes } = await readVotes(postId, SEATS + leavers.size + 2);
  return votes.filter(({ userId }) => !seated.has(userId) && !leavers.has(userId)).slice(0, count);
}
