import * as z from "zod/mini";
import { isSameShown, type Shown, ShownItem, ShownRole } from "../accounts/users.ts";
import { setFields } from "../table/changes.ts";
import { idIn, key, range, shardIn, VOTERS_SUFFIX } from "../table/keys.ts";
import { check, type Part, update } from "../table/parts.ts";
import { get, getFirst, getMany, getRange } from "../table/reads.ts";
import type { Heat } from "../values/heat.ts";
import { COUNTERS, CounterItem, countOf, SHARDS, shardNumbers, sumOf } from "./shards.ts";
import { hasWeights, heatIn, heatSum } from "./weights.ts";

/** The most votes that the voters item itself names: what a list shows. */
export const SEATS = 6;

/** The most votes in the answer of a single post. */
const SHOWN_VOTES = 100;

/** A vote with the name of its voter; `by` is who cast it on the voter's behalf, `shard` where it is if it was cast on a hot post. */
export type VoteRecord = Shown & { voteId: string; by?: string | undefined; shard?: number | undefined };

/** The voters item of a post: the exact count, min(6, count) of the votes in the order they were cast, and the numbers of comments. */
export type Voters = {
  postId: string;
  /** While the post is hot, the part of its votes that the counters of its shards do not count. */
  count: number;
  /** Whether the post is hot: votes are counted in shards (docs/data-model.md#hot-posts). */
  hot?: true | undefined;
  /** How often the post has been hot; some of its votes may be in shards then. */
  epoch?: number | undefined;
  /** While the post is hot, the number of its votes about a minute ago. */
  seen?: number | undefined;
  first: VoteRecord[];
  /** How many comments and how many notes the post has. */
  comments: number;
  notes: number;
  /** The weights of the post and its votes: what makes it trend. */
  heat: Heat;
};

// Seat attributes are single letters, so that the item stays below 1 KB with six ordinary names.
const Seat = z.object({ v: z.string(), n: z.string(), u: z.string(), r: z.optional(ShownRole) });
/** A seat of `first` as stored. */
export function seat({ voteId, name, username, role }: VoteRecord): z.infer<typeof Seat> {
  return {
    v: voteId,
    n: name,
    u: username,
    ...(role && { r: role }),
  };
}

function byVoteId(a: VoteRecord, b: VoteRecord): number {
  return a.voteId < b.voteId ? -1 : 1;
}

/** Parses a stored voters item. */
export const VotersItem = z.pipe(
  z
    .looseObject({
      sk: z.string().check(z.endsWith(VOTERS_SUFFIX)),
      count: z.number(),
      hot: z.optional(z.literal(true)),
      epoch: z.optional(z.number()),
      seen: z.optional(z.number()),
      first: z.record(z.string(), Seat),
      comments: z._default(z.number(), 0),
      notes: z._default(z.number(), 0),
    })
    .check(z.refine(hasWeights)),
  z.transform(
    ({ sk, count, first, comments, notes, hot, epoch, seen, ...others }): Voters => ({
      comments,
      notes,
      hot,
      epoch,
      seen,
      heat: heatIn(others),
      postId: sk.slice(0, -VOTERS_SUFFIX.length),
      count,
      first: Object.entries(first)
        .map(([userId, { v, n, u, r }]) => ({ voteId: v, userId, name: n, username: u, ...(r && { role: r }) }))
        .sort(byVoteId),
    }),
  ),
);

/** Parses a stored vote. */
export const VoteItem = z.pipe(
  z.extend(ShownItem, { pk: z.string(), sk: z.string(), by: z.optional(z.string()) }),
  z.transform(({ pk, sk, ...voter }): VoteRecord => ({ voteId: sk, shard: shardIn(pk), ...voter })),
);

/** Parses a stored user's vote: its existence is "has voted". */
export const UserVoteItem = z.pipe(
  z.object({ sk: z.string(), voteId: z.string(), shard: z.optional(z.number()) }),
  z.transform(({ sk, ...vote }) => ({ postId: idIn(sk), ...vote })),
);

/** The voters of a post without votes. */
export function noVoters(postId: string): Voters {
  return {
    postId,
    count: 0,
    first: [],
    comments: 0,
    notes: 0,
    heat: new Map(),
  };
}

/** Reads the voters item of a post; undefined if the post does not exist. */
export function summary(postId: string): Promise<Voters | undefined> {
  return get(key.voters(postId), VotersItem);
}

