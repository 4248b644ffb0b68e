import { type Bucket, bucketsOf, type CountedList, type Counts, numberOf, placeOf } from "./counts.ts";
import type { Filter } from "./filter.ts";
import { boundsBetween, type Order, reachesBeyond } from "./order.ts";
import { matching, merge, openRows, type Rows, skip } from "./rows.ts";

// Rows that are found by the counts: these tell which buckets hold the rows of a page, and only these buckets are read.

/** Which rows of some lists. */
type Search = {
  lists: CountedList[];
  order: Order;
  statuses: Filter["statuses"];
  /** Only rows after the one with this key. */
  after?: string | undefined;
};

/** The rows from the one at an offset on; reads as many as a page of `limit` rows needs, then further ones. */
export function rowsAt(offset: number, limit: number, search: Search): Rows {
  const buckets = bucketsOf(search.lists, search.order, search.statuses);
  const place = placeOf(buckets, offset);
  const ahead = place ? buckets.slice(place.index) : [];
  const before = place?.before ?? 0;
  return skip(rowsIn(ahead, before + limit, search), before);
}

/** The rows after the one with a key; reads as many as a page of `limit` rows needs, then further ones. */
export function rowsAfter(after: string, limit: number, search: Search): Rows {
  const buckets = bucketsOf(search.lists, search.order, search.statuses);
  const ahead = buckets.filter(({ name, size }) => size > 0 && reachesBeyond(name, after, search.order));
  // How many rows of the first bucket come before the key is not known: at most all of them.
  return rowsIn(ahead, limit + (ahead[0]?.size ?? 0), { ...search, after });
}

/** The rows in some buckets, merged; reads, side by side, as many buckets as hold the needed rows, then further ones. */
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

/** The buckets of a list that hold matching rows, in stretches: few other rows between two buckets are read with them. */
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
