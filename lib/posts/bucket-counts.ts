import * as z from "zod/mini";
import type { Order } from "../lists/orders.ts";
import { key } from "../table/keys.ts";
import { type Part, update } from "../table/parts.ts";
import type { PostList } from "../table/post-lists.ts";
import { getRange } from "../table/reads.ts";
import { dayOf } from "../values/ids.ts";
import type { StatusLetter } from "../values/statuses.ts";

/** How many posts: all of them, and how many of these have each status; the rest is open. */
export type Count = { all: number; byStatus: Readonly<Record<string, number>> };

/** The posts of each bucket of an order, in a list: of each day, for example. */
export type BucketCounts = ReadonlyMap<string, Count>;

/** Some statuses, where only their posts are asked for. */
export type Statuses = ReadonlySet<StatusLetter>;

// One item a month. Its attributes are digits, as the days `01` to `31`, and digits with the letter of a status, `01a`.
const CountsItem = z.looseObject({ sk: z.string() });

/** Reads the counts of a list, for an order. */
export async function read(list: PostList, order: Order): Promise<BucketCounts> {
  const counts = new Map<string, { all: number; byStatus: Record<string, number> }>();
  for (const { sk: month, ...attributes } of await getRange(order.counts(list), CountsItem)) {
    for (const [attribute, number] of Object.entries(attributes)) {
      const [, digits, letter] = /^(\d+)([a-z])?$/.exec(attribute) ?? [];
      if (digits === undefined || typeof number !== "number") continue;
      const name = order.nameOf(month, digits);
      const count = counts.get(name) ?? { all: 0, byStatus: {} };
      counts.set(name, count);
      // Several months can count into one bucket.
      if (letter === undefined) count.all += number;
      else count.byStatus[letter] = (count.byStatus[letter] ?? 0) + number;
    }
  }
  return counts;
}

/** Part: adds to the number of posts that a list has on the day of a post: of all, and of those of its status. */
export function countPart(list: PostList, postId: string, change: 1 | -1, status: StatusLetter): Part {
  const { counts, day } = countsAt(list, postId);
  const values = { ":change": change };
  return status === undefined
    ? update(counts, "ADD #day :change", { names: { "#day": day }, values })
    : update(counts, "ADD #day :change, #ofStatus :change", {
        names: { "#day": day, "#ofStatus": `${day}${status}` },
        values,
      });
}

/** Part: counts a post under another status than before. */
export function recountPart(list: PostList, postId: string, from: StatusLetter, to: StatusLetter): Part {
  const { counts, day } = countsAt(list, postId);
  const changes = [
    ...(from === undefined ? [] : [{ name: "#from", status: from, value: ":less", change: -1 }]),
    ...(to === undefined ? [] : [{ name: "#to", status: to, value: ":more", change: 1 }]),
  ];
  return update(counts, `ADD ${changes.map(({ name, value }) => `${name} ${value}`).join(", ")}`, {
    names: Object.fromEntries(changes.map(({ name, status }) => [name, `${day}${status}`])),
    values: Object.fromEntries(changes.map(({ value, change }) => [value, change])),
  });
}

function countsAt(list: PostList, postId: string) {
  const day = dayOf(postId);
  return { counts: key.dayCounts(list, day.slice(0, 7)), day: day.slice(8) };
}

/** A list with its counts. */
export type CountedList = { list: PostList; counts: BucketCounts };

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

/** How many of some posts have one of the statuses; open are those that no status counts. */
export function numberOf({ all, byStatus }: Count, statuses?: Statuses): number {
  if (!statuses) return all;
  const counted = Object.entries(byStatus).filter(([letter]) => statuses.has(letter) !== statuses.has(undefined));
  const number = sum(counted.map(([, ofStatus]) => ofStatus));
  return statuses.has(undefined) ? all - number : number;
}

/** The number of posts in some lists together. */
export function totalOf(lists: CountedList[], statuses?: Statuses): number {
  return sum(lists.map(({ counts }) => sum([...counts.values()].map((count) => numberOf(count, statuses)))));
}

/** The buckets of some lists with any post of the statuses, in an order, each with the number of them in each list. */
export function bucketsOf(
  lists: CountedList[],
  order: Order,
  statuses?: Statuses,
): { bucket: string; sizes: number[] }[] {
  const names = [...new Set(lists.flatMap(({ counts }) => [...counts.keys()]))].sort();
  if (order.descending) names.reverse();
  return names
    .map((bucket) => ({ bucket, sizes: lists.map(({ counts }) => sizeOf(counts.get(bucket), statuses)) }))
    .filter(({ sizes }) => sum(sizes) > 0);
}

function sizeOf(count: Count | undefined, statuses?: Statuses): number {
  return count ? numberOf(count, statuses) : 0;
}

/** A list with its counts, and the number of posts that it has in the bucket of a place. */
export type PlacedList = CountedList & { size: number };

/** Where an offset into merged lists falls: the bucket, its posts before and after the place, and the lists. */
export type Place = { bucket: string; before: number; after: number; lists: PlacedList[] };

/** Finds the place of an offset; undefined beyond the end. */
export function placeOf(lists: CountedList[], offset: number, order: Order, statuses?: Statuses): Place | undefined {
  const filled = lists.filter((list) => totalOf([list], statuses) > 0);
  let left = offset;
  for (const { bucket, sizes } of bucketsOf(filled, order, statuses)) {
    const size = sum(sizes);
    if (left < size) {
      const placed = filled.map((list, index) => ({ ...list, size: sizes[index] ?? 0 }));
      return { bucket, before: left, after: size - left, lists: placed };
    }
    left -= size;
  }
  return undefined;
}
