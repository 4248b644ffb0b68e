import * as z from "zod/mini";
import { type DayFigures as Day, daysIn, type FigureLists, type MonthFigures } from "../../figures/figures.ts";
import { createdAt } from "../../values/ids.ts";

const Known = z.nullable(z.number());

/** How much was made on a day; null where nothing is known. */
export const DayFigures = z.object({ day: z.string(), posts: Known, votes: Known, comments: Known, accounts: Known });

/** A board, and how many posts it has. */
export const LeadingBoard = z.object({ boardId: z.string(), name: z.string(), url: z.string(), posts: z.number() });

/** A post, and how many votes it has. */
export const LeadingPost = z.object({ postId: z.string(), title: z.string(), slug: z.string(), votes: z.number() });

/** A post that waits for the team. */
export const UnansweredPost = z.object({
  postId: z.string(),
  title: z.string(),
  slug: z.string(),
  createdAt: z.string(),
});

/** An account, and how many of the newest posts it wrote. */
export const LeadingAuthor = z.object({ userId: z.string(), name: z.string(), posts: z.number() });

/** The figures of some days, and short lists beside them, each with its greatest or oldest entry first. */
export const Stats = z.object({
  from: z.string(),
  to: z.string(),
  countedAt: z.nullable(z.string()),
  days: z.array(DayFigures),
  text: z.optional(z.string()),
  boards: z.array(LeadingBoard),
  top: z.array(LeadingPost),
  unanswered: z.array(UnansweredPost),
  askers: z.array(LeadingAuthor),
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
