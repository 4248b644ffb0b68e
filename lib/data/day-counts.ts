import * as z from "zod/mini";
import { dayOf } from "../values/ids.ts";
import type { StatusLetter } from "../values/statuses.ts";
import { key, range } from "./keys.ts";
import type { Order } from "./orders.ts";
import { type Part, update } from "./parts.ts";
import type { PostList } from "./post-lists.ts";
import { getRange } from "./reads.ts";

/** How many posts: all of them, and how many of these have each status; the rest is open. */
export type Count = { all: number; byStatus: Readonly<Record<string, number>> };

/** The posts of each day (`yyyy-mm-dd`) in a list. */
export type DayCounts = ReadonlyMap<string, Count>;

/** Some statuses, where only their posts are asked for. */
export type Statuses = ReadonlySet<StatusLetter>;

// One item a month; its attributes are the days, `01` to `31`, and the days with the letter of a status, `01a`.
const CountsItem = z.pipe(
  z.looseObject({ sk: z.string() }),
  z.transform(({ sk: month, ...attributes }): [string, Count][] => {
    const days = new Map<string, { all: number; byStatus: Record<string, number> }>();
    for (const [name, number] of Object.entries(attributes)) {
      const [, day = "", letter] = /^(\d\d)([a-z])?$/.exec(name) ?? [];
      if (day === "" || typeof number !== "number") continue;
      const count = days.get(day) ?? { all: 0, byStatus: {} };
      days.set(day, count);
      if (letter === undefined) count.all = number;
      else count.byStatus[letter] = number;
    }
    return [...days].map(([day, count]) => [`${month}-${day}`, count]);
  }),
);

/** Reads the day counts of a list. */
export const read = async (list: PostList): Promise<DayCounts> =>
  new Map((await getRange(range.dayCounts(list), CountsItem)).flat());

/** Part: adds to the number of posts that a list has on the day of a post: of all, and of those of its status. */
export const countPart = (list: PostList, postId: string, change: 1 | -1, status: StatusLetter): Part => {
  const { counts, day } = countsAt(list, postId);
  const values = { ":change": change };
  return status === undefined
    ? update(counts, "ADD #day :change", { names: { "#day": day }, values })
    : update(counts, "ADD #day :change, #ofStatus :change", {
        names: { "#day": day, "#ofStatus": `${day}${status}` },
        values,
      });
};

/** Part: counts a post under another status than before. */
export const recountPart = (list: PostList, postId: string, from: StatusLetter, to: StatusLetter): Part => {
  const { counts, day } = countsAt(list, postId);
  const changes = [
    ...(from === undefined ? [] : [{ name: "#from", status: from, value: ":less", change: -1 }]),
    ...(to === undefined ? [] : [{ name: "#to", status: to, value: ":more", change: 1 }]),
  ];
  return update(counts, `ADD ${changes.map(({ name, value }) => `${name} ${value}`).join(", ")}`, {
    names: Object.fromEntries(changes.map(({ name, status }) => [name, `${day}${status}`])),
    values: Object.fromEntries(changes.map(({ value, change }) => [value, change])),
  });
};

const countsAt = (list: PostList, postId: string) => {
  const day = dayOf(postId);
  return { counts: key.dayCounts(list, day.slice(0, 7)), day: day.slice(8) };
};

/** A list with its day counts. */
export type CountedList = { list: PostList; counts: DayCounts };

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);

/** How many of some posts have one of the statuses; open are those that no status counts. */
export const numberOf = ({ all, byStatus }: Count, statuses?: Statuses): number => {
  if (!statuses) return all;
  const counted = Object.entries(byStatus).filter(([letter]) => statuses.has(letter) !== statuses.has(undefined));
  const number = sum(counted.map(([, ofStatus]) => ofStatus));
  return statuses.has(undefined) ? all - number : number;
};

/** The number of posts in some lists together. */
export const totalOf = (lists: CountedList[], statuses?: Statuses): number =>
  sum(lists.map(({ counts }) => sum([...counts.values()].map((count) => numberOf(count, statuses)))));

/** The days of some lists in which there is any post of the statuses, in an order, each with the number of them in each list. */
export const daysOf = (lists: CountedList[], order: Order, statuses?: Statuses): { day: string; sizes: number[] }[] => {
  const names = [...new Set(lists.flatMap(({ counts }) => [...counts.keys()]))].sort();
  if (order.descending) names.reverse();
  return names
    .map((day) => ({ day, sizes: lists.map(({ counts }) => sizeOf(counts.get(day), statuses)) }))
    .filter(({ sizes }) => sum(sizes) > 0);
};

const sizeOf = (count: Count | undefined, statuses?: Statuses): number => (count ? numberOf(count, statuses) : 0);

/** A list with its counts, and the number of posts that it has on the day of a place. */
export type PlacedList = CountedList & { size: number };

/** Where an offset into merged lists falls: the day, the posts of that day before and after it, and the lists. */
export type Place = { day: string; before: number; after: number; lists: PlacedList[] };

/** Finds the place of an offset; undefined beyond the end. */
export const placeOf = (lists: CountedList[], offset: number, order: Order, statuses?: Statuses): Place | undefined => {
  const filled = lists.filter((list) => totalOf([list], statuses) > 0);
  let left = offset;
  for (const { day, sizes } of daysOf(filled, order, statuses)) {
    const size = sum(sizes);
    if (left < size) {
      const ofDay = filled.map((list, index) => ({ ...list, size: sizes[index] ?? 0 }));
      return { day, before: left, after: size - left, lists: ofDay };
    }
    left -= size;
  }
  return undefined;
};
