import { setTimeout as sleep } from "node:timers/promises";
import type { DynamoDBStreamEvent } from "aws-lambda";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { handler as deliver } from "../../functions/scheduled/deliver.ts";
import { type BackgroundFunction, type Work, WorkIsLate } from "../../lib/background.ts";
import * as lists from "../../lib/lists/lists.ts";
import * as log from "../../lib/runtime/log.ts";
import * as due from "../../lib/table/due.ts";
import { type Key, key } from "../../lib/table/keys.ts";
import { callHere, type DeliverEvent } from "../../lib/webhooks/call-deliver.ts";
import { changedPosts } from "./changed-posts.ts";

// Takes the place of the table's stream and of the schedule. It looks for new items in the families of background
// functions and hands them over as stream records. A function removes an item when its work is done, so a crash repeats
// work and loses none. A follow-up gets the posts that this process changed; at times all posts are checked.

// The stream's own.
const BATCH_SIZE = 10;

// Posts that are looked at together.
const PAGE = 500;

type FollowUp = NonNullable<Work["followUp"]>;

function eventOf(keys: Key[]): DynamoDBStreamEvent {
  return {
    Records: keys.map(({ pk, sk }, index) => ({
      eventName: "INSERT",
      eventSource: "aws:dynamodb",
      dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(index + 1) },
    })),
  };
}

/**
 * Hands one batch of new items to a function. Returns whether there was one; throws if the store cannot put them off.
 */
async function handOverNew(background: BackgroundFunction): Promise<boolean> {
  const families = background.definition.works.filter(({ followUp }) => !followUp).map((work) => work.definition.takes);
  const found = families.map(async (pk) => (await due.withoutEntry(pk)).map((sk) => ({ pk, sk })));
  const keys = (await Promise.all(found)).flat().slice(0, BATCH_SIZE);
  if (keys.length === 0) return false;
  await handOver(background, keys);
  return true;
}

async function handOver(background: BackgroundFunction, keys: Key[]): Promise<void> {
  const { batchItemFailures } = await background(eventOf(keys));
  if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} items could not be put off`);
}

/** Hands over the posts with stale derived rows: another process changed them, or one that was killed. */
async function handOverBehind(background: BackgroundFunction, { behind }: FollowUp): Promise<void> {
  for (let after: string | undefined; ; ) {
    const posts = await lists.read({ order: "asc", offset: 0, limit: PAGE, after });
    const postIds = await behind(posts);
    if (postIds.length > 0) await handOver(background, postIds.map(key.post));
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

// How often the poller looks for new items, for changed posts (as the stream, which waits for a second), and for due
// jobs, in milliseconds.
const NEW_ITEMS_MS = 500;
const CHANGED_POSTS_MS = 1000;
const DUE_ITEMS_MS = 5000;
const LONGEST_PAUSE_MS = 15_000;
const ALL_POSTS_MS = 3_600_000;

/** Calls the function that sends webhooks; waits for a ping alone, because a receiver may be slow. */
async function callDeliver(event: DeliverEvent): Promise<unknown> {
  if (event.ping !== undefined) return deliver(event);
  deliver(event).catch((error: unknown) => log.warn("webhooks have to wait", { error }));
  return undefined;
}

/** Runs until the returned function is called, which waits for the batches under way. Checks all posts at times. */
export function startBackground({
  functions = backgroundFunctions,
  allPostsMs = ALL_POSTS_MS,
}: {
  functions?: readonly BackgroundFunction[];
  allPostsMs?: number;
} = {}): () => Promise<void> {
  const stopping = new AbortController();
  /** Repeats work after a pause: none while the work returns true, a longer one after each failure. */
  const repeat = async (name: string, usualPause: number, work: () => Promise<unknown>): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      let pause = usualPause;
      try {
        if ((await work()) === true) pause = 0;
        failures = 0;
      } catch (error) {
        failures++;
        pause = Math.min(usualPause * 2 ** failures, LONGEST_PAUSE_MS);
        log.warn("background work has to wait", { endpoint: name, error });
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const repeating = functions.flatMap((each) => {
    const { name, works } = each.definition;
    const followUp = works.find((work) => work.followUp)?.followUp;
    const changed = followUp && changedPosts();
    return [
      repeat(name, NEW_ITEMS_MS, () => handOverNew(each)),
      repeat(name, DUE_ITEMS_MS, () => takeUpDue(each)),
      ...(changed
        ? [
            repeat(name, CHANGED_POSTS_MS, () => changed.take((keys) => handOver(each, keys))),
            repeat(name, allPostsMs, () => handOverBehind(each, followUp)),
          ]
        : []),
    ];
  });
  callHere(callDeliver);
  repeating.push(repeat("deliver", DUE_ITEMS_MS, () => callDeliver({})));
  return async () => {
    callHere();
    stopping.abort();
    await Promise.all(repeating);
  };
}
