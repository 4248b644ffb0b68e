import * as z from "zod/mini";
import type { PostRecord } from "../posts/posts.ts";
import { choiceOf, SubscriptionItem } from "../posts/subscriptions.ts";
import { key, range } from "../table/keys.ts";
import { getMany, pagesOf } from "../table/reads.ts";
import { VoteItem } from "../votes/votes.ts";

const PAGE = 25;

/** An account that may get a notice, and its place in the order of all. */
export type Candidate = { userId: string; place: string };

const Choice = z.extend(SubscriptionItem, { sk: z.string() });

/**
 * The accounts that may want to hear of an event on a post, each once and always in the same order, page by page after
 * a place: who is concerned in person, who chose to follow, then who voted before the event and made no choice. Who
 * left the post is not among them.
 */
export async function* candidatesAfter(
  place: string,
  { postId, author }: PostRecord,
  eventId: string,
  parentAuthor: string | undefined,
): AsyncGenerator<Candidate[], void, undefined> {
  const inPerson = [...new Set([...(parentAuthor ? [parentAuthor] : []), author.userId])];
  const isOther = ({ userId }: { userId: string }) => !inPerson.includes(userId);
  if (place < "f") {
    const choices = await Promise.all(inPerson.map((userId) => choiceOf(userId, postId)));
    const all = inPerson.map((userId, at) => ({ userId, place: `a${userId}`, choice: choices[at] }));
    const rest = all.filter((each) => each.choice !== false && each.place > place);
    yield rest.sort((a, b) => (a.place < b.place ? -1 : 1));
  }
  if (place < "v") {
    const rest = range.subscriptions(postId, place.startsWith("f") ? place.slice(1) : undefined);
    for await (const page of pagesOf(rest, Choice, { pageSize: PAGE })) {
      const followers = page.filter(({ on }) => on).map(({ sk }) => ({ userId: sk, place: `f${sk}` }));
      yield followers.filter(isOther);
    }
  }
  const rest = range.votes(postId, place.startsWith("v") ? place.slice(1) : undefined);
  for await (const page of pagesOf(rest, VoteItem, { pageSize: PAGE })) {
    const voters = page.filter(({ voteId }) => voteId < eventId).filter(isOther);
    const choices = await getMany(
      voters.map(({ userId }) => key.subscription(postId, userId)),
      Choice,
    );
    const chosen = new Set(choices.map(({ sk }) => sk));
    yield voters
      .filter(({ userId }) => !chosen.has(userId))
      .map(({ userId, voteId }) => ({ userId, place: `v${voteId}` }));
  }
}
