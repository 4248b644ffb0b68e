import * as z from "zod/mini";
import { isSameShown, NOBODY, type Shown, ShownItem } from "../accounts/users.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { idIn, key, VOTERS_SUFFIX } from "../table/keys.ts";
import { type Condition, check, type Part, put, remove, update } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getFirst, getMany, getRange } from "../table/reads.ts";
import { SEATS, Seats, seat } from "./seats.ts";
import { hasWeights, trendIn } from "./weights.ts";

const SHOWN_VOTES = 100;

export const VoteItem = z.pipe(
  z.extend(ShownItem, { sk: z.string(), by: z.optional(z.string()) }),
  z.transform(({ sk, ...voter }) => ({ voteId: sk, ...voter })),
);

/** A vote with the name of its voter; `by` is who cast it on the voter's behalf. */
export type VoteRecord = z.output<typeof VoteItem>;

/** What merges leave on the posts that take part (docs/data-model.md#merged-posts). */
const moveFields = {
  // The post whose votes are moved to this one.
  incoming: z.optional(z.string()),
  // The post to which votes of this one are moved back.
  outgoing: z.optional(z.string()),
  // The post from which this one gets its votes back.
  regaining: z.optional(z.string()),
  // How often such a move has begun or ended here.
  moves: z.optional(z.number()),
};
type Move = z.output<z.ZodMiniObject<typeof moveFields>>;

export const VotersItem = z.pipe(
  z
    .looseObject({
      sk: z.string().check(z.endsWith(VOTERS_SUFFIX)),
      count: z.number(),
      first: Seats,
      // How many comments, notes and changes of its status the post has.
      comments: z._default(z.number(), 0),
      notes: z._default(z.number(), 0),
      statuses: z._default(z.number(), 0),
      // Only the team comments on it.
      isLocked: z.optional(z.literal(true)),
      ...moveFields,
    })
    .check(z.refine(hasWeights)),
  z.transform(({ sk, incoming, outgoing, regaining, moves, ...others }) => {
    const { count, first, comments, notes, statuses, isLocked } = others;
    return {
      comments,
      notes,
      statuses,
      isLocked,
      move: { incoming, outgoing, regaining, moves } as Move,
      // The weights of the post and its votes: what makes it trend.
      trend: trendIn(others),
      postId: sk.slice(0, -VOTERS_SUFFIX.length),
      count,
      first,
    };
  }),
);

/** The voters item of a post: the exact count, and min(6, count) of the votes in the order they were cast. */
export type Voters = z.output<typeof VotersItem>;

/** Parses a stored user's vote: its existence is "has voted". */
export const UserVoteItem = z.pipe(
  z.object({ sk: z.string(), voteId: z.string() }),
  z.transform(({ sk, voteId }) => ({ postId: idIn(sk), voteId })),
);

/** The voters of a post that nobody has voted for. */
export function noVoters(postId: string): Voters {
  return {
    postId,
    count: 0,
    first: [],
    comments: 0,
    notes: 0,
    statuses: 0,
    isLocked: undefined,
    move: {},
    trend: new Map(),
  };
}

/** Whether votes are moved to a post or from it, for a merge. */
export function isMoving({ move: { incoming, outgoing, regaining } }: Voters): boolean {
  return (incoming ?? outgoing ?? regaining) !== undefined;
}

/** Whether nobody has voted for a post or written on it, and its status never changed. */
export function isBare({ count, comments, notes, statuses }: Voters): boolean {
  return count === 0 && comments === 0 && notes === 0 && statuses === 0;
}

/** Condition: the post of a voters item is still bare. */
export const STILL_BARE: Condition = {
  if: ["#count = :none", ...["#comments", "#notes", "#statuses"].map(zeroOrAbsent)].join(" AND "),
  names: { "#count": "count", "#comments": "comments", "#notes": "notes", "#statuses": "statuses" },
  values: { ":none": 0 },
};

function zeroOrAbsent(name: string): string {
  return `(attribute_not_exists(${name}) OR ${name} = :none)`;
}

/** Reads the voters item of a post; undefined if the post does not exist. */
export function summary(postId: string): Promise<Voters | undefined> {
  return get(key.voters(postId), VotersItem);
}

/** The id of the vote of a user on a post. */
export async function voteOf(userId: string, postId: string): Promise<string | undefined> {
  return (await get(key.userVote(userId, postId), UserVoteItem))?.voteId;
}

/** The latest vote of each user, in order: a vote that is removed and cast again during the read may come twice. */
function latestOfEach(votes: VoteRecord[]): VoteRecord[] {
  const latest = new Map(votes.map((vote) => [vote.userId, vote]));
  return votes.filter((vote) => latest.get(vote.userId) === vote);
}

/** A page of votes in the order they were cast; `more` if there may be further ones. */
type VotesPage = { votes: VoteRecord[]; more: boolean };

