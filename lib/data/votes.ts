import * as z from "zod/mini";
import { setFields } from "./changes.ts";
import { idIn, key, range, VOTERS_SUFFIX } from "./keys.ts";
import { check, type Part, update } from "./parts.ts";
import { get, getFirst, getMany, getRange } from "./reads.ts";
import { isSameShown, type Shown, ShownItem, ShownRole } from "./users.ts";

/** The most votes that the voters item itself names: what a list shows. */
export const SEATS = 6;

/** The most votes in the answer of a single post. */
const SHOWN_VOTES = 100;

/** A vote with the name of its voter; `by` is who cast it on the voter's behalf. */
export type VoteRecord = Shown & { voteId: string; by?: string | undefined };

/** The voters item of a post: the exact count, min(6, count) of the votes in the order they were cast, and the numbers of comments. */
export type Voters = {
  postId: string;
  count: number;
  first: VoteRecord[];
  /** How many comments and how many notes the post has. */
  comments: number;
  notes: number;
};

// Seat attributes are single letters, so that the item stays below 1 KB with six ordinary names.
const Seat = z.object({ v: z.string(), n: z.string(), u: z.string(), r: z.optional(ShownRole) });
/** A seat of `first` as stored. */
export const seat = ({ voteId, name, username, role }: VoteRecord): z.infer<typeof Seat> => ({
  v: voteId,
  n: name,
  u: username,
  ...(role && { r: role }),
});

const byVoteId = (a: VoteRecord, b: VoteRecord): number => (a.voteId < b.voteId ? -1 : 1);

/** Parses a stored voters item. */
export const VotersItem = z.pipe(
  z.object({
    sk: z.string().check(z.endsWith(VOTERS_SUFFIX)),
    count: z.number(),
    first: z.record(z.string(), Seat),
    comments: z._default(z.number(), 0),
    notes: z._default(z.number(), 0),
  }),
  z.transform(
    ({ sk, count, first, ...numbers }): Voters => ({
      ...numbers,
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
  z.extend(ShownItem, { sk: z.string(), by: z.optional(z.string()) }),
  z.transform(({ sk, ...voter }): VoteRecord => ({ voteId: sk, ...voter })),
);

/** Parses a stored user's vote: its existence is "has voted". */
export const UserVoteItem = z.pipe(
  z.object({ sk: z.string(), voteId: z.string() }),
  z.transform(({ sk, voteId }) => ({ postId: idIn(sk), voteId })),
);

/** The voters of a post without votes. */
export const noVoters = (postId: string): Voters => ({ postId, count: 0, first: [], comments: 0, notes: 0 });

/** Reads the voters item of a post; undefined if the post does not exist. */
export const summary = (postId: string): Promise<Voters | undefined> => get(key.voters(postId), VotersItem);

/** The id of a user's vote on a post; undefined if there is none. */
export const voteOf = async (userId: string, postId: string): Promise<string | undefined> =>
  (await get(key.userVote(userId, postId), UserVoteItem))?.voteId;

/** The first votes on a post in the order they were cast; `total` is undefined if there may be more. */
type FirstVotes = { votes: VoteRecord[]; total: number | undefined };

/** Reads up to 100 votes on a post. */
export const firstVotes = async (postId: string): Promise<FirstVotes> => {
  const { items, more } = await getFirst(range.votes(postId), VoteItem, SHOWN_VOTES);
  return { votes: items, total: more ? undefined : items.length };
};

/** Reads the exact number of votes on a post with up to 100 of them; undefined if the post does not exist. */
export const votersOf = async (postId: string): Promise<{ votes: VoteRecord[]; total: number } | undefined> => {
  const [voters, { votes, total }] = await Promise.all([summary(postId), firstVotes(postId)]);
  // If these are all votes, their number is the total: a vote can come between the two reads.
  return voters && { votes, total: total ?? voters.count };
};

/**
 * The votes of a user (postId -> voteId) on those posts of a page that have more votes than seats, unless the user has a seat
 * there. One Query if the page is contiguous, otherwise one BatchGet; no call if there is no such post.
 */
export const ownVotesOn = async (
  page: Voters[],
  userId: string,
  { contiguous }: { contiguous: boolean },
): Promise<Map<string, string>> => {
  const unknown = page.filter(({ count, first }) => count > SEATS && !first.some((vote) => vote.userId === userId));
  const postIds = unknown.map(({ postId }) => postId).sort();
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
 * The parts that write what is shown of the voter into a vote and into its seat, if it has one: always both, so that the two never
 * differ. None if both are already right.
 */
export const voterParts = (vote: VoteRecord, { postId, first }: Voters, shown: Shown): Record<string, Part> => {
  const { voteId, userId } = vote;
  const seated = first.find((each) => each.userId === userId);
  if (isSameShown(vote, shown) && (!seated || isSameShown(seated, shown))) return {};
  const names = { "#first": "first", "#user": userId };
  return {
    [`vote on ${postId}`]: setFields(key.vote(postId, voteId), { name: shown.name, role: shown.role }),
    [`voters of ${postId}`]: seated
      ? update(key.voters(postId), "SET #first.#user = :seat", {
          if: "#first.#user.#seatVote = :vote",
          names: { ...names, "#seatVote": "v" },
          values: { ":seat": seat({ ...shown, voteId }), ":vote": voteId },
        })
      : check(key.voters(postId), { if: "attribute_exists(pk) AND attribute_not_exists(#first.#user)", names }),
  };
};
