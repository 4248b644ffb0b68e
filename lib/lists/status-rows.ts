import { bucketsOf, type CountedList, numberOf, type Statuses } from "../posts/bucket-counts.ts";
import { merge, type Rows, rowsOf } from "./list-rows.ts";
import { boundsBetween, isLater, type Order } from "./orders.ts";

// The rows of some statuses among all rows of some lists. The counts tell which buckets have any: only these are read, side by
// side, and neighbours by one Query.

/** Which rows to find. */
type Search = {
  statuses: Statuses;
  /** Whether a bucket is one of those to look at. */
  isAhead: (bucket: string) => boolean;
  /** How many rows the page needs: so many are read at once. */
  needed: number;
  /** Only rows after this one. */
  after?: string | undefined;
};

/** The rows of some lists that have one of the statuses, merged. */
export function withStatuses(lists: CountedList[], search: Search, order: Order): Rows {
  const buckets = bucketsOf(lists, order, search.statuses).filter(({ bucket }) => search.isAhead(bucket));
  let missing = search.needed;
  const enough = buckets.findIndex(({ sizes }) => {
    missing -= sizes.reduce((sum, size) => sum + size, 0);
    return missing <= 0;
  });
  const [first, last] = [buckets[0]?.bucket, buckets.at(enough)?.bucket];
  if (first === undefined || last === undefined) return merge([], order);
  const rows = lists.map((list) => rowsBetween(list, first, last, search, order));
  const isAhead = (bucket: string): boolean => isLater(bucket, last, order);
  return (async function* () {
    yield* merge(rows, order);
    // The page is not full, because some rows changed meanwhile.
    yield* withStatuses(lists, { ...search, isAhead }, order);
  })();
}

/** The rows of a list that have one of the statuses, from the first of some buckets to the last. */
function rowsBetween(counted: CountedList, first: string, last: string, search: Search, order: Order): Rows {
  const { statuses, needed, after } = search;
  let missing = needed;
  const opened = stretchesOf(counted, first, last, statuses, order).map((stretch) => {
    const bounds = boundsBetween(stretch.first, stretch.last, order, after);
    // One more than there should be: DynamoDB then says in the same call that these are all.
    const rows = rowsOf(counted.list, bounds, order, rowsToFind(missing, stretch.buckets) + 1);
    for (const { wanted } of stretch.buckets) missing -= wanted;
    return rows;
  });
  return (async function* () {
    for (const rows of opened) yield* ofStatuses(rows, statuses);
  })();
}

/** Those rows that have one of the statuses, if any are asked for. */
export async function* ofStatuses(rows: Rows, statuses?: Statuses): Rows {
  for await (const row of rows) if (!statuses || statuses.has(row.status)) yield row;
}

/** A bucket of a list, or several that follow each other: how many rows, and how many of these are wanted. */
type Counted = { rows: number; wanted: number };

/** Buckets that one Query reads. */
type Stretch = { first: string; last: string; buckets: Counted[] };

// So many rows are about 1 read unit, as much as a Query costs at least.
const UNIT = 80;

/** The buckets of a list that have wanted rows, in stretches: two with few other rows between them are read with these. */
function stretchesOf(
  { counts }: CountedList,
  first: string,
  last: string,
  statuses: Statuses,
  order: Order,
): Stretch[] {
  const stretches: Stretch[] = [];
  let between = 0;
  for (const [bucket, count] of [...counts].sort(([a], [b]) => (isLater(a, b, order) ? 1 : -1))) {
    if (isLater(first, bucket, order) || isLater(bucket, last, order)) continue;
    const wanted = numberOf(count, statuses);
    if (wanted === 0) {
      between += count.all;
      continue;
    }
    const stretch = stretches.at(-1);
    if (stretch && between <= UNIT) {
      stretch.buckets.push({ rows: between + count.all, wanted });
      stretch.last = bucket;
    } else stretches.push({ first: bucket, last: bucket, buckets: [{ rows: count.all, wanted }] });
    between = 0;
  }
  return stretches;
}

/** How many rows to ask for to find `count` wanted ones: exact for whole buckets, within a large one more than an even share. */
export function rowsToFind(count: number, buckets: Counted[]): number {
  let asked = 0;
  let missing = count;
  for (const { rows, wanted } of buckets) {
    if (missing <= 0) break;
    if (wanted <= missing) asked += rows;
    else asked += rows === wanted ? missing : Math.min(rows, Math.ceil((1.5 * rows * missing) / wanted) + UNIT);
    missing -= wanted;
  }
  return asked;
}
