import * as z from "zod";
import { firstIdOf } from "../values/ids.ts";
import type { Place } from "./day-counts.ts";
import { type Bounds, type ListName, range } from "./keys.ts";
import { pagesOf } from "./table.ts";

const RowItem = z
  .object({ sk: z.string(), boardId: z.string().optional() })
  .transform(({ sk, boardId }) => ({ postId: sk, boardId }));

/** A row of a list: it names a post; those of roadmaps name the board too. */
export type Row = z.output<typeof RowItem>;

/** Rows in an order; they are read page by page, as they are taken. */
export type Rows = AsyncGenerator<Row, void, undefined>;

/** Oldest first, or newest first. */
export type Order = "asc" | "desc";

/** The bounds of what comes after a post in an order; of everything, where no post is named. */
export const boundsAfter = (postId: string | undefined, order: Order): Bounds => {
  if (postId === undefined) return {};
  return order === "asc" ? { after: postId } : { before: postId };
};

/** The rows of a stretch of a list. The first page is asked for at once, so that several lists are read side by side. */
export const rowsOf = (list: ListName, bounds: Bounds, order: Order, pageSize: number): Rows => {
  const pages = pagesOf(range.listRows(list, bounds), RowItem, { descending: order === "desc", pageSize });
  const first = pages.next();
  // Whoever takes the rows sees the failure; those of a list that turns out to be hidden are never taken.
  first.catch(() => {});
  return (async function* () {
    for (let page = await first; !page.done; page = await pages.next()) yield* page.value;
  })();
};

const nextOf = async (rows: Rows): Promise<Row | undefined> => (await rows.next()).value ?? undefined;

const comesBefore = (a: Row, b: Row | undefined, order: Order): boolean =>
  b === undefined || (order === "asc" ? a.postId < b.postId : a.postId > b.postId);

/** Merges rows that are each in the order; a post that is in two lists, because it moved meanwhile, comes once. */
export const merge = async function* (lists: Rows[], order: Order): Rows {
  const heads = await Promise.all(lists.map(nextOf));
  let previous: string | undefined;
  for (;;) {
    const at = heads.reduce((best, head, each) => (head && comesBefore(head, heads[best], order) ? each : best), 0);
    const [row, rest] = [heads[at], lists[at]];
    if (!row || !rest) return;
    if (row.postId !== previous) yield row;
    previous = row.postId;
    heads[at] = await nextOf(rest);
  }
};

/** The rows after the first `count`. */
export const skip = async function* (rows: Rows, count: number): Rows {
  for (let skipped = 0; skipped < count; skipped++) if (!(await nextOf(rows))) return;
  yield* rows;
};

/** The next `count` rows, or as many as there are; those after them can still be taken. */
export const take = async (rows: Rows, count: number): Promise<Row[]> => {
  const taken: Row[] = [];
  while (taken.length < count) {
    const row = await nextOf(rows);
    if (!row) break;
    taken.push(row);
  }
  return taken;
};

// To pass over so many rows costs about 2 read units; it is one Query a list less than to read from both sides.
const FEW_ROWS = 100;

/** The rows from a place on, merged; on a busy day those of the day are read from the edge that is nearer. */
export const rowsFrom = (place: Place, order: Order, wanted: number): Rows =>
  place.before <= Math.max(place.after, FEW_ROWS)
    ? fromNearEdge(place, order, wanted)
    : fromFarEdge(place, order, wanted);

/** Reads from the start of the day, past the rows before the place. No list has to give more than it has there and a page. */
const fromNearEdge = ({ day, before, lists }: Place, order: Order, wanted: number): Rows => {
  const { start, next } = daysAt(day);
  const bounds = order === "asc" ? { from: start } : { before: next };
  const rows = lists.map(({ list, size }) => rowsOf(list, bounds, order, Math.min(before, size) + wanted));
  return skip(merge(rows, order), before);
};

/** Reads the day from its end back to the place, and beside it the days after, where the page reaches into them. */
const fromFarEdge = ({ day, after, lists }: Place, order: Order, wanted: number): Rows => {
  const { start, next } = daysAt(day);
  const backwards = order === "asc" ? "desc" : "asc";
  const ofDay = lists.map(({ list, size }) =>
    // One more than the list should have there: so the store says at once that these are all.
    rowsOf(list, { from: start, before: next }, backwards, Math.min(after, size) + 1),
  );
  const rest = take(merge(ofDay, backwards), after);
  rest.catch(() => {});
  const daysAfter = () =>
    lists.map(({ list }) => rowsOf(list, order === "asc" ? { from: next } : { before: start }, order, wanted));
  const opened = after < wanted ? daysAfter() : undefined;
  return (async function* () {
    yield* (await rest).reverse();
    yield* merge(opened ?? daysAfter(), order);
  })();
};

const daysAt = (day: string) => {
  const nextDay = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  return { start: firstIdOf(day), next: firstIdOf(nextDay) };
};