/** A user's own vote on a post: its id, and its shard if it is in one; undefined if there is none. */
export function ownVoteOf(userId: string, postId: string): Promise<z.output<typeof UserVoteItem> | undefined> {
  return get(key.userVote(userId, postId), UserVoteItem);
}

/** The id of a user's own vote on a post; undefined if there is none. */
export async function voteOf(userId: string, postId: string): Promise<string | undefined> {
  return (await ownVoteOf(userId, postId))?.voteId;
}

/** The exact number of votes on a post with their weights: while it is hot, with those that its shards count. */
async function totalsOf({ postId, count, heat, hot, epoch }: Voters): Promise<Pick<Voters, "count" | "heat">> {
  if (!hot || epoch === undefined) return { count, heat };
  const counted = await countOf(postId, epoch);
  return { count: count + counted.count, heat: heatSum([heat, counted.heat]) };
}

/** Voters items with the exact numbers of votes. Reads nothing, unless some of the posts are hot: then their counters, in one step. */
export function withTotals(page: Voters[]): Promise<Voters[]> {
  return Promise.all(page.map(async (voters) => (voters.hot ? { ...voters, ...(await totalsOf(voters)) } : voters)));
}

/** What was read of the votes of one partition, from its start or from behind a vote; `more` if there may be further ones. */
type Reading = { shard?: number | undefined; votes: VoteRecord[]; more: boolean };

async function readVotes(
  postId: string,
  shard: number | undefined,
  after: string | undefined,
  count: number,
): Promise<Reading> {
  const { items, more } = await getFirst(range.votes(postId, shard, after), VoteItem, count);
  return { shard, votes: latestOfEach(items), more };
}

const CounterOrVoteItem = z.union([CounterItem, VoteItem]);

async function readCountersAndVotes(postId: string, epoch: number, shard: number, count: number) {
  const all = range.countersAndVotes(postId, epoch, shard);
  const { items, more } = await getFirst(all, CounterOrVoteItem, COUNTERS + count);
  return {
    shard,
    sum: sumOf(items.filter((item) => "sk" in item)),
    votes: items.filter((item) => "voteId" in item),
    more,
  };
}

// A shard's even share of so many votes, and some more: it is seldom too little.
function shareOf(count: number): number {
  return Math.ceil(count / SHARDS) + 7;
}

/** What the shards of a post hold: the number of votes that they count, and the first votes of each. */
type ShardsRead = { epoch: number; sum: number; readings: Reading[] };

async function readShards(postId: string, epoch: number): Promise<ShardsRead> {
  const readings = await Promise.all(
    shardNumbers.map((shard) => readCountersAndVotes(postId, epoch, shard, shareOf(SHOWN_VOTES))),
  );
  return { epoch, sum: readings.reduce((total, { sum }) => total + sum, 0), readings };
}

/** The latest vote of each user, in order: who takes a vote back and votes again while votes are read can be seen twice. */
function latestOfEach(votes: VoteRecord[]): VoteRecord[] {
  const sorted = votes.toSorted(byVoteId);
  const latest = new Map(sorted.map((vote) => [vote.userId, vote]));
  return sorted.filter((vote) => latest.get(vote.userId) === vote);
}

/** The first votes of several partitions together; reads on where too little was read. */
async function merged(
  postId: string,
  readings: Reading[],
  count: number,
): Promise<{ votes: VoteRecord[]; more: boolean }> {
  for (;;) {
    const votes = latestOfEach(readings.flatMap((reading) => reading.votes));
    const last = votes[count - 1]?.voteId;
    const short = readings.filter((each) => each.more && (!last || (each.votes.at(-1)?.voteId ?? "") < last));
    if (short.length === 0) {
      return { votes: votes.slice(0, count), more: votes.length > count || readings.some(({ more }) => more) };
    }
    const further = short.map(async (reading) => {
      const { votes, more } = await readVotes(postId, reading.shard, reading.votes.at(-1)?.voteId, shareOf(count));
      reading.votes.push(...votes);
      reading.more = more;
    });
    await Promise.all(further);
  }
}

/** The votes of a post as an answer shows them, and their exact number. */
export type ShownVotes = { votes: VoteRecord[]; total: number };

/** Reads the first votes on a post, up to 100 of them; of a post that has been hot, those of its first partition. */
export function firstVotes(postId: string): Promise<Reading> {
  return readVotes(postId, undefined, undefined, SHOWN_VOTES);
}

