import { setTimeout as sleep } from "node:timers/promises";
import type { DynamoDBStreamEvent } from "aws-lambda";
import { backgroundFunctions } from "../../functions/background/index.ts";
import type { BackgroundFunction } from "../../lib/background.ts";
import type { Family, Key } from "../../lib/data/keys.ts";
import * as outbox from "../../lib/data/outbox.ts";
import * as renames from "../../lib/data/renames.ts";
import * as sweeps from "../../lib/data/sweeps.ts";
import * as log from "../../lib/runtime/log.ts";

// The poller, in place of the table's stream. It reads the items of the families that background functions take, and hands them
// over as stream records. A function removes an item when its work is done, so a crash repeats work and loses none.

/** Reads the keys of the items of a family. */
type Reader = () => Promise<Key[]>;

const readers: Partial<Record<Family, Reader>> = {
  OUTBOX: async () => (await outbox.waitingIds()).map((sk) => ({ pk: "OUTBOX", sk })),
  RENAMES: async () => (await renames.waitingIds()).map((sk) => ({ pk: "RENAMES", sk })),
  DELETED: async () => (await sweeps.waiting()).map((sk) => ({ pk: "DELETED", sk })),
};

const readerFor = ({ definition: { name, takes } }: BackgroundFunction): Reader => {
  const reader = readers[takes];
  if (!reader) throw new Error(`${name} takes ${takes}: say in infra/local/background.ts how these items are read`);
  return reader;
};

const eventOf = (keys: Key[]): DynamoDBStreamEvent => ({
  Records: keys.map(({ pk, sk }, index) => ({
    eventName: "INSERT",
    eventSource: "aws:dynamodb",
    dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(index + 1) },
  })),
});

/** Hands items to a background function in one batch. Returns those that it could not finish. */
const handOver = async (work: BackgroundFunction, keys: Key[]): Promise<Key[]> => {
  if (keys.length === 0) return [];
  const { batchItemFailures } = await work(eventOf(keys));
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  return keys.filter((_, index) => failed.has(String(index + 1)));
};

/** Hands all waiting items to their background functions, once. Returns whether all of them were finished. */
export const runBackgroundOnce = async (
  functions: readonly BackgroundFunction[] = backgroundFunctions,
): Promise<boolean> => {
  const failed = await Promise.all(functions.map(async (work) => handOver(work, await readerFor(work)())));
  return failed.flat().length === 0;
};

const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const BATCH_SIZE = 10;

/** Failures in a row, and the time of the next attempt in milliseconds since the epoch. */
type Backoff = { failures: number; retryAt: number };

const longer = (backoff: Backoff | undefined): Backoff => {
  const failures = (backoff?.failures ?? 0) + 1;
  return { failures, retryAt: Date.now() + Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) };
};

/** Hands one batch to a function. An item that fails waits longer each time and keeps no other item waiting. Returns whether more is due. */
const runBatch = async (work: BackgroundFunction, backoffs: Map<string, Backoff>): Promise<boolean> => {
  const due = (await readerFor(work)()).filter(({ sk }) => (backoffs.get(sk)?.retryAt ?? 0) <= Date.now());
  const batch = due.slice(0, BATCH_SIZE);
  const failed = new Set((await handOver(work, batch)).map(({ sk }) => sk));
  for (const { sk } of batch) {
    if (failed.has(sk)) backoffs.set(sk, longer(backoffs.get(sk)));
    else backoffs.delete(sk);
  }
  return due.length > batch.length;
};

/** Polls for each background function until the returned function is called, which waits for the batches under way. */
export const startBackground = (
  functions: readonly BackgroundFunction[] = backgroundFunctions,
): (() => Promise<void>) => {
  // A start without a reader would leave this work undone in silence.
  for (const work of functions) readerFor(work);
  const stopping = new AbortController();
  const poll = async (work: BackgroundFunction): Promise<void> => {
    const backoffs = new Map<string, Backoff>();
    let outage: Backoff | undefined;
    while (!stopping.signal.aborted) {
      let pause = PAUSE_MS;
      try {
        if (await runBatch(work, backoffs)) pause = 0;
        outage = undefined;
      } catch (error) {
        outage = longer(outage);
        pause = outage.retryAt - Date.now();
        log.warn("background work has to wait", { endpoint: work.definition.name, error });
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const polling = functions.map(poll);
  return async () => {
    stopping.abort();
    await Promise.all(polling);
  };
};
