import type { PostList } from "../table/post-lists.ts";
import type { Bounds } from "../table/ranges.ts";
import { boundsFrom, type Counts, type DayStart, daysOf } from "./days.ts";
import { boundsAfter, orders } from "./orders.ts";
import { facetCount, type ListQuery, wayOf } from "./query.ts";
import { merge, openRows, type Rows } from "./rows.ts";

// Opens the rows of lists, and reads about as many as the page takes: a Query costs what it reads, and a second Query
// is a further step.

/** The rows that a page looks at for several facets, or in an order by rank: at most 14 R. */
export const MOST_LOOKED_AT = 500;

// Rows that fit into a read unit: fewer of them cost as much.
const IN_UNIT = 40;

export type Opened = { list: PostList; rows: Rows };

/** Opens lists, each with some of its rows. */
function openAll(
  lists: PostList[],
  bounds: Bounds,
  { order }: ListQuery,
  pageSizeOf: (list: PostList) => number,
): Promise<Opened[]> {
  const open = async (list: PostList): Promise<Opened> => {
    const rows = await openRows(list, orders[order], { bounds, pageSize: pageSizeOf(list) });
    return { list, rows };
  };
  return Promise.all(lists.map(open));
}

/** Opens the lists of a page that begins with their first rows or behind a cursor. */
export function openFirst(lists: PostList[], query: ListQuery): Promise<Opened[]> {
  const wanted = wantedRows(lists, query);
  const share = Math.max(IN_UNIT, Math.ceil(wanted / lists.length));
  return openAll(lists, boundsAfter(query.after, orders[query.order]), query, () => Math.min(wanted, share));
}

/** How many rows a page is likely to take. One more row than a walk looks at shows whether it is cut. */
function wantedRows(lists: PostList[], query: ListQuery): number {
  // The rows are of one facet, unless they are of all posts: any other facet filters them.
  const facetsOfLists = lists.some(({ kind }) => kind !== "all") ? 1 : 0;
  const most = MOST_LOOKED_AT + 1;
  if (facetCount(query) > facetsOfLists) return most;
  return Math.min(query.offset + query.limit, most);
}

/** Opens lists from a day on, with as many rows as come before the page on this day, and the rows of the page. */
export function openAt(start: DayStart, lists: PostList[], counts: Counts, query: ListQuery): Promise<Opened[]> {
  const perList = lists.length > 1 ? Math.min(query.limit, IN_UNIT) : query.limit;
  // The posts of the site lie side by side: only the first row of the page is needed.
  const needed = wayOf(query) === "all by date" ? 1 : perList;
  const bounds = boundsFrom(start.day, orders[query.order].descending);
  return openAll(lists, bounds, query, (list) => {
    const ofDay = daysOf([list], counts).get(start.day) ?? 0;
    return Math.min(start.skipped, ofDay) + needed;
  });
}

/** The rows of opened lists as one, in the order of the query. */
export function merged(opened: Opened[], query: ListQuery): Rows {
  return merge(
    opened.map(({ rows }) => rows),
    orders[query.order],
  );
}
