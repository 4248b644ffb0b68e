import { setTimeout as sleep } from "node:timers/promises";
import { tokensOf } from "../accounts/unsubscribe-tokens.ts";
import * as users from "../accounts/users.ts";
import { sendNews } from "../mail/bounds.ts";
import { transport } from "../mail/transport.ts";
import * as subscriptions from "../posts/subscriptions.ts";
import { fromEnvironment } from "../runtime/environment.ts";
import * as log from "../runtime/log.ts";
import { isFor, letterFor, type News, newsOf } from "./news.ts";
import * as notices from "./notices.ts";
import { readAfter } from "./readers.ts";

/** The letters between two notes of the place, and the most that a crash sends twice. */
export const LETTERS_A_NOTE = 10;

const paceOf = fromEnvironment(({ NOTICES_PER_SECOND }) => ({ interval: 1000 / NOTICES_PER_SECOND, nextAt: 0 }));

/** Waits until the next letter may leave: all jobs of a process share the pace. */
async function keepPace(): Promise<void> {
  const [pace, now] = [paceOf(), Date.now()];
  const at = Math.max(now, pace.nextAt);
  pace.nextAt = at + pace.interval;
  if (at > now) await sleep(at - now);
}

/** Sends a reader the letter. An address that SES refuses keeps nobody else waiting. */
async function tell(user: users.UserRecord, news: News): Promise<void> {
  await keepPace();
  const letter = letterFor(user, news, await tokensOf(user.userId));
  try {
    await transport()(letter);
  } catch (error) {
    if (!/: (MessageRejected|BadRequestException)$/.test(String(error))) throw error;
    log.warn("a notice was refused", { account: user.userId, error });
  }
}

type Outcome = "done" | "more" | { notBefore: number };

/** Mails an event to its readers, or the rest of an hour's comments to one, and removes the job. */
export async function carryOut(jobId: string, isOver: () => boolean): Promise<Outcome> {
  const job = await notices.find(jobId);
  if (!job) return "done";
  const outcome = await (job.rest.length > 0
    ? tellRest(jobId, job.rest)
    : tellAll(job.place, await newsOf(jobId), isOver));
  if (outcome === "done") await notices.done(jobId);
  return outcome;
}

/** Mails a reader in one letter what came after the five mails of an hour. */
async function tellRest(jobId: string, rest: string[]): Promise<Outcome> {
  const [postId = "", userId = "", at] = jobId.split("#");
  if (Date.now() < Number(at)) return { notBefore: Number(at) };
  const [user, choice] = await Promise.all([users.find(userId), subscriptions.choiceOf(userId, postId)]);
  if (!user || choice === false) return "done";
  const sent = await sendNews({ userId, postId, isComment: false }, async () => {
    const last = await lastFor(user, rest);
    if (last) await tell(user, { ...last, count: rest.length });
  });
  return typeof sent === "object" ? sent : "done";
}

/** Reads the newest of some events that are still news for an account. */
async function lastFor(user: users.UserRecord, eventIds: string[]): Promise<News | undefined> {
  for (const eventId of eventIds.toSorted().reverse()) {
    const news = await newsOf(eventId);
    if (news && isFor(user, news)) return news;
  }
  return undefined;
}

/**
 * Tells the readers after a place, one after the other. A slice that is over notes its place, and so does one whose
 * letter could not be sent: nobody gets a second letter for that.
 */
async function tellAll(start: string, news: News | undefined, isOver: () => boolean): Promise<Outcome> {
  if (!news) return "done";
  const { eventId, post, hasComment: isComment } = news;
  let sent = 0;
  let [place, noted] = [start, start];
  const note = async (): Promise<void> => {
    if (place !== noted) await notices.notePlace(eventId, place);
    noted = place;
  };
  try {
    for await (const { reader, place: next } of readAfter(start, news)) {
      if (isOver()) return "more";
      const leave = async (at: number) => reader && notices.addRest(post.postId, reader.userId, eventId, at);
      const isSent = reader && (await sendNews({ ...reader, ...post, isComment }, () => tell(reader, news), leave));
      if (typeof isSent === "object") return isSent;
      place = next;
      if (isSent && ++sent % LETTERS_A_NOTE === 0) await note();
    }
  } finally {
    await note();
  }
  return "done";
}
