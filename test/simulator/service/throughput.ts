import type { Surroundings } from "../model/database.ts";
import { hashOf } from "../model/table.ts";

/** Units a second. */
export type Units = { read: number; write: number };

// A new table on demand has four partitions, each with these units a second, and saves up the units of one second.
const PARTITIONS = 4;
const UNITS: Units = { read: 3000, write: 1000 };

/** Takes units from the partition of a key, and from a maximum of all; takes none if there are too few. */
export function partitionsOf(now: () => number, most?: Units): Surroundings["charge"] {
  const buckets = new Map<string, { units: number; at: number }>();

  const take = (name: string, full: number, units: number, needed = units): boolean => {
    const { units: before, at } = buckets.get(name) ?? { units: full, at: now() };
    const available = Math.min(full, before + ((now() - at) / 1000) * full);
    // A request larger than a partition's whole savings waits until those are full.
    const isEnough = available >= Math.min(needed, full);
    buckets.set(name, { units: isEnough ? available - units : available, at: now() });
    return isEnough;
  };

  return (kind, partitionKey, units) => {
    // The maximum counts past units: one large request may exceed it, and the next ones wait.
    if (most && !take(`${kind} in all`, most[kind], units, 1)) return false;
    return take(`${kind} ${hashOf(partitionKey) % PARTITIONS}`, UNITS[kind], units);
  };
}
