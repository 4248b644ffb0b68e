import { setTimeout as sleep } from "node:timers/promises";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { handler as deliver } from "../../functions/scheduled/deliver.ts";
import { type BackgroundFunction, type Batch, findNew, takenBy, type Work, WorkIsLate } from "../../lib/background.ts";
import * as lists from "../../lib/lists/lists.ts";
import * as log from "../../lib/runtime/log.ts";
import * as due from "../../lib/table/due.ts";
import { type Key, key } from "../../lib/table/keys.ts";
import { callHere, type DeliverEvent } from "../../lib/webhooks/call-deliver.ts";
import { changedItems } from "./changed-items.ts";
import { watchDueWrites } from "./due-writes.ts";
import type { NotedPosts } from "./noted-posts.ts";

// Takes the place of the table's stream and of the schedule. It hands over, as stream records, the new items and
// changed posts that this process writes, and every few seconds those items that another process left. A function
// removes an item when its work is done, so a crash repeats work and loses none. After a start it begins with the posts
// that a process before it had noted; then, and each hour, all posts are checked. After a process that stopped in order
// they are not checked at the start. What is done each hour begins at the start.

// The batch sizes of the stream in the stack. The mails of a batch are sent in parallel.
function batchSizeOf({ definition: { works } }: BackgroundFunction): number {
  return works.some(({ definition }) => definition.sendsMail) ? 10 : 100;
}

// Posts that are looked at together.
const PAGE = 500;

type FollowUp = NonNullable<Work["followUp"]>;

function batchOf(keys: Key[], isAlone: boolean): Batch {
  return {
    isAlone,
    Records: keys.map(({ pk, sk }, index) => ({
      eventName: "INSERT",
      eventSource: "aws:dynamodb",
      dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(index + 1) },
    })),
  };
}

