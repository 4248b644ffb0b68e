import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as figures from "../../lib/figures/figures.ts";
import { mapped, optional, refuse } from "../../lib/http/inputs.ts";
import { Stats, statsView } from "../../lib/http/resources/figures.ts";
import { figuresText } from "../../lib/moving/figures-text.ts";
import { DAY_MS, dayAt, isDay, monthOf, startOf } from "../../lib/values/days.ts";

const MOST_DAYS = 366;
const USUAL_DAYS = 30;

type Asked = { from?: string | undefined; to?: string | undefined };

/** The days that a call asks for: by default thirty, up to today. */
function spanOf({ from, to = dayAt(Date.now()) }: Asked): { from: string; to: string } {
  return { from: from ?? dayAt(startOf(to) - (USUAL_DAYS - 1) * DAY_MS), to };
}

// Also called with other texts than days: then the difference is not a number.
const isSpan = z.refine<Asked>(
  ({ from, to = dayAt(Date.now()) }) => {
    const days = from === undefined ? USUAL_DAYS : (startOf(to) - startOf(from)) / DAY_MS + 1;
    return days >= 1 && days <= MOST_DAYS;
  },
  { path: ["from"], message: `Must be at most ${MOST_DAYS} days before "to", and not after it` },
);

const Day = mapped(z.string(), (text, context) =>
  isDay(text) ? text : refuse(context, "Must be a day from 1970 to 2999, as in 2026-01-31"),
).check(z.meta({ type: "string", format: "date" }));

const query = z.object({ from: optional(Day), to: optional(Day), format: optional(z.enum(["csv"])) }).check(isSpan);

/**
 * Returns how many posts, votes, comments and accounts were made on each day (in UTC) from one to another, at most 366
 * days, by default the last thirty; and the boards with the most posts, the posts with the most votes, those that wait
 * longest for the team, and who wrote the most of the newest 1,000 posts. They are counted each hour; `countedAt` says
 * when. A number is of what was still there when the day was counted, and null where nothing is known. With `format`
 * the days are `text`, as rows of a sheet, and `days` is empty.
 */
export const handler = defineEndpoint({
  name: "stats-show",
  route: "GET /stats",
  permission: "stats:read",
  request: z.object({ query }),
  response: Stats,
  table: { FIGURES: ["get", "query"] },
  prefetch: ({ query }) => {
    const { from, to } = spanOf(query);
    return Promise.all([figures.readMonths(monthOf(from), monthOf(to)), figures.readLists()]);
  },
  handle: async ({ query, prefetched: [months, lists] }) =>
    statsView({ ...spanOf(query), months, lists }, query.format && figuresText),
});
