import type { Bounds } from "../table/keys.ts";
import { type Bucket, bucketsOf, type CountedList, type Counts, numberOf, placeOf } from "./counts.ts";
import type { Filter } from "./filter.ts";
import { boundsAfter, type Order } from "./orders.ts";
import { matching, merge, openRows, type Rows, skip, take } from "./rows.ts";

/** Which rows to find: those from an offset on or, if `after` is given, those after the row with that key. */
type Search = {
  lists: CountedList[];
  order: Order;
  filter: Pick<Filter, "statuses">;
  offset: number;
  after?: string | undefined;
  limit: number;
};

/** The rows of a page, then further ones. The counts tell which buckets hold them: only these are read. */
export function rowsByCounts(search: Search): Rows {
  const { lists, order, filter, offset, after, limit } = search;
  const buckets = bucketsOf(lists, order, filter);
  if (after === undefined) {
    const { index, before } = placeOf(buckets, offset);
    const left = (buckets[index]?.size ?? 0) - before;
    if (before - left > FEWER) return rowsFromEnd(buckets.slice(index), left, search);
    return skip(rowsIn(buckets.slice(index), before + limit, search), before);
  }
  const ahead = buckets.filter(({ name }) => {
    const { start, end } = order.keysOf(name);
    return order.descending ? start < after : end > after;
  });
  // How many rows of the first bucket come before the key is not known: at most all of them.
  return rowsIn(ahead, limit + (ahead.find(({ size }) => size > 0)?.size ?? 0), search);
}

/** The last `left` rows of the first bucket, which are read from its end, then the rows of the others. */
async function* rowsFromEnd([first, ...others]: Bucket[], left: number, search: Search): Rows {
  const { order, limit } = search;
  const backwards = { ...search, order: { ...order, descending: !order.descending } };
  const rest = rowsIn(others, limit, search);
  // In parallel, as if all were read in one direction.
  const [last, next] = await Promise.all([
    take(rowsIn(first ? [first] : [], left, backwards), left),
    take(rest, limit - left),
  ]);
  yield* last.reverse();
  yield* next;
  yield* rest;
}

/** The rows in some buckets, merged. Reads, in parallel, as many buckets as hold the needed rows, then further ones. */
async function* rowsIn(buckets: Bucket[], needed: number, { lists, order, filter, after }: Search): Rows {
  let left = buckets;
  while (left.length > 0) {
    const read = left.slice(0, placeOf(left, needed - 1).index + 1);
    const opened = lists.flatMap(({ list, counts }) =>
      stretchesOf(counts, read, needed, filter).map(({ first, last, rows }) =>
        // Asks for one row more than it expects: if none comes, the stretch is complete.
        openRows(list, boundsBetween(first, last, order, after), order, rows + 1),
      ),
    );
    yield* matching(merge(await Promise.all(opened), order), { statuses: filter.statuses });
    // The page is not full yet: posts were deleted or changed since they were counted.
    left = left.slice(read.length);
  }
}

function boundsBetween(first: string, last: string, order: Order, after?: string): Bounds {
  const [low, high] = order.descending ? [last, first] : [first, last];
  const bounds = { from: order.keysOf(low).start, before: order.keysOf(high).end };
  const cuts = after !== undefined && after >= bounds.from && after < bounds.before;
  return cuts ? { ...bounds, ...boundsAfter(after, order) } : bounds;
}

/** Neighbouring buckets of a list that one Query reads, and how many rows it asks for. */
type Stretch = { first: string; last: string; rows: number };

// About as many rows as fit into a read unit, the least that a Query costs.
const UNIT = 80;

// A bucket is read from its end if that many rows fewer have to be read.
const FEWER = 4 * UNIT;

/** The buckets of a list that hold matching rows; a Query reads two of them if few other rows lie between. */
function stretchesOf(counts: Counts, buckets: Bucket[], needed: number, filter: Search["filter"]): Stretch[] {
  const stretches: Stretch[] = [];
  let missing = needed;
  let between = 0;
  for (const { name, size } of buckets) {
    const all = numberOf(counts.get(name));
    const found = numberOf(counts.get(name), filter);
    // The room for other rows in between: one and a half times an even share, and a read unit. It is seldom too small.
    const share = found === all ? missing : (1.5 * missing * all) / found + UNIT;
    const rows = Math.min(all, Math.ceil(share));
    missing -= size;
    if (found === 0) {
      between += all;
      continue;
    }
    const stretch = stretches.at(-1);
    if (stretch && between <= UNIT) Object.assign(stretch, { last: name, rows: stretch.rows + between + rows });
    else stretches.push({ first: name, last: name, rows });
    between = 0;
  }
  return stretches;
}
