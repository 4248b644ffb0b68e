import type { DynamoDBStreamEvent } from "aws-lambda";
import { setTimeout as sleep } from "node:timers/promises";
import { backgroundFunctions } from "../../functions/background/index.ts";
import type { BackgroundFunction } from "../../lib/background.ts";
import type { Family, Key } from "../../lib/data/keys.ts";
import * as outbox from "../../lib/data/outbox.ts";
import * as posts from "../../lib/data/posts.ts";
import * as log from "../../lib/log.ts";

// The table's stream on one machine: looks for new items of the families that background functions take, and hands them over in
// the shape of stream records. What is still there was not finished, so a crash repeats work and loses none.

const waiting: Partial<Record<Family, () => Promise<Key[]>>> = {
  OUTBOX: async () => (await outbox.waiting()).map(({ sk }) => ({ pk: "OUTBOX", sk })),
  DELETED: async () => (await posts.tombstones()).map((sk) => ({ pk: "DELETED", sk })),
};

const eventOf = (keys: Key[]): DynamoDBStreamEvent => ({
  Records: keys.map(({ pk, sk }, index) => ({
    eventName: "INSERT",
    eventSource: "aws:dynamodb",
    dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(index + 1) },
  })),
});

/** Hands over what waits now, to each background function in one batch; whether all of it was done. */
export const runBackgroundOnce = async (
  functions: readonly BackgroundFunction[] = backgroundFunctions,
): Promise<boolean> => {
  const results = await Promise.all(
    functions.map(async (each) => {
      const keys = (await waiting[each.definition.takes]?.()) ?? [];
      if (keys.length === 0) return true;
      return (await each(eventOf(keys))).batchItemFailures.length === 0;
    }),
  );
  return results.every(Boolean);
};

const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Hands over what waits, again and again, slower while it fails; the returned function ends it after the batch at hand. */
export const startBackground = (): (() => Promise<void>) => {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    let pause = PAUSE_MS;
    while (!stopping.signal.aborted) {
      const ok = await runBackgroundOnce().catch((error: unknown) => {
        log.warn("background work has to wait", { error: error instanceof Error ? error.name : error });
        return false;
      });
      pause = ok ? PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = loop();
  return async () => {
    stopping.abort();
    await running;
  };
};
