import type { UserRecord } from "../accounts/users.ts";
import * as users from "../accounts/users.ts";
import { choiceOf, SubscriptionItem } from "../posts/subscriptions.ts";
import { range } from "../table/ranges.ts";
import { pagesOf } from "../table/reads.ts";
import { VoteItem } from "../votes/votes.ts";
import { isFor, type News } from "./news.ts";

// The readers of news come in three groups, one after the other: those whom the news concern in person, those who chose
// to follow the post or to leave it, those who voted for it before the event. In a group they always come in the same
// order. So each has a place: the mark of the group, then the id by which the group is sorted. A job keeps the place of
// the last reader who got a mail, and continues after it.
//
// An account can be in several groups. It is a reader in the first of them.

// The letters sort as the groups come.
const mark = { inPerson: "a", byChoice: "f", voters: "v" } as const;
type Group = keyof typeof mark;

type Candidate = { userId: string; group: Group; place: string };

/** An account at its place in the order of readers; `reader` is missing if it gets no mail there. */
export type Place = { place: string; reader?: UserRecord | undefined };

/** The most places of a page. */
export const PAGE = 25;
const PAGES = { pageSize: PAGE };

function candidate(group: Group, userId: string, sortedBy: string): Candidate {
  return { userId, group, place: `${mark[group]}${sortedBy}` };
}

/** Whether a place is in a later group. */
function isPast(group: Group, place: string): boolean {
  return place.slice(0, 1) > mark[group];
}

/** The id after which a group continues; undefined from its beginning. */
function lastIn(group: Group, place: string): string | undefined {
  return place.startsWith(mark[group]) ? place.slice(1) : undefined;
}

/** Those whom news concern in person: the author of the post, the author of the comment that was answered. */
function concernedBy(news: News): string[] {
  if (news.only) return [news.only];
  const concerned = new Set([news.post.author.userId]);
  if (news.kind === "comment" && news.parentAuthor) concerned.add(news.parentAuthor);
  return [...concerned].sort();
}

async function* candidatesAfter(place: string, { eventId, post: { postId }, only }: News, inPerson: string[]) {
  yield inPerson.map((userId) => candidate("inPerson", userId, userId)).filter((each) => each.place > place);
  if (only) return;
  if (!isPast("byChoice", place)) {
    for await (const page of pagesOf(range.subscriptions(postId, lastIn("byChoice", place)), SubscriptionItem, PAGES)) {
      yield page.map(({ sk: userId }) => candidate("byChoice", userId, userId));
    }
  }
  for await (const page of pagesOf(range.votes(postId, lastIn("voters", place), eventId), VoteItem, PAGES)) {
    yield page.map(({ userId, voteId }) => candidate("voters", userId, voteId));
  }
}

/** Reads what decides whether a candidate gets a mail at this place. */
async function placeOf({ userId, group, place }: Candidate, news: News, inPerson: string[]): Promise<Place> {
  const user = await users.find(userId);
  if (!user || !isFor(user, news)) return { place };
  const choice = await choiceOf(userId, news.post.postId);
  const hasLeft = choice === false;
  if (hasLeft) return { place };
  const isConcerned = group !== "inPerson" && inPerson.includes(userId);
  if (isConcerned) return { place };
  const hasChosen = group === "voters" && choice !== undefined;
  if (hasChosen) return { place };
  return { place, reader: user };
}

/** The places after one of them, page by page. */
export async function* readAfter(place: string, news: News): AsyncGenerator<Place[]> {
  const inPerson = concernedBy(news);
  for await (const page of candidatesAfter(place, news, inPerson)) {
    yield Promise.all(page.map((each) => placeOf(each, news, inPerson)));
  }
}
