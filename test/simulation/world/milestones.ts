import { VOTERS_SUFFIX } from "../../../lib/table/keys.ts";
import type { Change } from "../../simulator/model/database.ts";
import type { Item } from "../../simulator/model/values.ts";

function numberIn(item: Item | undefined, name: string): number {
  const value = item?.[name];
  return value && "N" in value ? Number(value.N) : 0;
}

// More votes than an answer shows.
const CROWD = 100;

/** Rare states of a run, by the family of the partition in which they show. */
const SIGNS: Record<string, { name: string; shows: (change: Change) => boolean }> = {
  POSTS: {
    name: "posts got more than 100 votes",
    shows: ({ key, before, after }) =>
      key.sort.endsWith(VOTERS_SUFFIX) && numberIn(before, "count") <= CROWD && numberIn(after, "count") > CROWD,
  },
  DERIVED: {
    name: "posts changed rank",
    shows: ({ key, before, after }) => key.sort === "RANK" && !!(before && after),
  },
  RENAMES: { name: "renames begun", shows: ({ before }) => before === undefined },
  ERASED: { name: "lives erased", shows: ({ before }) => before === undefined },
  DUE: { name: "works put off", shows: ({ before }) => before === undefined },
  MERGES: { name: "moves begun", shows: ({ before }) => before === undefined },
  DELETED: { name: "deletions swept", shows: ({ after }) => after === undefined },
};

/** How often a run reached its aims: midnights, crowds. A run that never does proves nothing about them. */
export class Milestones {
  readonly counts = new Map<string, number>();

  count(name: string, times = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + times);
  }

  note(change: Change): void {
    const { name, shows } = SIGNS[change.key.partition.split("#")[0] ?? ""] ?? {};
    if (name && shows?.(change)) this.count(name);
    if (change.by === "expiry") this.count("items expired");
  }

  add(others: ReadonlyMap<string, number>): void {
    for (const [name, times] of others) this.count(name, times);
  }

  /** All counts in one text, zeros too. */
  toString(): string {
    const all = [...Object.values(SIGNS).map(({ name }) => name), "items expired", "midnights", ...this.counts.keys()];
    return [...new Set(all)].map((name) => `${this.counts.get(name) ?? 0} ${name}`).join(", ");
  }
}
