import { hashOf } from "../model/table.ts";

/** Units a second. */
export type Units = { read: number; write: number };

// A new table on demand has four partitions, each with these units a second, and saves up the units of one second.
const PARTITIONS = 4;
const UNITS: Units = { read: 3000, write: 1000 };

type Bucket = { units: number; at: number };

/** The units of each partition, and of all together if the table has a maximum. */
export class Partitions {
  readonly #now: () => number;
  readonly #most: Units | undefined;
  readonly #buckets = new Map<string, Bucket>();

  constructor(now: () => number, most?: Units) {
    this.#now = now;
    this.#most = most;
  }

  /** Takes units from the partition of a key; false if there are too few, and then it takes none. */
  readonly charge = (kind: "read" | "write", partitionKey: string, units: number): boolean => {
    // The maximum counts past units: one large request may exceed it, and the next ones wait.
    if (this.#most && !this.#take(`${kind} in all`, this.#most[kind], units, 1)) return false;
    return this.#take(`${kind} ${hashOf(partitionKey) % PARTITIONS}`, UNITS[kind], units);
  };

  #take(name: string, full: number, units: number, needed = units): boolean {
    const now = this.#now();
    const { units: before, at } = this.#buckets.get(name) ?? { units: full, at: now };
    const available = Math.min(full, before + ((now - at) / 1000) * full);
    // A request larger than a partition's whole savings waits until those are full.
    const isEnough = available >= Math.min(needed, full);
    this.#buckets.set(name, { units: isEnough ? available - units : available, at: now });
    return isEnough;
  }
}
