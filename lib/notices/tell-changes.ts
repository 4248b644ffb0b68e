import { tokensOf } from "../accounts/unsubscribe-tokens.ts";
import type { UserRecord } from "../accounts/users.ts";
import { countNews } from "../mail/bounds.ts";
import { isEmpty, setAlone, stillHas } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { removeAlone } from "../table/single-writes.ts";
import { type Changes, changesAt, continued, findChanges, laterFor } from "./changes.ts";
import { letterOfChanges, type News, type NewsOfChanges, newsOfChanges } from "./news.ts";
import { send, tellAll } from "./telling.ts";

/** Tells what changed on a post in a minute. The job stays while there are further changes. */
export async function tellOfChanges(jobId: string, isOver: () => boolean): Promise<Outcome> {
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
  if (job.roundState === undefined) return { notBefore: job.at };
  return tellAll(jobId, job.place, news, (user, place) => tellChanges(user, place, news, job), isOver);
}

/** Removes a job whose newest change is still the one that it began with; otherwise it continues when it is due. */
async function removeUnlessChanged(jobId: string, last: string): Promise<Outcome> {
  await removeAlone(key.notice(jobId), stillHas({ last }));
  const left = await findChanges(jobId);
  return left ? { notBefore: Math.max(left.at, Date.now()) } : "done";
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
  const full = await countNews({ user, by: news.by, isOfTeam: true });
  if (full?.readerHadEnough) {
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