/** Hands over items as new; throws if the store cannot even put them off. */
async function handOver(background: BackgroundFunction, keys: Key[], isAlone: boolean): Promise<void> {
  const size = batchSizeOf(background);
  for (let at = 0; at < keys.length; at += size) {
    const { batchItemFailures } = await background(batchOf(keys.slice(at, at + size), isAlone));
    if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} items could not be put off`);
  }
}

async function handOverWaiting(background: BackgroundFunction, isAlone: boolean): Promise<void> {
  const works = background.definition.works.filter(({ followUp }) => !followUp);
  const waiting = works.map(async (work) => ({ pk: work.definition.takes, ...(await findNew(work)) }));
  const found = await Promise.all(waiting);
  const keys = found.flatMap(({ pk, ids }) => ids.map((sk) => ({ pk, sk })));
  await handOver(background, keys, isAlone);
  for (const { keepPlace } of found) await keepPlace?.();
}

/** Finds the posts with stale derived rows: another process changed them, or one that was killed. */
async function findStale({ staleAmong }: FollowUp, found: (post: Key) => unknown): Promise<void> {
  for (let after: string | undefined; ; ) {
    const posts = await lists.read({ order: "asc", offset: 0, limit: PAGE, after });
    for (const postId of await staleAmong(posts)) found(key.post(postId));
    if (posts.length < PAGE) return;
    after = posts.at(-1)?.post.postId;
  }
}

/** Takes up the jobs that are due. No time is given, because no search for lost jobs is needed. */
async function takeUpDue(background: BackgroundFunction): Promise<void> {
  try {
    await background({});
  } catch (error) {
    // Each failure has been logged.
    if (!(error instanceof WorkIsLate)) throw error;
  }
}

// How often changed items and posts are handed over (the stream waits for a second for posts), how often due jobs are
// taken up, in milliseconds; at each fifth time, waiting items are handed over too.
const CHANGED_ITEMS_MS = 500;
const CHANGED_POSTS_MS = 1000;
const DUE_ITEMS_MS = 5000;
const WAITING_EACH = 5;
// How often that is done where only this process writes, and knows of nothing.
const ALONE_MS = 30_000;
const LONGEST_PAUSE_MS = 15_000;
const HOUR_MS = 3_600_000;
const ALL_POSTS_MS = HOUR_MS;

/** Calls the function that sends webhooks; waits for a ping alone, because a receiver may be slow. */
async function callDeliver(event: DeliverEvent): Promise<unknown> {
  if (event.ping !== undefined) return deliver(event);
  deliver(event).catch((error: unknown) => log.warn("webhooks have to wait", { error }));
  return undefined;
}

type Options = {
  functions?: readonly BackgroundFunction[];
  allPostsMs?: number;
  noted?: NotedPosts | undefined;
  /** Whether no post waits but those: then all are not checked before an hour has passed. */
  areAllNoted?: boolean | undefined;
  /** Whether no other process writes to the table. */
  isAlone?: boolean;
};

/**
 * Takes up due jobs each time it is called. Where no other process makes due entries, it only does so when the next
 * known entry is due, after this process wrote one, and each half minute.
 */
function dueJobsOf(background: BackgroundFunction, isAlone: boolean): () => Promise<void> {
  if (!isAlone) return () => takeUpDue(background);
  const { name, works } = background.definition;
  let isChanged = true;
  let nextAt = 0;
  watchDueWrites(name, () => {
    isChanged = true;
  });
  return async () => {
    if (!isChanged && Date.now() < nextAt) return;
    isChanged = false;
    // Also if this look fails, the next one is not later.
    nextAt = 0;
    await takeUpDue(background);
    const left = (await Promise.all(works.map(({ definition }) => due.entriesOf(definition.takes)))).flat();
    nextAt = Math.min(Date.now() + ALONE_MS, ...left.map(({ dueAt }) => dueAt));
  };
}

/**
 * Runs until the returned function is called, which waits for the batches under way, and tells whether all posts that
 * wait are noted. Checks all posts at times.
 */
export function startBackground({
  functions = backgroundFunctions,
  allPostsMs = ALL_POSTS_MS,
  noted,
  areAllNoted = false,
  isAlone = false,
}: Options = {}): () => Promise<boolean> {
  const stopping = new AbortController();
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});
  /** Repeats work after a pause, longer ones while it fails. */
  const repeat = async (name: string, usualPause: number, work: () => Promise<unknown>): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      let milliseconds = usualPause;
      try {
        await work();
        failures = 0;
      } catch (error) {
        failures++;
        milliseconds = Math.min(usualPause * 2 ** failures, LONGEST_PAUSE_MS);
        log.warn("background work has to wait", { endpoint: name, error });
      }
      await pause(milliseconds);
    }
  };
  let isChecked = areAllNoted;
  const notes: (() => void)[] = [];
  const repeating = functions.flatMap((each) => {
    const { name, works } = each.definition;
    const followUp = works.find((work) => work.followUp)?.followUp;
    const changed = changedItems(takenBy(works), followUp && noted);
    const usualPause = followUp ? CHANGED_POSTS_MS : CHANGED_ITEMS_MS;
    const waitingEach = isAlone ? ALONE_MS / usualPause : WAITING_EACH;
    let turn = 0;
    const takeChanged = async () => {
      await changed.take((keys) => handOver(each, keys, isAlone));
      if (turn++ % waitingEach === 0) await handOverWaiting(each, isAlone);
    };
    const checkAllPosts = async (check: NonNullable<typeof followUp>) => {
      if (isChecked) await pause(allPostsMs);
      if (stopping.signal.aborted) return;
      await findStale(check, changed.add);
      isChecked = true;
    };
    notes.push(changed.note);
    return [
      repeat(name, usualPause, takeChanged),
      repeat(name, DUE_ITEMS_MS, dueJobsOf(each, isAlone)),
      ...(followUp ? [repeat(name, usualPause, () => checkAllPosts(followUp))] : []),
      ...works.flatMap(({ eachHour }) => (eachHour ? [repeat(name, HOUR_MS, eachHour)] : [])),
    ];
  });
  callHere(callDeliver);
  repeating.push(repeat("deliver", DUE_ITEMS_MS, () => callDeliver({})));
  return async () => {
    callHere();
    stopping.abort();
    await Promise.all(repeating);
    for (const note of notes) note();
    return isChecked;
  };
}
