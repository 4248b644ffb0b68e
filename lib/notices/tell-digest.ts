import { tokensOf } from "../accounts/unsubscribe-tokens.ts";
import * as users from "../accounts/users.ts";
import { countNews } from "../mail/bounds.ts";
import { setAlone, stillHas, stored } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { removeAlone, type Update } from "../table/single-writes.ts";
import { type DigestJob, findJob, needsAnother, nextRound } from "./digest.ts";
import { letterOfDigest, type Queue, readQueue, shownThings, waitingFor } from "./digest-letter.ts";
import { send } from "./telling.ts";

/** Tells the team what came into its queue. Later things are for another round. */
export async function tellOfQueue(isOver: () => boolean): Promise<Outcome> {
  const read = await findJob();
  if (!read) return "done";
  if (Date.now() < read.at) return { notBefore: read.at };
  if (!(await beginRound(read))) return "more";
  const queue = await readQueue(read);
  let job = withDoubt(read);
  for (const userId of queue.readers.filter((each) => each > read.place && !job.missed.includes(each))) {
    const told = await tellReader(userId, queue, job);
    if (told === "overtaken") return "more";
    if ("notBefore" in told) {
      await pause(job);
      return told;
    }
    const isBegun = told.place !== job.place;
    job = told;
    if (isBegun && isOver()) {
      await pause(job);
      return "more";
    }
  }
  return endRound(job);
}

/** From now on things are for the next round. False if something has come since the job was read. */
async function beginRound({ at, ids, isMore, isLeaving }: DigestJob): Promise<boolean> {
  if (isLeaving) return true;
  const asRead = stillHas({ at, ids: stored(ids), isMore, isLeaving: undefined });
  return (await setAlone(key.digest(), { isLeaving: true }, asRead)).done;
}

/** An earlier attempt ended while it sent a letter: nobody knows whether it has left. */
function withDoubt(job: DigestJob): DigestJob {
  const { writing, missed } = job;
  return writing === undefined || missed.includes(writing) ? job : { ...job, missed: [...missed, writing] };
}

/** The condition that no other attempt has begun a letter since. */
function isOurs({ at, place, writing }: DigestJob) {
  return stillHas({ at, place: place || undefined, writing });
}

type Told = DigestJob | { notBefore: number } | "overtaken";

/** Tells a reader; returns the job as it is then. The letter is noted before it leaves, so there is one in a round. */
async function tellReader(userId: string, queue: Queue, job: DigestJob): Promise<Told> {
  const user = await users.find(userId);
  const waiting = user && waitingFor(user, queue, job);
  if (!waiting) return job;
  const full = await countNews({ user, by: "digest", isOfTeam: true });
  if (full) return full.readerHadEnough ? { ...job, missed: [...job.missed, userId] } : { notBefore: full.at };
  const { things, isMore } = waiting;
  const listed = { shown: await shownThings(things), count: things.length, isMore };
  const letter = letterOfDigest(user, listed, queue.site, await tokensOf(userId));
  const begun = { place: userId, writing: userId };
  const noted = await setAlone(key.digest(), { ...begun, missed: stored(job.missed) }, isOurs(job));
  if (!noted.done) return "overtaken";
  await send(user, letter);
  return { ...job, ...begun };
}

/** Keeps that all letters that were begun have left, but for the missed ones. */
function pause(job: DigestJob): Promise<Update> {
  return setAlone(key.digest(), { writing: undefined, missed: stored(job.missed) }, isOurs(job));
}

/** Removes the job, or begins the next round an hour from now. */
async function endRound(job: DigestJob): Promise<Outcome> {
  const own = key.digest();
  const { at, place, writing } = job;
  if (!needsAnother(job)) {
    await removeAlone(own, stillHas({ at, place: place || undefined, writing, later: undefined }));
  }
  const left = await findJob();
  if (!left) return "done";
  if (left.at !== at) return { notBefore: left.at };
  const next = nextRound({ ...left, missed: job.missed });
  const asRead = { at, place: place || undefined, writing, later: stored(left.later), isMoreLater: left.isMoreLater };
  const { done } = await setAlone(own, next, stillHas(asRead));
  return done ? { notBefore: next.at } : "more";
}
