import * as z from "zod/mini";
import { countedIn, holdersOf, nameOf, type PostList } from "../table/post-lists.ts";
import { type Bounds, range } from "../table/ranges.ts";
import { getRange } from "../table/reads.ts";
import { DAY_MS, dayAt, startOf } from "../values/days.ts";
import { firstIdOf } from "../values/ids.ts";

// How many posts of each day the lists have. Their sum is the number of posts of a list; added up day by day, they lead
// to the day on which a numbered page begins.

// An item for each month of a list, with a number for each day: `31`, or `31a` for the posts with the status `a`.
const MonthItem = z.looseObject({ sk: z.string() });
const COUNT = /^(\d\d)([a-z]?)$/;

/** The counts that were read, by the name of the list whose items hold them. */
export type Counts = ReadonlyMap<string, z.output<typeof MonthItem>[]>;

/** Reads the counts of some lists. Statuses are counted with all posts: these items are read once. */
export async function readCounts(lists: PostList[]): Promise<Counts> {
  const read = [...holdersOf(lists)].map(
    async ([name, holder]) => [name, await getRange(range.dayCounts(holder), MonthItem)] as const,
  );
  return new Map(await Promise.all(read));
}

/** The number of posts on each day (`yyyy-mm-dd`), in all of these lists together. */
type Days = Map<string, number>;

/** Adds up the counts of some lists, by day. */
export function daysOf(lists: PostList[], counts: Counts): Days {
  const days: Days = new Map();
  for (const list of lists) {
    const { holder, suffix: wanted } = countedIn(list);
    for (const { sk: month, ...attributes } of counts.get(nameOf(holder)) ?? []) {
      for (const [attribute, number] of Object.entries(attributes)) {
        const [, day, suffix] = COUNT.exec(attribute) ?? [];
        if (day === undefined || suffix !== wanted || typeof number !== "number") continue;
        const date = `${month}-${day}`;
        days.set(date, (days.get(date) ?? 0) + number);
      }
    }
  }
  return days;
}

/** The number of posts in these lists together. */
export function totalOf(lists: PostList[], counts: Counts): number {
  return [...daysOf(lists, counts).values()].reduce((total, number) => total + number, 0);
}

/** Where a numbered page begins: the day of its first post, and how many posts of this day are skipped before it. */
export type DayStart = { day: string; skipped: number };

/** The place of the post at an offset; undefined if there are not that many posts. */
export function findDayStart(offset: number, days: Days, descending: boolean): DayStart | undefined {
  const dates = [...days.keys()].sort();
  if (descending) dates.reverse();
  let skipped = offset;
  for (const day of dates) {
    const number = days.get(day) ?? 0;
    if (skipped < number) return { day, skipped };
    skipped -= number;
  }
  return undefined;
}

/** The bounds of the rows of a day and all that follow it in the order. */
export function boundsFrom(day: string, descending: boolean): Bounds {
  if (!descending) return { from: firstIdOf(day) };
  return { before: firstIdOf(dayAt(startOf(day) + DAY_MS)) };
}
