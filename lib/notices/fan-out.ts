import { setTimeout as sleep } from "node:timers/promises";
import { tokensOf } from "../accounts/unsubscribe-tokens.ts";
import { UserItem, type UserRecord } from "../accounts/users.ts";
import { hadEnoughComments, secondsUntilNotices, takeBackComment } from "../mail/bounds.ts";
import { transport } from "../mail/transport.ts";
import { environment } from "../runtime/environment.ts";
import * as log from "../runtime/log.ts";
import { key } from "../table/keys.ts";
import { getMany } from "../table/reads.ts";
import { isFor, letterFor, type News, newsOf } from "./news.ts";
import * as notices from "./notices.ts";
import { type Candidate, candidatesAfter } from "./readers.ts";

/** The letters between two notes of the place, and the most that a crash sends twice. */
export const LETTERS_A_NOTE = 10;

let nextAt = 0;

/** Waits until the next letter may leave: all jobs of a process share the pace. */
async function keepPace(): Promise<void> {
  const now = Date.now();
  const at = Math.max(now, nextAt);
  nextAt = at + 1000 / environment().NOTICES_PER_SECOND;
  if (at > now) await sleep(at - now);
}

/** Sends a reader the letter. An address that SES refuses keeps nobody else waiting. */
async function tell(user: UserRecord, news: News): Promise<void> {
  const letter = letterFor(user, news, await tokensOf(user.userId));
  try {
    await transport()(letter);
  } catch (error) {
    if (!/: (MessageRejected|BadRequestException)$/.test(String(error))) throw error;
    log.warn("a notice was refused", { account: user.userId, error });
  }
}

/**
 * Sends a reader the letter, unless the reader had enough (false). If all readers of the day had enough, returns when
 * to continue.
 */
async function tellWithin(user: UserRecord, news: News): Promise<boolean | { notBefore: number }> {
  const { comment, post } = news;
  const now = Date.now();
  const counted = [user.userId, post.postId, now] as const;
  if (comment && (await hadEnoughComments(...counted))) return false;
  try {
    const wait = await secondsUntilNotices();
    if (wait === undefined) {
      await keepPace();
      await tell(user, news);
      return true;
    }
    if (comment) await takeBackComment(...counted);
    return { notBefore: now + wait * 1000 };
  } catch (error) {
    if (comment) await takeBackComment(...counted);
    throw error;
  }
}

type Read = Candidate & { reader: UserRecord | undefined };

/** The candidates after a place, in their order, each with its account if that gets the news. */
async function* readAfter(place: string, news: News): AsyncGenerator<Read, void, undefined> {
  const { notice, post, parentAuthor } = news;
  for await (const page of candidatesAfter(place, post, notice.sk, parentAuthor)) {
    const users = await getMany(
      page.map(({ userId }) => key.user(userId)),
      UserItem,
    );
    for (const candidate of page) {
      const user = users.find(({ userId }) => userId === candidate.userId);
      yield { ...candidate, reader: user && isFor(user, news) ? user : undefined };
    }
  }
}

/**
 * Mails an event to its readers, one after the other, and removes the job. A slice that is over notes its place, and so
 * does one whose letter could not be sent: nobody gets a second letter for that.
 */
export async function carryOut(
  eventId: string,
  isOver: () => boolean,
): Promise<"done" | "more" | { notBefore: number }> {
  const notice = await notices.find(eventId);
  const news = notice && (await newsOf(notice));
  if (!news) return removed(eventId);
  let sent = 0;
  let [place, noted] = [news.notice.place, news.notice.place];
  const note = async (): Promise<void> => {
    if (place !== noted) await notices.notePlace(eventId, place);
    noted = place;
  };
  try {
    for await (const { reader, place: next } of readAfter(place, news)) {
      if (isOver()) return "more";
      const told = reader !== undefined && (await tellWithin(reader, news));
      if (typeof told === "object") return told;
      place = next;
      if (told && ++sent % LETTERS_A_NOTE === 0) await note();
    }
  } finally {
    await note();
  }
  return removed(eventId);
}

async function removed(eventId: string): Promise<"done"> {
  await notices.done(eventId);
  return "done";
}
