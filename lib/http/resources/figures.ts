import * as z from "zod/mini";
import { type DayFigures as Day, daysIn, type FigureLists, type MonthFigures } from "../../figures/figures.ts";
import { createdAt } from "../../values/ids.ts";

const Known = z.nullable(z.number());

/** How much was made on a day; null where nothing is known. */
export const DayFigures = z.object({ day: z.string(), posts: Known, votes: Known, comments: Known, accounts: Known });

/** The figures of some days, and short lists beside them, each with its greatest or oldest entry first. */
export const Stats = z.object({
  from: z.string(),
  to: z.string(),
  countedAt: z.nullable(z.string()),
  days: z.array(DayFigures),
  text: z.optional(z.string()),
  boards: z.array(z.object({ boardId: z.string(), name: z.string(), url: z.string(), posts: z.number() })),
  top: z.array(z.object({ postId: z.string(), title: z.string(), slug: z.string(), votes: z.number() })),
  unanswered: z.array(z.object({ postId: z.string(), title: z.string(), slug: z.string(), createdAt: z.string() })),
  askers: z.array(z.object({ userId: z.string(), name: z.string(), posts: z.number() })),
});
export type Stats = z.infer<typeof Stats>;

type Found = { from: string; to: string; months: MonthFigures[]; lists: FigureLists | undefined };

/** With `textOf` the days are text in place of a list. */
export function statsView({ from, to, months, lists }: Found, textOf?: (days: Day[]) => string): Stats {
  const days = daysIn(months, from, to);
  const { at, boards = [], top = [], unanswered = [], askers = [] } = lists ?? {};
  return {
    from,
    to,
    countedAt: at === undefined ? null : new Date(at).toISOString(),
    days: textOf ? [] : days,
    ...(textOf && { text: textOf(days) }),
    boards,
    top,
    unanswered: unanswered.map((post) => ({ ...post, createdAt: createdAt(post.postId) })),
    askers,
  };
}
