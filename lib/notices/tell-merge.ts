import { tokensOf } from "../accounts/unsubscribe-tokens.ts";
import type { UserRecord } from "../accounts/users.ts";
import { countNews } from "../mail/bounds.ts";
import { findMerged } from "../posts/merged-posts.ts";
import { setAlone } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { getOrThrow } from "../table/reads.ts";
import { removeAlone } from "../table/single-writes.ts";
import { COLLECTING_MS } from "./changes.ts";
import { type MergeJob, MergeJobItem } from "./merge-jobs.ts";
import { letterOfMerge, type NewsOfMerge, newsOfMerge } from "./news.ts";
import { send, tellAll } from "./telling.ts";

/** Tells that a post was merged, once its votes have moved. Nobody is told of a merge that was undone by then. */
export async function tellOfMerge(jobId: string, isOver: () => boolean): Promise<Outcome> {
  const job = await getOrThrow(key.notice(jobId), MergeJobItem);
  if (!job) return "done";
  if (Date.now() < job.at) return { notBefore: job.at };
  const merged = await findMerged(job.postId);
  if (merged && !merged.moved) return { notBefore: Date.now() + COLLECTING_MS };
  const news = merged && (await newsOfMerge(job, merged));
  if (news) {
    const outcome = await tellAll(jobId, job.place, news, (user) => tellReader(user, news, job), isOver);
    if (outcome !== "done") return outcome;
  }
  await removeAlone(key.notice(jobId));
  return "done";
}

/** Tells a reader now, or on the next day if it got many mails. */
async function tellReader(user: UserRecord, news: NewsOfMerge, job: MergeJob): Promise<number | undefined> {
  const full = await countNews({ user, by: news.by, isOfTeam: true });
  if (full?.readerHadEnough) {
    await setAlone(key.mergeNotice(job.postId, user.userId), { eventId: job.eventId, at: full.at }, {});
    return undefined;
  }
  if (full) return full.at;
  await send(user, letterOfMerge(user, news, await tokensOf(user.userId)));
  return undefined;
}
