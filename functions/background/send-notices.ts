import { setTimeout as sleep } from "node:timers/promises";
import { tokensOf } from "../../lib/accounts/unsubscribe-tokens.ts";
import type { UserRecord } from "../../lib/accounts/users.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineWork, type Outcome } from "../../lib/background.ts";
import { nextCommentLetter, nextNews } from "../../lib/mail/bounds.ts";
import type { Letter } from "../../lib/mail/layout.ts";
import { transport } from "../../lib/mail/transport.ts";
import { type Changes, changesAt, continued, findChanges, isOfChanges, laterFor } from "../../lib/notices/changes.ts";
import {
  findJob,
  letterOfPosts,
  type NewPosts,
  postsFor,
  QUARTER_MS,
  readNewPosts,
} from "../../lib/notices/new-posts.ts";
import {
  isOfTeam,
  letterOfChanges,
  letterOfComment,
  type News,
  type NewsOfChanges,
  type NewsOfComment,
  newsOfChanges,
  newsOfComment,
} from "../../lib/notices/news.ts";
import { NoticeItem } from "../../lib/notices/notices.ts";
import { PAGE, readAfter } from "../../lib/notices/readers.ts";
import { fromEnvironment } from "../../lib/runtime/environment.ts";
import * as log from "../../lib/runtime/log.ts";
import { isWithoutMail } from "../../lib/runtime/mail.ts";
import { paceOf } from "../../lib/runtime/pace.ts";
import { isEmpty, setAlone, stillHas } from "../../lib/table/changes.ts";
import { key } from "../../lib/table/keys.ts";
import { getOrThrow } from "../../lib/table/reads.ts";
import { removeAlone } from "../../lib/table/single-writes.ts";

/** Mails what changed on posts, and comments, to those who asked for them. */
export const work = defineWork(
  {
    name: "send-notices",
    takes: "NOTICES",
    sendsMail: true,
    table: {
      NOTICES: ["get", "updateAlone", "deleteAlone"],
      EVENTS: ["get"],
      POSTS: ["get", "query"],
      ACTIVITY: ["get"],
      CATALOGUE: ["get", "query"],
      SITE: ["get", "query"],
      USER: ["get"],
      SUBSCRIPTIONS: ["get", "query"],
      VOTES: ["query"],
      UNSUBSCRIBE: ["get", "put"],
      RATE: ["updateAlone"],
    },
  },
  async (jobId, isOver) => {
    if (!isWithoutMail()) return tell(jobId, isOver);
    await removeAlone(key.notice(jobId));
    return "done";
  },
);

function tell(jobId: string, isOver: () => boolean): Promise<Outcome> {
  if (jobId === key.newPosts().sk) return tellOfNewPosts(isOver);
  return isOfChanges(jobId) ? tellOfChanges(jobId, isOver) : tellOfComment(jobId, isOver);
}

/** Tells the team of the posts of a quarter of an hour. Later posts begin another one. */
async function tellOfNewPosts(isOver: () => boolean): Promise<Outcome> {
  const own = key.newPosts();
  const job = await findJob();
  if (!job) return "done";
  if (Date.now() < job.at) return { notBefore: job.at };
  const news = await readNewPosts(job);
  const { upTo = news.posts[0]?.postId ?? job.first } = job;
  if (!job.upTo) await setAlone(own, { upTo });
  for (const userId of news.readers.filter((each) => each > job.place)) {
    const notBefore = await tellNewPosts(userId, news);
    if (notBefore !== undefined) return { notBefore };
    await setAlone(own, { place: userId });
    if (isOver()) return "more";
  }
  // What `later` is for: see new-posts.ts.
  await removeAlone(own, stillHas({ later: undefined }));
  const left = await findJob();
  if (!left) return "done";
  const at = Date.now() + QUARTER_MS;
  await setAlone(own, { after: upTo, at, place: "", upTo: undefined, later: undefined });
  return { notBefore: at };
}

async function tellNewPosts(userId: string, news: NewPosts): Promise<number | undefined> {
  const user = await users.find(userId);
  const posts = user ? postsFor(user, news) : [];
  if (!user || posts.length === 0) return undefined;
  const full = await nextNews({ user, by: "new posts", isOfTeam: true });
  if (full) return full.isReadersPool ? undefined : full.at;
  await send(user, letterOfPosts(user, posts, news, await tokensOf(userId)));
  return undefined;
}

async function tellOfComment(jobId: string, isOver: () => boolean): Promise<Outcome> {
  const job = await getOrThrow(key.notice(jobId), NoticeItem);
  if (!job) return "done";
  if (Date.now() < job.at) return { notBefore: job.at };
  const news = await newsOfComment(job);
  if (news) {
    const outcome = await tellAll(jobId, job.place, news, (user) => tellComment(user, news), isOver);
    if (outcome !== "done") return outcome;
  }
  await removeAlone(key.notice(jobId));
  return "done";
}

