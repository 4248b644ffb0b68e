import { setTimeout as sleep } from "node:timers/promises";
import type { DynamoDBStreamEvent } from "aws-lambda";
import { backgroundFunctions } from "../../functions/background/index.ts";
import type { BackgroundFunction } from "../../lib/background.ts";
import type { Family, Key } from "../../lib/data/keys.ts";
import * as outbox from "../../lib/data/outbox.ts";
import * as renames from "../../lib/data/renames.ts";
import * as sweeps from "../../lib/data/sweeps.ts";
import * as log from "../../lib/runtime/log.ts";

// The table's stream on one machine: looks for new items of the families that background functions take, and hands them over in
// the shape of stream records. What is still there was not finished, so a crash repeats work and loses none.

const waiting: Partial<Record<Family, () => Promise<Key[]>>> = {
  OUTBOX: async () => (await outbox.waitingIds()).map((sk) => ({ pk: "OUTBOX", sk })),
  RENAMES: async () => (await renames.waitingIds()).map((sk) => ({ pk: "RENAMES", sk })),
  DELETED: async () => (await sweeps.waiting()).map((sk) => ({ pk: "DELETED", sk })),
};

const waitingFor = async ({ definition }: BackgroundFunction): Promise<Key[]> =>
  (await waiting[definition.takes]?.()) ?? [];

const eventOf = (keys: Key[]): DynamoDBStreamEvent => ({
  Records: keys.map(({ pk, sk }, index) => ({
    eventName: "INSERT",
    eventSource: "aws:dynamodb",
    dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(index + 1) },
  })),
});

/** Hands items to a background function in one batch; those that it could not finish. */
const handOver = async (each: BackgroundFunction, keys: Key[]): Promise<Key[]> => {
  if (keys.length === 0) return [];
  const { batchItemFailures } = await each(eventOf(keys));
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  return keys.filter((_, index) => failed.has(String(index + 1)));
};

/** Hands over what waits now, to each background function in one batch; whether all of it was done. */
export const runBackgroundOnce = async (
  functions: readonly BackgroundFunction[] = backgroundFunctions,
): Promise<boolean> => {
  const failed = await Promise.all(functions.map(async (each) => handOver(each, await waitingFor(each))));
  return failed.flat().length === 0;
};

const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const BATCH_SIZE = 10;

/** How often something failed in a row, and when it may be tried again. */
type Setback = { failures: number; until: number };

const after = (setback: Setback | undefined): Setback => {
  const failures = (setback?.failures ?? 0) + 1;
  return { failures, until: Date.now() + Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) };
};

/** One batch for one function: what failed before waits longer each time, and nothing else waits for it; whether more is due. */
const runBatch = async (each: BackgroundFunction, setbacks: Map<string, Setback>): Promise<boolean> => {
  const all = await waitingFor(each);
  const due = all.filter(({ sk }) => (setbacks.get(sk)?.until ?? 0) <= Date.now());
  const batch = due.slice(0, BATCH_SIZE);
  const failed = new Set((await handOver(each, batch)).map(({ sk }) => sk));
  for (const { sk } of batch) {
    if (failed.has(sk)) setbacks.set(sk, after(setbacks.get(sk)));
    else setbacks.delete(sk);
  }
  return due.length > batch.length;
};

/** Hands over what waits, again and again; the returned function ends it after the batches at hand. */
export const startBackground = (
  functions: readonly BackgroundFunction[] = backgroundFunctions,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  const loop = async (each: BackgroundFunction): Promise<void> => {
    const setbacks = new Map<string, Setback>();
    let outage: Setback | undefined;
    while (!stopping.signal.aborted) {
      let pause = PAUSE_MS;
      try {
        if (await runBatch(each, setbacks)) pause = 0;
        outage = undefined;
      } catch (error) {
        outage = after(outage);
        pause = outage.until - Date.now();
        log.warn("background work has to wait", { endpoint: each.definition.name, error });
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = functions.map(loop);
  return async () => {
    stopping.abort();
    await Promise.all(running);
  };
};
