import * as z from "zod/mini";
import { UserItem, type UserRecord } from "../accounts/users.ts";
import { SubscriptionItem } from "../posts/subscriptions.ts";
import { key, range } from "../table/keys.ts";
import { getMany, pagesOf } from "../table/reads.ts";
import { VoteItem } from "../votes/votes.ts";
import { isFor, type News } from "./news.ts";

const WALK = { pageSize: 25 };

const Choice = z.extend(SubscriptionItem, { sk: z.string() });

/** An account that may get a letter, and its place in the order of all; it may come several times. */
type Candidate = { userId: string; place: string };

/**
 * The candidates after a place, page by page and always in the same order: who is concerned in person, who chose to
 * follow or to leave, who voted before the event.
 */
async function* candidatesAfter(
  place: string,
  { eventId, post: { postId }, only }: News,
  inPerson: string[],
): AsyncGenerator<Candidate[], void, undefined> {
  const within = (kind: string) => (place.startsWith(kind) ? place.slice(1) : undefined);
  yield inPerson.map((userId) => ({ userId, place: `a${userId}` })).filter((each) => each.place > place);
  if (only) return;
  if (place < "v") {
    for await (const page of pagesOf(range.subscriptions(postId, within("f")), Choice, WALK))
      yield page.map(({ sk }) => ({ userId: sk, place: `f${sk}` }));
  }
  for await (const page of pagesOf(range.votes(postId, within("v")), VoteItem, WALK)) {
    const voters = page.filter(({ voteId }) => voteId < eventId);
    yield voters.map(({ userId, voteId }) => ({ userId, place: `v${voteId}` }));
  }
}

/** The candidates after a place, each with its account if that gets the news: once, and not if it left the post. */
export async function* readAfter(
  place: string,
  news: News,
): AsyncGenerator<{ place: string; reader: UserRecord | undefined }, void, undefined> {
  const { post, parentAuthor, only } = news;
  const concerned = only ? [only] : [post.author.userId, parentAuthor ?? post.author.userId];
  const inPerson = [...new Set(concerned)].sort();
  for await (const page of candidatesAfter(place, news, inPerson)) {
    const ids = page.map(({ userId }) => userId);
    const [users, choices] = await Promise.all([
      getMany(ids.map(key.user), UserItem),
      getMany(
        ids.map((userId) => key.subscription(post.postId, userId)),
        Choice,
      ),
    ]);
    for (const { userId, place } of page) {
      const choice = choices.find(({ sk }) => sk === userId)?.on;
      const came = !place.startsWith("a") && (inPerson.includes(userId) || (place.startsWith("v") && choice));
      const user = users.find((each) => each.userId === userId);
      yield { place, reader: user && choice !== false && !came && isFor(user, news) ? user : undefined };
    }
  }
}
