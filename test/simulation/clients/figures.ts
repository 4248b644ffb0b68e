import type { DayFigures } from "../../../lib/figures/figures.ts";
import { dayAt, daysBetween } from "../../../lib/values/days.ts";
import { expectThat } from "../history/violation.ts";
import type { Family, Turn } from "./turn.ts";

/** The figures of the last days: each day once, in order; no number is of a day that has not come. */
async function show(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner", "moderator");
  if (!session) return;
  const answer = await turn.call(session, "stats-show", { query: {} });
  if (!turn.expectStatus(answer, 200)) return;
  const days = answer.body.days as DayFigures[];
  const { from, to } = answer.body as { from: string; to: string };
  expectThat(days.map(({ day }) => day).join() === daysBetween(from, to).join(), "stats-show lacks days", days);
  const early = days.filter(({ day, posts }) => posts !== null && day > dayAt(answer.to));
  expectThat(early.length === 0, "stats-show counts a day that has not come", early);
}

export const figures: Family = { show: { weight: 0.3, act: show } };