/** Tells what changed on a post in a minute. The job stays while there are further changes. */
async function tellOfChanges(jobId: string, isOver: () => boolean): Promise<Outcome> {
  const stored = await findChanges(jobId);
  if (!stored) return "done";
  if (Date.now() < stored.at) return { notBefore: stored.at };
  const outcome = await tellRound(jobId, stored, isOver);
  return outcome === "done" ? removeUnlessChanged(jobId, stored.last) : outcome;
}

/** Tells the readers whom a round of mails has not reached yet. */
async function tellRound(jobId: string, stored: Changes, isOver: () => boolean): Promise<Outcome> {
  const news = await newsOfChanges(stored);
  if (!news) return "done";
  const fields = continued(stored, news.now);
  if (!isEmpty(fields)) await setAlone(key.notice(jobId), fields);
  const job = { ...stored, ...fields };
  // After a further change the mails begin again, a minute later.
  if (job.said === undefined) return { notBefore: job.at };
  return tellAll(jobId, job.place, news, (user, place) => tellChanges(user, place, news, job), isOver);
}

/** Removes a job whose newest change is still the one that it began with; otherwise it continues when it is due. */
async function removeUnlessChanged(jobId: string, last: string): Promise<Outcome> {
  await removeAlone(key.notice(jobId), stillHas({ last }));
  const left = await findChanges(jobId);
  return left ? { notBefore: Math.max(left.at, Date.now()) } : "done";
}

// A page takes some 30 R, and few readers want mails about comments, so letters do not set the pace: without turns, ten
// comments on a popular post would use up the table's reads. Of ten jobs in parallel, each waits two seconds at most.
const pageTurn = fromEnvironment(() => paceOf(200));
const letterTurn = fromEnvironment(({ NOTICES_PER_SECOND }) => paceOf(1000 / NOTICES_PER_SECOND));

/** Tells a reader; returns when to continue (ms since 1970) if no mail can leave now. */
type Tell = (user: UserRecord, place: string) => Promise<number | undefined>;

/** Tells the readers after a place, one after the other, and notes the place: a crash repeats one letter at most. */
async function tellAll(jobId: string, start: string, news: News, tell: Tell, isOver: () => boolean): Promise<Outcome> {
  let reached = start;
  for await (const page of readAfter(start, news)) {
    for (const { reader, place } of page) {
      const notBefore = reader && (await tell(reader, place));
      if (notBefore !== undefined) return { notBefore };
      reached = place;
      if (reader) await setAlone(key.notice(jobId), { place });
      if (reader && isOver()) return "more";
    }
    // For the next page, read here or in the next attempt.
    if (page.length === PAGE) await until(pageTurn()());
    if (reached !== start && isOver()) {
      await setAlone(key.notice(jobId), { place: reached });
      return "more";
    }
  }
  return "done";
}

/** Tells a reader of a comment now, or of the last of several at the end of the hour or day. */
async function tellComment(user: UserRecord, news: NewsOfComment): Promise<number | undefined> {
  const { eventId, post, by, comment } = news;
  const hourEnds = await nextCommentLetter(user.userId, post.postId);
  const full = hourEnds === undefined ? await nextNews({ user, by, isOfTeam: isOfTeam(comment) }) : undefined;
  const later = hourEnds ?? (full?.isReadersPool ? full.at : undefined);
  if (later !== undefined) {
    await setAlone(key.endOfHour(post.postId, user.userId, later), { rest: eventId }, {});
    return undefined;
  }
  if (full) return full.at;
  await send(user, letterOfComment(user, news, await tokensOf(user.userId)));
  return undefined;
}

/** Tells a reader what is new to it: now, or on the next day if it got many mails. */
async function tellChanges(
  user: UserRecord,
  place: string,
  news: NewsOfChanges,
  job: Changes,
): Promise<number | undefined> {
  const changes = changesAt(place, job, news.now);
  if (!changes.status && !changes.response) return undefined;
  const full = await nextNews({ user, by: news.by, isOfTeam: true });
  if (full?.isReadersPool) {
    await putOffFor(user, news, laterFor(place, job, full.at));
    return undefined;
  }
  if (full) return full.at;
  await send(user, letterOfChanges(user, news, changes, await tokensOf(user.userId)));
  return undefined;
}

/** Leaves a job for one reader. One that is there keeps its status, which is older, but gets to know of a response. */
async function putOffFor(
  { userId }: UserRecord,
  { post }: News,
  { responded, ...job }: Partial<Changes>,
): Promise<void> {
  const own = key.changes(post.postId, userId);
  await setAlone(own, { ...job, responded: false }, { if: "attribute_not_exists(pk)" });
  if (responded) await setAlone(own, { responded });
}

/** Sends a reader the letter. An address that SES refuses keeps nobody else waiting. */
async function send({ userId }: UserRecord, letter: Letter): Promise<void> {
  await until(letterTurn()());
  try {
    await transport()(letter);
  } catch (error) {
    if (!/: (MessageRejected|BadRequestException)$/.test(String(error))) throw error;
    log.warn("a notice was refused", { account: userId, error });
  }
}

async function until(time: number): Promise<void> {
  if (time > Date.now()) await sleep(time - Date.now());
}
