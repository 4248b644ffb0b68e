import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { Change } from "../model/database.ts";
import { hashOf, keyAttributes } from "../model/table.ts";
import { type Item, isEqual } from "../model/values.ts";
import type { Random } from "../scheduler/random.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";

/** A record, and the time from which readers find it. */
type Entry = { record: DynamoDBRecord; visibleAt: number };

// Records of one partition key are in one shard. Readers find a record after about this time, in milliseconds.
const SHARDS = 4;
const DELAY_MS = 150;

/** The stream of a table, which tells keys only: each shard has its changes in the order of their commits. */
export class Stream {
  readonly shards: readonly Entry[][];
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #waiting = new Map<readonly Entry[], (() => void)[]>();
  #sequence = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#random = scheduler.random.fork("stream");
    this.shards = Array.from({ length: SHARDS }, () => []);
  }

  whenMore(shard: readonly Entry[], wake: () => void): void {
    this.#waiting.set(shard, [...(this.#waiting.get(shard) ?? []), wake]);
  }

  /** Adds a change; one that changed nothing leaves no record. */
  readonly add = ({ key, before, after }: Change): void => {
    if (before && after && isEqual({ M: before }, { M: after })) return;
    const scheduler = this.#scheduler;
    const sequence = ++this.#sequence;
    const shard = this.shards[hashOf(key.partition) % this.shards.length] as Entry[];
    // A record is never found before those that come before it in its shard.
    const visibleAt = Math.max(scheduler.now + this.#random.longTailed(DELAY_MS, 0.6), shard.at(-1)?.visibleAt ?? 0);
    const record = {
      eventName: eventNameOf(before, after),
      dynamodb: { Keys: keyAttributes(key), SequenceNumber: String(sequence).padStart(21, "0") },
    };
    shard.push({ record: record as DynamoDBRecord, visibleAt });
    for (const wake of this.#waiting.get(shard) ?? []) wake();
    this.#waiting.delete(shard);
  };
}

function eventNameOf(before: Item | undefined, after: Item | undefined): "INSERT" | "MODIFY" | "REMOVE" {
  if (!before) return "INSERT";
  return after ? "MODIFY" : "REMOVE";
}

/** How Lambda reads a stream for a function: the settings of an event source mapping. */
export type MappingOptions = {
  scheduler: Scheduler;
  stream: Stream;
  name: string;
  /** The records that it wants; Lambda skips all others. */
  filter: (record: DynamoDBRecord) => boolean;
  batchSize: number;
  /** The time that the first record of a batch waits for others, in milliseconds. */
  window?: number;
  /** The number of repetitions of a batch before its records are given up. */
  retryAttempts: number;
  /** Calls the function; rejects if it fails or does not answer in time. */
  invoke: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse | undefined>;
  /** The share of finished batches that are handed over once more. */
  repeats?: number;
};

// The pauses in milliseconds: between two looks into a shard, after the first failure, and at most.
const POLL_MS = 250;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** Hands the records of a stream to a function, shard by shard: in order, at least once, again after each failure. */
export class EventSourceMapping {
  readonly #options: MappingOptions;
  readonly #random: Random;

  constructor(options: MappingOptions) {
    this.#options = options;
    this.#random = options.scheduler.random.fork(`mapping ${options.name}`);
    for (const shard of options.stream.shards) this.#poll(shard, 0);
  }

  /** Looks into a shard from a place on, again while it has unseen records. */
  #poll(shard: readonly Entry[], from: number, waits = true): void {
    const { scheduler, stream, filter, batchSize, window = 0 } = this.#options;
    if (from === shard.length) {
      stream.whenMore(shard, () => this.#poll(shard, from));
      return;
    }
    const pause = waits ? this.#random.between(POLL_MS / 2, POLL_MS) : window;
    scheduler.after(pause, () => {
      const batch: Entry[] = [];
      let at = from;
      for (; at < shard.length && batch.length < batchSize; at++) {
        const entry = shard[at] as Entry;
        if (entry.visibleAt > scheduler.now) break;
        if (filter(entry.record)) batch.push(entry);
      }
      if (batch.length === 0) this.#poll(shard, at);
      else if (waits && window > 0 && batch.length < batchSize) this.#poll(shard, from, false);
      else void this.#handOver(batch, 0).then(() => this.#poll(shard, at));
    });
  }

  /** Hands a batch over until all of it is finished or given up. */
  async #handOver(batch: Entry[], failures: number): Promise<void> {
    const { retryAttempts, repeats = 0 } = this.#options;
    if (batch.length === 0) return;
    if (failures > retryAttempts) return;
    if (failures > 0) await this.#wait(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS));
    const finished = await this.#invoke(batch);
    if (finished === batch.length) {
      if (this.#random.chance(repeats)) await this.#invoke(batch);
    } else if (finished !== "nothing is known") {
      // The function told how far it got.
      await this.#handOver(batch.slice(finished), failures + 1);
    } else {
      const middle = Math.ceil(batch.length / 2);
      await this.#handOver(batch.slice(0, middle), failures + 1);
      await this.#handOver(batch.slice(middle), failures + 1);
    }
  }

  /** Hands a batch over once. Returns how many records, from the first on, were finished. */
  async #invoke(batch: Entry[]): Promise<number | "nothing is known"> {
    this.#options.scheduler.disturb();
    const records = batch.map(({ record }) => structuredClone(record));
    try {
      const { batchItemFailures = [] } = (await this.#options.invoke({ Records: records })) ?? {};
      if (batchItemFailures.length === 0) return batch.length;
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ""));
      // An answer that names no record of the batch counts as a failure of all of it.
      return first === -1 ? "nothing is known" : first;
    } catch {
      return "nothing is known";
    }
  }

  #wait(milliseconds: number): Promise<void> {
    const { scheduler } = this.#options;
    return new Promise((done) => {
      scheduler.after(milliseconds, () => {
        scheduler.disturb();
        done();
      });
    });
  }
}
