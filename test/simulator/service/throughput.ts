import { hashOf } from "../model/table.ts";

/** What each physical partition can give. */
export type Throughput = {
  /** Over how many partitions a table's keys are spread. */
  partitions: number;
  /** Units a second. */
  read: number;
  write: number;
  /** For how many seconds of rest it can give more. */
  burst: number;
};

/** A new table on demand: four partitions, each with the limits of any partition. */
export const ON_DEMAND: Throughput = { partitions: 4, read: 3000, write: 1000, burst: 1 };

/** Units that are there, and when that was. */
type Bucket = { units: number; at: number };

/** Keeps account of the units of each partition. */
export class Partitions {
  readonly #throughput: Throughput;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(throughput: Throughput, now: () => number) {
    this.#throughput = throughput;
    this.#now = now;
  }

  /** Takes units from the partition of a key; false, and none taken, where there are not enough. */
  readonly charge = (kind: "read" | "write", partitionKey: string, units: number): boolean => {
    const { partitions, burst } = this.#throughput;
    const rate = this.#throughput[kind];
    const full = rate * burst;
    const name = `${kind} ${hashOf(partitionKey) % partitions}`;
    const now = this.#now();
    const { units: before, at } = this.#buckets.get(name) ?? { units: full, at: now };
    const available = Math.min(full, before + ((now - at) / 1000) * rate);
    // What is larger than all that a partition can save up has to wait until that is there.
    const isEnough = available >= Math.min(units, full);
    this.#buckets.set(name, { units: isEnough ? available - units : available, at: now });
    return isEnough;
  };
}
