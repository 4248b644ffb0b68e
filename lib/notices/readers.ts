import type { UserRecord } from "../accounts/users.ts";
import * as users from "../accounts/users.ts";
import { choiceOf, SubscriptionItem } from "../posts/subscriptions.ts";
import { key } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { get, getMany, pagesOf } from "../table/reads.ts";
import { MovedVoteItem } from "../votes/moved-votes.ts";
import { VoteItem, voteOf } from "../votes/votes.ts";
import { isFor, type News, type NewsOfMerge } from "./news.ts";

// The readers of news come in three groups, one after the other: those whom the news concern in person, those who chose
// to follow the post or to leave it, those who voted for it before the event (of a merge: those whose votes came with
// it). In a group they always come in the same order. So each has a place: the letter of the group, then the id by
// which the group is sorted. A job keeps the place of the last reader who got a mail, and continues after it. News of a
// merge are for the readers of the duplicate.
//
// An account can be in several groups. It is a reader in the first of them.

// The letters sort as the groups come.
const letter = { inPerson: "a", byChoice: "f", voters: "v" } as const;
type Group = keyof typeof letter;

type Candidate = { userId: string; group: Group; place: string };

/** An account at its place in the order of readers; `reader` is missing if it gets no mail there. */
export type Place = { place: string; reader?: UserRecord | undefined };

/** The most places of a page. */
export const PAGE = 25;
const PAGES = { pageSize: PAGE };

function candidate(group: Group, userId: string, sortedBy: string): Candidate {
  return { userId, group, place: `${letter[group]}${sortedBy}` };
}

/** Whether a place is in a later group. */
function isPast(group: Group, place: string): boolean {
  return place.slice(0, 1) > letter[group];
}

/** The id after which a group continues; undefined from its beginning. */
function lastIn(group: Group, place: string): string | undefined {
  return place.startsWith(letter[group]) ? place.slice(1) : undefined;
}

/**
 * Those whom news concern in person: the author of the post, the author of the comment that was answered; of a job for
 * one reader that reader alone.
 */
function concernedBy(news: News): string[] {
  if (news.only) return [news.only];
  const concerned = new Set([followed(news).author.userId]);
  if (news.kind === "comment" && news.parentAuthor) concerned.add(news.parentAuthor);
  return [...concerned].sort();
}

/** The post whose readers the news are for. */
function followed(news: News): News["post"] {
  return news.kind === "merge" ? news.duplicate : news.post;
}

async function* candidatesAfter(place: string, news: News, inPerson: string[]) {
  const { postId } = followed(news);
  yield inPerson.map((userId) => candidate("inPerson", userId, userId)).filter((each) => each.place > place);
  if (news.only) return;
  if (!isPast("byChoice", place)) {
    for await (const page of pagesOf(range.subscriptions(postId, lastIn("byChoice", place)), SubscriptionItem, PAGES)) {
      yield page.map(({ sk: userId }) => candidate("byChoice", userId, userId));
    }
  }
  const after = lastIn("voters", place);
  const votes = news.kind === "merge" ? votesThatCame(news, after) : votesBefore(news, after);
  for await (const page of votes) yield page.map(({ userId, voteId }) => candidate("voters", userId, voteId));
}

function votesBefore({ eventId, post: { postId } }: News, after: string | undefined) {
  return pagesOf(range.votes(postId, after, eventId), VoteItem, PAGES);
}

/** The votes that came with a merge and are still there, without votes of people who had voted on both posts. */
async function* votesThatCame({ duplicate, post }: NewsOfMerge, after: string | undefined) {
  for await (const moved of pagesOf(range.movedVotes(duplicate.postId, after), MovedVoteItem, PAGES)) {
    const came = moved.filter(({ was }) => was === undefined);
    const votes = await getMany(
      came.map(({ voteId }) => key.vote(post.postId, voteId)),
      VoteItem,
    );
    yield votes.sort((a, b) => (a.voteId < b.voteId ? -1 : 1));
  }
}

/** Whether a follower of a duplicate has voted for the other post too, and so knows it. */
async function knowsBoth(userId: string, { duplicate, post }: NewsOfMerge): Promise<boolean> {
  const voteId = await voteOf(userId, post.postId);
  if (voteId === undefined) return false;
  const moved = await get(key.movedVote(duplicate.postId, voteId), MovedVoteItem);
  return moved === undefined || moved.was !== undefined;
}

/** Reads what decides whether a candidate gets a mail at this place. */
async function placeOf({ userId, group, place }: Candidate, news: News, inPerson: string[]): Promise<Place> {
  const user = await users.find(userId);
  if (!user || !isFor(user, news)) return { place };
  const choice = await choiceOf(userId, followed(news).postId);
  const hasLeft = choice === false;
  if (hasLeft) return { place };
  const cameInPerson = group !== "inPerson" && inPerson.includes(userId);
  const cameByChoice = group === "voters" && choice !== undefined;
  // It had its mail at the place in that group, which comes earlier.
  if (cameInPerson || cameByChoice) return { place };
  if (news.kind === "merge" && (await knowsBoth(userId, news))) return { place };
  return { place, reader: user };
}

/** The places after one of them, page by page. */
export async function* readAfter(place: string, news: News): AsyncGenerator<Place[]> {
  const inPerson = concernedBy(news);
  for await (const page of candidatesAfter(place, news, inPerson)) {
    yield Promise.all(page.map((each) => placeOf(each, news, inPerson)));
  }
}
