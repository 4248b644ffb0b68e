import { setTimeout as sleep } from "node:timers/promises";
import { tokensOf } from "../accounts/unsubscribe-tokens.ts";
import type { UserRecord } from "../accounts/users.ts";
import { nextNews, nextNewsOf } from "../mail/bounds.ts";
import { transport } from "../mail/transport.ts";
import { fromEnvironment } from "../runtime/environment.ts";
import * as log from "../runtime/log.ts";
import { letterFor, type News, newsOf } from "./news.ts";
import * as notices from "./notices.ts";
import { readAfter } from "./readers.ts";

const paceOf = fromEnvironment(({ NOTICES_PER_SECOND }) => ({ interval: 1000 / NOTICES_PER_SECOND, nextAt: 0 }));

/** Waits until the next letter may leave: all jobs of a process share the pace. */
async function keepPace(): Promise<void> {
  const [pace, now] = [paceOf(), Date.now()];
  const at = Math.max(now, pace.nextAt);
  pace.nextAt = at + pace.interval;
  if (at > now) await sleep(at - now);
}

/** Sends a reader the letter. An address that SES refuses keeps nobody else waiting. */
async function send(user: UserRecord, news: News): Promise<void> {
  await keepPace();
  const letter = letterFor(user, news, await tokensOf(user.userId));
  try {
    await transport()(letter);
  } catch (error) {
    if (!/: (MessageRejected|BadRequestException)$/.test(String(error))) throw error;
    log.warn("a notice was refused", { account: user.userId, error });
  }
}

/** Tells a reader now or at the end of the hour. If the mails of this day are used up, returns when to continue. */
async function tell(user: UserRecord, news: News): Promise<number | undefined> {
  const { eventId, post, kind } = news;
  const at = kind === "comment" ? await nextNewsOf(user.userId, post.postId) : undefined;
  if (at !== undefined) return void (await notices.addRest(post.postId, user.userId, eventId, at));
  const notBefore = await nextNews();
  if (notBefore === undefined) await send(user, news);
  return notBefore;
}

type Outcome = "done" | "more" | { notBefore: number };

/** Mails an event to its readers, or the rest of an hour to one, and removes the job. */
export async function carryOut(jobId: string, isOver: () => boolean): Promise<Outcome> {
  const job = await notices.find(jobId);
  if (!job) return "done";
  const [, only, at = 0] = jobId.split("#");
  if (Date.now() < Number(at)) return { notBefore: Number(at) };
  const news = await newsOf(job.rest ?? jobId, only);
  const outcome = news ? await tellAll(jobId, job.place, news, isOver) : "done";
  if (outcome === "done") await notices.done(jobId);
  return outcome;
}

/** Tells the readers after a place, one after the other, and notes the place: a crash repeats one letter at most. */
async function tellAll(jobId: string, start: string, news: News, isOver: () => boolean): Promise<Outcome> {
  let place = start;
  for await (const { reader, place: next } of readAfter(start, news)) {
    if (isOver()) {
      await notices.notePlace(jobId, place);
      return "more";
    }
    const notBefore = reader && (await tell(reader, news));
    if (notBefore !== undefined) return { notBefore };
    place = next;
    if (reader) await notices.notePlace(jobId, place);
  }
  return "done";
}
