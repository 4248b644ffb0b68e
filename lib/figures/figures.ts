import * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";
import { daysBetween, monthOf } from "../values/days.ts";

// The figures of the site: how much was made on each day, in an item for each month, and short lists beside them. They
// are counted from the items themselves (counting.ts), so no request writes anything for them.

/** What is counted by day. */
export const figureKinds = ["posts", "votes", "comments", "accounts"] as const;
type FigureKind = (typeof figureKinds)[number];

const Count = z.int().check(z.minimum(0));
// A number for each day of the month that was counted, the first of the month first; null where nothing is known.
const Days = z.array(z.nullable(Count)).check(z.maxLength(31));

/** The figures of a month; `at`: when they were last counted, in milliseconds since 1970. */
export const MonthItem = z.pipe(
  z.object({ sk: z.string(), at: z.number(), posts: Days, votes: Days, comments: Days, accounts: Days }),
  z.transform(({ sk, ...figures }) => ({ month: sk, ...figures })),
);
export type MonthFigures = z.output<typeof MonthItem>;

/** The short lists; `stamp` is another one after each change, `at` says when they were counted. */
export const ListsItem = z.object({
  stamp: z.string(),
  at: z.optional(z.number()),
  // The boards with the most posts.
  boards: z._default(z.array(z.object({ boardId: z.string(), name: z.string(), url: z.string(), posts: Count })), []),
  // The posts with the most votes.
  top: z._default(z.array(z.object({ postId: z.string(), title: z.string(), slug: z.string(), votes: Count })), []),
  // The oldest posts that wait for the team.
  unanswered: z._default(z.array(z.object({ postId: z.string(), title: z.string(), slug: z.string() })), []),
  // Who wrote the most of the newest posts.
  askers: z._default(z.array(z.object({ userId: z.string(), name: z.string(), posts: Count })), []),
});
export type FigureLists = z.output<typeof ListsItem>;

/** The figures of some months (`yyyy-mm`), both included; a month that was not counted yet is absent. */
export function readMonths(from: string, to: string): Promise<MonthFigures[]> {
  return getRange(range.figures(from, to), MonthItem);
}

/** The short lists; undefined before they are counted. */
export function readLists(): Promise<FigureLists | undefined> {
  return get(key.figureLists(), ListsItem);
}

/** The figures of a day (`yyyy-mm-dd`); null where nothing is known. */
export type DayFigures = { day: string } & Record<FigureKind, number | null>;

/** The figures of each day, both ends included, from the months that were read. */
export function daysIn(months: MonthFigures[], from: string, to: string): DayFigures[] {
  const byMonth = new Map(months.map((each) => [each.month, each]));
  return daysBetween(from, to).map((day) => {
    const month = byMonth.get(monthOf(day));
    const at = Number(day.slice(8)) - 1;
    const of = (kind: FigureKind) => month?.[kind][at] ?? null;
    return { day, posts: of("posts"), votes: of("votes"), comments: of("comments"), accounts: of("accounts") };
  });
}