/** Reads `count` votes on a post: the first ones, or those that were cast after the vote `after`. */
export async function readVotes(postId: string, count: number, after?: string): Promise<VotesPage> {
  const { items, more } = await getFirst(range.votes(postId, after), VoteItem, count);
  return { votes: latestOfEach(items), more };
}

/** The first votes on a post: as many as an answer with one post shows. */
export function firstVotes(postId: string): Promise<VotesPage> {
  return readVotes(postId, SHOWN_VOTES);
}

/** The exact number of votes on a post whose first votes were read: a vote can come between the two reads. */
export function totalOf({ count }: Voters, { votes, more }: VotesPage): number {
  return more ? count : votes.length;
}

/**
 * Reads the exact number of votes on a post with up to 100 of them; undefined if the post does not exist. `before` is
 * what was read a moment ago: where it had few votes, the voters item probably names all.
 */
export async function votersOf(
  postId: string,
  before?: Voters,
): Promise<{ votes: VoteRecord[]; total: number } | undefined> {
  if (before && before.count < SEATS) {
    const voters = await summary(postId);
    if (!voters || voters.count <= SEATS) return voters && { votes: voters.first, total: voters.count };
  }
  const [voters, first] = await Promise.all([summary(postId), firstVotes(postId)]);
  return voters && { votes: first.votes, total: totalOf(voters, first) };
}

/**
 * The votes of a user (postId -> voteId) on those posts of a page that have more votes than seats, unless the user has
 * a seat there. One Query if the page is contiguous, otherwise one BatchGet; no call without one.
 */
export async function ownVotesOn(
  page: { voters: Voters }[],
  userId: string,
  { contiguous }: { contiguous: boolean },
): Promise<Map<string, string>> {
  const unknown = page
    .map(({ voters }) => voters)
    .filter(({ count, first }) => count > SEATS && !first.some((vote) => vote.userId === userId));
  const postIds = unknown.map(({ postId }) => postId).sort();
  const earliest = postIds[0];
  const latest = postIds.at(-1);
  if (!earliest || !latest) return new Map();
  const keys = postIds.map((postId) => key.userVote(userId, postId));
  const votes = contiguous
    ? await getRange(range.userVotes(userId, earliest, latest), UserVoteItem)
    : await getMany(keys, UserVoteItem);
  return new Map(votes.map(({ postId, voteId }) => [postId, voteId]));
}

/**
 * The parts that update the voter's name and role in a vote and in its seat, if it has one: always both, so that they
 * never differ. None if both are up to date.
 */
export function voterParts(vote: VoteRecord, { postId, first }: Voters, shown: Shown): Record<string, Part> {
  const { voteId, userId } = vote;
  const seated = first.find((each) => each.userId === userId);
  if (isSameShown(vote, shown) && (!seated || isSameShown(seated, shown))) return {};
  const names = { "#first": "first", "#user": userId };
  return {
    [`vote on ${postId}`]: setFields(key.vote(postId, voteId), { name: shown.name, role: shown.role }),
    [`voters of ${postId}`]: seated
      ? update(key.voters(postId), "SET #first.#user = :seat", {
          // It is the seat of this vote, because the vote exists and a user has one vote.
          if: "attribute_exists(#first.#user)",
          names,
          values: { ":seat": seat({ ...shown, voteId }) },
        })
      : check(key.voters(postId), { if: "attribute_exists(pk) AND attribute_not_exists(#first.#user)", names }),
  };
}

/**
 * The parts that take the voter from a vote, and from its seat if it has one. The vote stays counted. It gets its own
 * id in place of the voter's, so that nothing tells which votes were of one person.
 */
export function namelessParts(vote: VoteRecord, { postId, first }: Voters): Record<string, Part> {
  const { voteId, userId } = vote;
  const nobody = { ...NOBODY, userId: voteId };
  const isSeated = first.some((each) => each.userId === userId);
  const names = { "#first": "first", "#user": userId };
  return {
    ...namelessVoteParts(vote, postId),
    voters: isSeated
      ? update(key.voters(postId), "REMOVE #first.#user SET #first.#nobody = :seat", {
          if: "attribute_exists(#first.#user)",
          names: { ...names, "#nobody": voteId },
          values: { ":seat": seat({ ...nobody, voteId }) },
        })
      : check(key.voters(postId), { if: "attribute_exists(pk) AND attribute_not_exists(#first.#user)", names }),
  };
}

/** The same parts without the seat: of a post without voters item, because it was merged into another one. */
export function namelessVoteParts({ voteId, userId }: VoteRecord, postId: string): Record<string, Part> {
  const nobody = { ...NOBODY, userId: voteId };
  return {
    vote: setFields(key.vote(postId, voteId), { ...nobody, role: undefined }, stillHas({ userId })),
    userVote: remove(key.userVote(userId, postId), { if: "voteId = :vote", values: { ":vote": voteId } }),
    ownVote: put(key.userVote(voteId, postId), { voteId }),
  };
}
