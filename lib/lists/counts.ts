import * as z from "zod/mini";
import type { PostList } from "../table/post-lists.ts";
import { getRange } from "../table/reads.ts";
import { OPEN_LETTER, type StatusLetter } from "../values/statuses.ts";
import type { Filter } from "./filter.ts";
import type { Order } from "./orders.ts";

type Count = ReadonlyMap<StatusLetter, number>;

export type Counts = ReadonlyMap<string, Count>;

export type CountedList = { list: PostList; counts: Counts };

// An item a month. Digits, as the days `01` to `31`, count all posts; with a letter, as `01a`, the posts with a status.
const CountsItem = z.looseObject({ sk: z.string() });

export async function readCounts(list: PostList, order: Order): Promise<Counts> {
  const counts = new Map<string, Map<StatusLetter, number>>();
  for (const { sk: month, ...attributes } of await getRange(order.counts(list), CountsItem)) {
    for (const [attribute, number] of Object.entries(attributes)) {
      const [, digits, letter] = /^(\d+)([a-z])?$/.exec(attribute) ?? [];
      if (digits === undefined || typeof number !== "number") continue;
      const bucket = order.bucketOf(month, digits);
      const count = counts.get(bucket) ?? new Map<StatusLetter, number>();
      counts.set(bucket, count);
      const add = (status: StatusLetter, change: number) => count.set(status, (count.get(status) ?? 0) + change);
      // Posts are open unless a letter counts them.
      add(OPEN_LETTER, letter === undefined ? number : -number);
      if (letter !== undefined) add(letter, number);
    }
  }
  return counts;
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

export function numberOf(count: Count | undefined, { statuses }: Filter = {}): number {
  return sum([...(count ?? [])].map(([status, number]) => (!statuses || statuses.has(status) ? number : 0)));
}

export function totalOf(lists: CountedList[], filter?: Filter): number {
  return sum(lists.flatMap(({ counts }) => [...counts.values()].map((count) => numberOf(count, filter))));
}

/** Posts that are counted together, in all lists of a page; `size` is the number with one of the filter's statuses. */
export type Bucket = { name: string; size: number };

export function bucketsOf(lists: CountedList[], order: Order, filter?: Filter): Bucket[] {
  const names = [...new Set(lists.flatMap(({ counts }) => [...counts.keys()]))].sort();
  if (order.descending) names.reverse();
  return names.map((name) => ({ name, size: sum(lists.map(({ counts }) => numberOf(counts.get(name), filter))) }));
}

/** Which bucket holds the post at an offset, and how many of its posts come before; beyond the end, none. */
export function placeOf(buckets: Bucket[], offset: number): { index: number; before: number } {
  let before = offset;
  for (const [index, { size }] of buckets.entries()) {
    if (before < size) return { index, before };
    before -= size;
  }
  return { index: buckets.length, before: 0 };
}
