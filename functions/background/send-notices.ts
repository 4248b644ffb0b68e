import { setTimeout as sleep } from "node:timers/promises";
import { tokensOf } from "../../lib/accounts/unsubscribe-tokens.ts";
import type { UserRecord } from "../../lib/accounts/users.ts";
import { defineWork, type Outcome } from "../../lib/background.ts";
import { nextNews, nextNewsOf } from "../../lib/mail/bounds.ts";
import { transport } from "../../lib/mail/transport.ts";
import { letterFor, type News, newsOf } from "../../lib/notices/news.ts";
import { NoticeItem } from "../../lib/notices/notices.ts";
import { PAGE, readAfter } from "../../lib/notices/readers.ts";
import { fromEnvironment } from "../../lib/runtime/environment.ts";
import * as log from "../../lib/runtime/log.ts";
import { isWithoutMail } from "../../lib/runtime/mail.ts";
import { paceOf } from "../../lib/runtime/pace.ts";
import { setAlone } from "../../lib/table/changes.ts";
import { key } from "../../lib/table/keys.ts";
import { getOrThrow } from "../../lib/table/reads.ts";
import { removeAlone } from "../../lib/table/single-writes.ts";

/** Mails new statuses, official responses and comments to those who asked for them. */
export const work = defineWork(
  {
    name: "send-notices",
    takes: "NOTICES",
    sendsMail: true,
    table: {
      NOTICES: ["get", "updateAlone", "deleteAlone"],
      EVENTS: ["get"],
      POSTS: ["get"],
      ACTIVITY: ["get"],
      CATALOGUE: ["get"],
      SITE: ["get"],
      USER: ["get"],
      SUBSCRIPTIONS: ["get", "query"],
      VOTES: ["query"],
      UNSUBSCRIBE: ["get", "put"],
      RATE: ["updateAlone"],
    },
  },
  async (jobId, isOver) => {
    const job = await getOrThrow(key.notice(jobId), NoticeItem);
    if (!job) return "done";
    const [, only, at = 0] = jobId.split("#");
    if (Date.now() < Number(at)) return { notBefore: Number(at) };
    const news = isWithoutMail() ? undefined : await newsOf(job.rest ?? jobId, only);
    const outcome = news ? await tellAll(jobId, job.place, news, isOver) : "done";
    if (outcome === "done") await removeAlone(key.notice(jobId));
    return outcome;
  },
);

// A page takes some 30 R, and few readers want mails about comments, so letters do not set the pace: without turns, ten
// comments on a popular post would use up the table's reads. Of ten jobs in parallel, each waits two seconds at most.
const pageTurn = fromEnvironment(() => paceOf(200));
const letterTurn = fromEnvironment(({ NOTICES_PER_SECOND }) => paceOf(1000 / NOTICES_PER_SECOND));

/** Tells the readers after a place, one after the other, and notes the place: a crash repeats one letter at most. */
async function tellAll(jobId: string, start: string, news: News, isOver: () => boolean): Promise<Outcome> {
  let reached = start;
  for await (const page of readAfter(start, news)) {
    for (const { reader, place } of page) {
      const notBefore = reader && (await tell(reader, news));
      if (notBefore !== undefined) return { notBefore };
      reached = place;
      if (reader) await setAlone(key.notice(jobId), { place });
      if (reader && isOver()) return "more";
    }
    // For the next page, read here or in the next attempt.
    if (page.length === PAGE) await until(pageTurn()());
    if (reached === start || !isOver()) continue;
    await setAlone(key.notice(jobId), { place: reached });
    return "more";
  }
  return "done";
}

/** Tells a reader now or at the end of the hour. If the mails of this day are used up, returns when to continue. */
async function tell(user: UserRecord, news: News): Promise<number | undefined> {
  const { eventId, post, kind } = news;
  const at = kind === "comment" ? await nextNewsOf(user.userId, post.postId) : undefined;
  if (at !== undefined) {
    await setAlone(key.notice(`${post.postId}#${user.userId}#${at}`), { rest: eventId }, {});
    return undefined;
  }
  const notBefore = await nextNews();
  if (notBefore === undefined) await send(user, news);
  return notBefore;
}

/** Sends a reader the letter. An address that SES refuses keeps nobody else waiting. */
async function send(user: UserRecord, news: News): Promise<void> {
  await until(letterTurn()());
  const letter = letterFor(user, news, await tokensOf(user.userId));
  try {
    await transport()(letter);
  } catch (error) {
    if (!/: (MessageRejected|BadRequestException)$/.test(String(error))) throw error;
    log.warn("a notice was refused", { account: user.userId, error });
  }
}

async function until(time: number): Promise<void> {
  if (time > Date.now()) await sleep(time - Date.now());
}
