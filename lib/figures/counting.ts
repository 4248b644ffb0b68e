import * as z from "zod/mini";
import { daysOf, readCounts } from "../lists/days.ts";
import { trendingSince } from "../lists/orders.ts";
import { allEnded } from "../runtime/all-ended.ts";
import { setAlone, stillHas } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { idIn, key } from "../table/keys.ts";
import { type Condition, create } from "../table/parts.ts";
import { allPosts } from "../table/post-lists.ts";
import { range } from "../table/ranges.ts";
import { get, getFirst, getRange, pagesOf } from "../table/reads.ts";
import { removeAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";
import { boundsOf, DAY_MS, dayAt, daysBetween, monthOf, monthsBetween } from "../values/days.ts";
import { firstIdAt, firstIdOf, timeOf } from "../values/ids.ts";
import { countComments, knownSince } from "./comments.ts";
import { type MonthFigures, readMonths } from "./figures.ts";
import { countLists } from "./lists.ts";

// The figures are counted from what there is: posts by the counts of their list, accounts by their ids, votes by the
// ids of the votes on the posts that trend, comments by their events. A count is written as it is and not added, so it
// can be repeated, and a job that dies has spoilt nothing. A day is counted each hour until two hours after its end.

/** A day is counted for the last time so long after its end: what follows a vote has been done by then. */
const FINAL_MS = 2 * 60 * 60 * 1000;

/** The job: when it began, since when all months are counted anew, and how far it came with the votes of a month. */
export const CountingItem = z.object({
  at: z.number(),
  anew: z.optional(z.number()),
  votes: z.optional(
    z.object({
      month: z.string(),
      // When the count of the month began, the post that was reached, and the votes of each day up to it.
      at: z.number(),
      after: z.string(),
      days: z.record(z.string(), z.number()),
    }),
  ),
});
type Job = z.output<typeof CountingItem>;

/** Numbers by day (`yyyy-mm-dd`). */
type Numbers = Record<string, number>;

/** The days of a month that are to be counted: from `from` (`yyyy-mm-dd`) to `to`; `before`: what was counted. */
type Span = { month: string; from: string; to: string; at: number; before: MonthFigures | undefined };

/** Leaves the job that counts the figures, unless it waits already. */
export async function begin(now = Date.now()): Promise<void> {
  await transact({ job: create(key.counting(), { at: now }) });
}

/**
 * Has all months counted anew: after an import, which makes things with times of the past. A job that is under way may
 * have looked where they were missing, so it begins again too.
 */
export async function beginAnew(now = Date.now()): Promise<void> {
  await setAlone(key.counting(), { at: now, anew: now, votes: undefined }, {});
}

/** Condition: no job has taken the place of this one. */
function isStill({ at, anew }: Job): Condition {
  return stillHas({ at, anew });
}

/** Counts what is behind. Returns "more" if `isOver` interrupted it. */
export async function carryOut(isOver: () => boolean, now = Date.now()): Promise<Outcome> {
  const job = await get(key.counting(), CountingItem);
  if (!job) return "done";
  const spans = await spansBehind(job, now);
  const posts = spans.length > 0 ? await countPosts() : {};
  for (const span of spans) {
    if (isOver()) return "more";
    if ((await countMonth(span, { job, posts }, isOver)) === "more") return "more";
  }
  await countLists(now);
  await removeAlone(key.counting(), isStill(job));
  return "done";
}

/** The months with days whose numbers may still change, the oldest first. */
async function spansBehind(job: Job, now: number): Promise<Span[]> {
  const today = dayAt(now);
  const first = await firstDay();
  if (first === undefined) return [];
  const known = new Map((await readMonths("0", "9")).map((each) => [each.month, each]));
  return monthsBetween(monthOf(first), monthOf(today)).flatMap((month) => {
    const before = known.get(month);
    const { start, end } = boundsOf(month);
    const counted = before && before.at >= (job.anew ?? 0) ? before.at : 0;
    if (counted >= Math.min(end + FINAL_MS, job.at)) return [];
    const at = job.votes?.month === month ? job.votes.at : now;
    const from = dayAt(Math.max(start, counted - FINAL_MS));
    return [{ month, from, to: dayAt(Math.min(end - DAY_MS, at)), at, before }];
  });
}

/** The day of the first account or post; undefined on a site that has neither. */
async function firstDay(): Promise<string | undefined> {
  const Row = z.object({ sk: z.string() });
  const ranges = [range.userRows(), range.listRows(allPosts)];
  const firsts = await Promise.all(ranges.map((each) => getFirst(each, Row, 1)));
  const times = firsts.flatMap(({ items }) => items.map(({ sk }) => timeOf(sk)));
  return times.length > 0 ? dayAt(Math.min(...times)) : undefined;
}

/** `posts`: the numbers of all days, which lie together. */
async function countMonth(
  span: Span,
  { job, posts }: { job: Job; posts: Numbers },
  isOver: () => boolean,
): Promise<"done" | "more"> {
  const { month, at, before } = span;
  const votes = await countVotes(span, job, isOver);
  if (votes === "more") return "more";
  const since = knownSince(at);
  const [accounts, comments] = await Promise.all([countAccounts(span), countComments(span, since)]);
  const days = daysBetween(`${month}-01`, span.to);
  const numbers = (kind: "posts" | "votes" | "accounts", counted: Numbers) =>
    days.map((day, n) => (day < span.from ? (before?.[kind][n] ?? null) : (counted[day] ?? 0)));
  const ofComments = days.map((day, n) =>
    day < span.from || day < since ? (before?.comments[n] ?? null) : (comments[day] ?? 0),
  );
  await setAlone(
    key.figures(month),
    {
      at,
      posts: numbers("posts", posts),
      votes: numbers("votes", votes),
      comments: ofComments,
      accounts: numbers("accounts", accounts),
    },
    // Another attempt may have counted meanwhile.
    before ? stillHas({ at: before.at }) : { if: "attribute_not_exists(pk)" },
  );
  if (job.votes) await setAlone(key.counting(), { votes: undefined }, isStill(job));
  return "done";
}

async function countPosts(): Promise<Numbers> {
  return Object.fromEntries(daysOf([allPosts], await readCounts([allPosts])));
}

/** The ids that were made in a span. */
function boundsIn({ from, to }: Span) {
  return { from: firstIdOf(from), before: firstIdAt(Date.parse(to) + DAY_MS) };
}

const Row = z.object({ sk: z.string() });

/** Adds the things with these ids to the numbers of their days. */
function addTo(numbers: Numbers, ids: string[]): void {
  for (const id of ids) {
    const day = dayAt(timeOf(id));
    numbers[day] = (numbers[day] ?? 0) + 1;
  }
}

async function countAccounts(span: Span): Promise<Numbers> {
  const numbers: Numbers = {};
  const { from, before: to } = boundsIn(span);
  for await (const page of pagesOf(range.userRows({ from, to }), Row))
    addTo(
      numbers,
      page.map(({ sk }) => sk),
    );
  return numbers;
}

// A trending time is exact to about seven minutes.
const ROUNDING_MS = 15 * 60_000;
// Posts whose votes are counted at the same time.
const AT_ONCE = 20;

/**
 * Counts the votes of each day. A vote puts the trending time of its post at the time of the vote or later, so only
 * posts that trend since the beginning can have votes of these days.
 */
async function countVotes(span: Span, job: Job, isOver: () => boolean): Promise<Numbers | "more"> {
  const progress = job.votes?.month === span.month ? job.votes : undefined;
  const days: Numbers = { ...progress?.days };
  const rows = await getRange(trendingSince(Date.parse(span.from) - ROUNDING_MS), Row);
  // In the order of their ids: where the job continues does not depend on votes that were cast meanwhile.
  const ids = [...new Set(rows.map(({ sk }) => idIn(sk)))].sort().filter((id) => id > (progress?.after ?? ""));
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const votes = await allEnded(some.map((postId) => getRange(range.votesWithin(postId, boundsIn(span)), Row)));
    addTo(
      days,
      votes.flat().map(({ sk }) => sk),
    );
    const after = some.at(-1) as string;
    if (isOver() && at + AT_ONCE < ids.length) {
      const reached = { month: span.month, at: span.at, after, days };
      await setAlone(key.counting(), { votes: reached }, isStill(job));
      return "more";
    }
  }
  return days;
}
