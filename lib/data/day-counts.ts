import * as z from "zod";
import { dayOf } from "../values/ids.ts";
import { key, range } from "./keys.ts";
import type { Order } from "./orders.ts";
import { type Part, update } from "./parts.ts";
import type { PostList } from "./post-lists.ts";
import { getRange } from "./reads.ts";

/** The number of posts of each day (`yyyy-mm-dd`) in a list. */
export type DayCounts = ReadonlyMap<string, number>;

// One item a month; its attributes are the days, `01` to `31`.
const CountsItem = z
  .object({ sk: z.string() })
  .catchall(z.unknown())
  .transform(({ sk: month, ...attributes }) =>
    Object.entries(attributes).flatMap(([day, count]) =>
      /^\d\d$/.test(day) && typeof count === "number" ? [[`${month}-${day}`, count] as const] : [],
    ),
  );

/** Reads the day counts of a list. */
export const read = async (list: PostList): Promise<DayCounts> =>
  new Map((await getRange(range.dayCounts(list), CountsItem)).flat());

/** Part: adds to the number of posts that a list has on the day of a post. */
export const countPart = (list: PostList, postId: string, change: 1 | -1): Part => {
  const day = dayOf(postId);
  return update(key.dayCounts(list, day.slice(0, 7)), "ADD #day :change", {
    names: { "#day": day.slice(8) },
    values: { ":change": change },
  });
};

/** A list with its day counts. */
export type CountedList = { list: PostList; counts: DayCounts };

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);

/** The number of posts in some lists together. */
export const totalOf = (lists: CountedList[]): number => sum(lists.map(({ counts }) => sum(counts.values())));

/** Where an offset into merged lists falls: the day, the posts of that day before and after it, the posts of each list that day. */
export type Place = { day: string; before: number; after: number; lists: { list: PostList; size: number }[] };

/** Finds the place of an offset; undefined beyond the end. */
export const placeOf = (lists: CountedList[], offset: number, order: Order): Place | undefined => {
  const filled = lists.filter((list) => totalOf([list]) > 0);
  const days = [...new Set(filled.flatMap(({ counts }) => [...counts.keys()]))].sort();
  if (order.descending) days.reverse();
  let left = offset;
  for (const day of days) {
    const ofDay = filled.map(({ list, counts }) => ({ list, size: counts.get(day) ?? 0 }));
    const size = sum(ofDay.map((list) => list.size));
    if (left < size) return { day, before: left, after: size - left, lists: ofDay };
    left -= size;
  }
  return undefined;
};
