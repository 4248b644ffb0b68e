import * as users from "../accounts/users.ts";
import { choiceOf, SubscriptionItem } from "../posts/subscriptions.ts";
import { range } from "../table/ranges.ts";
import { pagesOf } from "../table/reads.ts";
import { VoteItem } from "../votes/votes.ts";
import { isFor, type News } from "./news.ts";

/** The most candidates of a page. */
export const PAGE = 25;
const WALK = { pageSize: PAGE };

/**
 * Accounts that may get a letter, each with its place in the order of all; one may come several times. Those after a
 * place, page by page and always in the same order: who is concerned in person, who chose to follow or to leave, who
 * voted before the event.
 */
async function* candidatesAfter(place: string, { eventId, post: { postId }, only }: News, inPerson: string[]) {
  const within = (kind: string) => (place.startsWith(kind) ? place.slice(1) : undefined);
  yield inPerson.map((userId) => ({ userId, place: `a${userId}` })).filter((each) => each.place > place);
  if (only) return;
  if (place < "v") {
    for await (const page of pagesOf(range.subscriptions(postId, within("f")), SubscriptionItem, WALK))
      yield page.map(({ sk }) => ({ userId: sk, place: `f${sk}` }));
  }
  for await (const page of pagesOf(range.votes(postId, within("v"), eventId), VoteItem, WALK))
    yield page.map(({ userId, voteId }) => ({ userId, place: `v${voteId}` }));
}

/**
 * The candidates after a place, in pages, each with its account if that gets the news: once, and not if it left the
 * post.
 */
export async function* readAfter(place: string, news: News) {
  const { post, only } = news;
  const parentAuthor = news.kind === "comment" ? news.parentAuthor : undefined;
  const concerned = only ? [only] : [post.author.userId, parentAuthor ?? post.author.userId];
  const inPerson = [...new Set(concerned)].sort();
  for await (const page of candidatesAfter(place, news, inPerson)) {
    const readers = page.map(async ({ userId, place }) => {
      const user = await users.find(userId);
      if (!user || !isFor(user, news)) return { place };
      const choice = await choiceOf(userId, post.postId);
      const came = !place.startsWith("a") && (inPerson.includes(userId) || (place.startsWith("v") && choice));
      return { place, reader: choice !== false && !came ? user : undefined };
    });
    yield Promise.all(readers);
  }
}