/** Up to 100 votes on a post, of which the voters item and the first votes were read. One step more if the post is, or was, hot. */
export async function shownVotes(voters: Voters, first: Reading, beside?: ShardsRead): Promise<ShownVotes> {
  const { postId, count, hot, epoch } = voters;
  // If these are all votes, their number is the total: a vote can come between the reads.
  if (epoch === undefined) return { votes: first.votes, total: first.more ? count : first.votes.length };
  const { sum, readings } = beside?.epoch === epoch ? beside : await readShards(postId, epoch);
  const { votes, more } = await merged(postId, [first, ...readings], SHOWN_VOTES);
  return { votes, total: more ? count + (hot ? sum : 0) : votes.length };
}

/**
 * Reads the exact number of votes on a post with up to 100 of them; undefined if the post does not exist. If the voters item was
 * read before, what it says of shards saves a step.
 */
export async function votersOf(postId: string, before?: Voters): Promise<ShownVotes | undefined> {
  const [voters, first, shards] = await Promise.all([
    summary(postId),
    firstVotes(postId),
    before?.epoch === undefined ? undefined : readShards(postId, before.epoch),
  ]);
  return voters && shownVotes(voters, first, shards);
}

/**
 * The votes of a user (postId -> voteId) on those posts of a page that have more votes than seats, unless the user has a seat
 * there. One Query if the page is contiguous, otherwise one BatchGet; no call if there is no such post.
 */
export async function ownVotesOn(
  page: Voters[],
  userId: string,
  { contiguous }: { contiguous: boolean },
): Promise<Map<string, string>> {
  const unknown = page.filter(
    ({ count, hot, first }) => (hot || count > SEATS) && !first.some((vote) => vote.userId === userId),
  );
  const postIds = unknown.map(({ postId }) => postId).sort();
  const [earliest, latest] = [postIds[0], postIds.at(-1)];
  if (!earliest || !latest) return new Map();
  const keys = postIds.map((postId) => key.userVote(userId, postId));
  const votes = contiguous
    ? await getRange(range.userVotes(userId, earliest, latest), UserVoteItem)
    : await getMany(keys, UserVoteItem);
  return new Map(votes.map(({ postId, voteId }) => [postId, voteId]));
}

/** Reads a page of votes after one of them, in the order they were cast; of a post that has been hot, those of its first partition. */
export function votesAfter(postId: string, voteId: string | undefined, count: number): Promise<Reading> {
  return readVotes(postId, undefined, voteId, count);
}

/** That page with the votes in shards, and the number of all votes. */
export async function pageOf(
  voters: Voters,
  first: Reading,
  voteId: string | undefined,
  count: number,
): Promise<ShownVotes & { more: boolean }> {
  const { postId, epoch } = voters;
  if (epoch === undefined) return { ...first, total: voters.count };
  const [{ count: total }, ...readings] = await Promise.all([
    totalsOf(voters),
    ...shardNumbers.map((shard) => readVotes(postId, shard, voteId, shareOf(count))),
  ]);
  return { ...(await merged(postId, [first, ...readings], count)), total };
}

/** The first votes on a post, so many of them, wherever they are. */
export async function earliestVotes({ postId, epoch }: Voters, count: number): Promise<VoteRecord[]> {
  const shards = epoch === undefined ? [] : shardNumbers;
  const readings = await Promise.all([undefined, ...shards].map((shard) => readVotes(postId, shard, undefined, count)));
  return (await merged(postId, readings, count)).votes;
}

/**
 * The parts that write what is shown of the voter into a vote and into its seat, if it has one: always both, so that the two never
 * differ. None if both are already right.
 */
export function voterParts(vote: VoteRecord, { postId, first }: Voters, shown: Shown): Record<string, Part> {
  const { voteId, userId, shard } = vote;
  const seated = first.find((each) => each.userId === userId);
  if (isSameShown(vote, shown) && (!seated || isSameShown(seated, shown))) return {};
  const names = { "#first": "first", "#user": userId };
  return {
    [`vote on ${postId}`]: setFields(key.vote(postId, voteId, shard), { name: shown.name, role: shown.role }),
    [`voters of ${postId}`]: seated
      ? update(key.voters(postId), "SET #first.#user = :seat", {
          if: "#first.#user.#seatVote = :vote",
          names: { ...names, "#seatVote": "v" },
          values: { ":seat": seat({ ...shown, voteId }), ":vote": voteId },
        })
      : check(key.voters(postId), { if: "attribute_exists(pk) AND attribute_not_exists(#first.#user)", names }),
  };
}
