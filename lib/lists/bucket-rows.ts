import { type Bucket, bucketsOf, type CountedList, type Counts, numberOf, placeOf } from "./counts.ts";
import type { Filter } from "./filter.ts";
import { boundsBetween, type Order, reachesBeyond } from "./order.ts";
import { matching, merge, openRows, type Rows, skip } from "./rows.ts";

// The counts tell which buckets hold the rows of a page: only these are read.

/** Which rows to find: those from an offset on or, if `after` is given, those after the row with that key. */
type Search = {
  lists: CountedList[];
  order: Order;
  statuses: Filter["statuses"];
  offset: number;
  after?: string | undefined;
  /** The number of rows on the page. */
  limit: number;
};

/** The rows of a page, then further ones. */
export function rowsByCounts(search: Search): Rows {
  const { lists, order, statuses, offset, after, limit } = search;
  const buckets = bucketsOf(lists, order, statuses);
  if (after === undefined) {
    const { index, before } = placeOf(buckets, offset);
    return skip(rowsIn(buckets.slice(index), before + limit, search), before);
  }
  const first = buckets.find(({ name, size }) => size > 0 && reachesBeyond(name, after, order));
  const ahead = first ? buckets.slice(buckets.indexOf(first)) : [];
  // How many rows of the first bucket come before the key is not known: at most all of them.
  return rowsIn(ahead, limit + (first?.size ?? 0), search);
}

/** The rows in some buckets, merged. Reads, in parallel, as many buckets as hold the needed rows, then further ones. */
async function* rowsIn(buckets: Bucket[], needed: number, { lists, order, statuses, after }: Search): Rows {
  let left = buckets;
  while (left.length > 0) {
    const read = enoughOf(left, needed);
    const opened = lists.flatMap(({ list, counts }) =>
      stretchesOf(counts, read, statuses).map(({ first, last, rows }) =>
        // One row more than should be there: so the same call tells that there are no others.
        openRows(list, boundsBetween(first, last, order, after), order, rows + 1),
      ),
    );
    yield* matching(merge(await Promise.all(opened), order), { statuses });
    // The page is not full yet: posts were deleted or changed since they were counted.
    left = left.slice(read.length);
  }
}

/** A bucket, and how many rows are needed from it on. */
type NeededBucket = Bucket & { needed: number };

/** The first buckets: as many as hold the needed rows. */
function enoughOf(buckets: Bucket[], needed: number): NeededBucket[] {
  const enough: NeededBucket[] = [];
  let missing = needed;
  for (const bucket of buckets) {
    if (missing <= 0) break;
    enough.push({ ...bucket, needed: missing });
    missing -= bucket.size;
  }
  return enough;
}

/** Neighbouring buckets of a list that one Query reads, and how many rows it asks for. */
type Stretch = { first: string; last: string; rows: number };

// About as many rows as fit into a read unit, the least that a Query costs.
const UNIT = 80;

/**
 * The buckets of a list that hold matching rows, in stretches: few other rows between two buckets are read with them.
 */
function stretchesOf(counts: Counts, buckets: NeededBucket[], statuses: Search["statuses"]): Stretch[] {
  const stretches: Stretch[] = [];
  let between = 0;
  for (const { name, needed } of buckets) {
    const count = counts.get(name);
    const [rows, size] = [numberOf(count), numberOf(count, statuses)];
    const stretch = stretches.at(-1);
    if (size === 0) between += rows;
    else if (stretch && between <= UNIT) {
      stretch.last = name;
      stretch.rows += between + rowsToRead(needed, size, rows);
      between = 0;
    } else {
      stretches.push({ first: name, last: name, rows: rowsToRead(needed, size, rows) });
      between = 0;
    }
  }
  return stretches;
}

/** How many of a bucket's rows to read for the needed ones among its matching rows. */
function rowsToRead(needed: number, matching: number, rows: number): number {
  if (needed >= matching) return rows;
  if (matching === rows) return needed;
  // An even share, half as many again, and a unit: it is seldom too little.
  return Math.min(rows, Math.ceil((1.5 * needed * rows) / matching) + UNIT);
}
