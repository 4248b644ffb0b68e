import { hashOf } from "../model/table.ts";

// A new table on demand has four partitions, each with these units a second, and saves up the units of one second.
const PARTITIONS = 4;
const UNITS = { read: 3000, write: 1000 };

type Bucket = { units: number; at: number };

export class Partitions {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes units from the partition of a key; false, and none taken, where there are not enough. */
  readonly charge = (kind: "read" | "write", partitionKey: string, units: number): boolean => {
    const full = UNITS[kind];
    const name = `${kind} ${hashOf(partitionKey) % PARTITIONS}`;
    const now = this.#now();
    const { units: before, at } = this.#buckets.get(name) ?? { units: full, at: now };
    const available = Math.min(full, before + ((now - at) / 1000) * full);
    // What is larger than all that a partition can save up has to wait until that is there.
    const isEnough = available >= Math.min(units, full);
    this.#buckets.set(name, { units: isEnough ? available - units : available, at: now });
    return isEnough;
  };
}
