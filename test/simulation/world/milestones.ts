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
const SIGNS: Record<string, Record<string, (change: Change) => boolean>> = {
  POSTS: {
    "posts got more than 100 votes": ({ key, before, after }) =>
      key.sort.endsWith(VOTERS_SUFFIX) && numberIn(before, "count") <= CROWD && numberIn(after, "count") > CROWD,
  },
  DERIVED: { "posts changed rank": ({ key, before, after }) => key.sort === "RANK" && Boolean(before && after) },
  RENAMES: { "renames begun": ({ before }) => before === undefined },
  DUE: { "works put off": ({ before }) => before === undefined },
  DELETED: { "deletions swept": ({ after }) => after === undefined },
};

/** How often a run reached its aims: midnights, crowds. A run that never does proves nothing about them. */
export class Milestones {
  readonly counts = new Map<string, number>();

  count(name: string, times = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + times);
  }

  note(change: Change): void {
    const { partition } = change.key;
    const end = partition.indexOf("#");
    const signs = SIGNS[end === -1 ? partition : partition.slice(0, end)];
    for (const name in signs) if (signs[name]?.(change)) this.count(name);
    if (change.by === "expiry") this.count("items expired");
  }

  add(others: ReadonlyMap<string, number>): void {
    for (const [name, times] of others) this.count(name, times);
  }

  /** All counts in one text, zeros too. */
  toString(): string {
    const names = new Set([...ALL, ...this.counts.keys()]);
    return [...names].map((name) => `${this.counts.get(name) ?? 0} ${name}`).join(", ");
  }
}

const ALL = [...Object.values(SIGNS).flatMap((signs) => Object.keys(signs)), "items expired", "midnights"];
