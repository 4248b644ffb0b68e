import { type CountedList, daysOf, numberOf, type Statuses } from "./day-counts.ts";
import { merge, type Rows, rowsOf } from "./list-rows.ts";
import { boundsBetween, isLater, type Order } from "./orders.ts";

// The rows of some statuses among all rows of some lists. The counts tell on which days there are any: only these days are read, side
// by side, and neighbours by one Query.

/** Which rows to find. */
type Search = {
  statuses: Statuses;
  /** Whether a day is one of those to look at. */
  isAhead: (day: string) => boolean;
  /** How many rows the page needs: so many are read at once. */
  needed: number;
  /** Only rows after this one. */
  after?: string | undefined;
};

/** The rows of some lists that have one of the statuses, merged. */
export const withStatuses = (lists: CountedList[], search: Search, order: Order): Rows => {
  const days = daysOf(lists, order, search.statuses).filter(({ day }) => search.isAhead(day));
  let missing = search.needed;
  const enough = days.findIndex(({ sizes }) => {
    missing -= sizes.reduce((sum, size) => sum + size, 0);
    return missing <= 0;
  });
  const [first, last] = [days[0]?.day, days.at(enough)?.day];
  if (first === undefined || last === undefined) return merge([], order);
  const rows = lists.map((list) => rowsBetween(list, first, last, search, order));
  const isAhead = (day: string): boolean => isLater(day, last, order);
  return (async function* () {
    yield* merge(rows, order);
    // The page is not full, because some rows changed meanwhile.
    yield* withStatuses(lists, { ...search, isAhead }, order);
  })();
};

/** The rows of a list that have one of the statuses, from the first of some days to the last. */
const rowsBetween = (counted: CountedList, first: string, last: string, search: Search, order: Order): Rows => {
  const { statuses, needed, after } = search;
  let missing = needed;
  const opened = stretchesOf(counted, first, last, statuses, order).map((stretch) => {
    const bounds = boundsBetween(stretch.first, stretch.last, order, after);
    // One more than there should be: DynamoDB then says in the same call that these are all.
    const rows = rowsOf(counted.list, bounds, order, rowsToFind(missing, stretch.days) + 1);
    for (const { wanted } of stretch.days) missing -= wanted;
    return rows;
  });
  return (async function* () {
    for (const rows of opened) yield* ofStatuses(rows, statuses);
  })();
};

/** Those rows that have one of the statuses, if any are asked for. */
export const ofStatuses = async function* (rows: Rows, statuses?: Statuses): Rows {
  for await (const row of rows) if (!statuses || statuses.has(row.status)) yield row;
};

/** Days of a list, one after the other: how many rows they have, and how many of these are wanted. */
type Days = { rows: number; wanted: number };

/** Days that one Query reads. */
type Stretch = { first: string; last: string; days: Days[] };

// So many rows are about 1 read unit, as much as a Query costs at least.
const UNIT = 80;

/** The days of a list that have wanted rows, in stretches: two days with few other rows between them are read with these. */
const stretchesOf = (
  { counts }: CountedList,
  first: string,
  last: string,
  statuses: Statuses,
  order: Order,
): Stretch[] => {
  const stretches: Stretch[] = [];
  let between = 0;
  for (const [day, count] of [...counts].sort(([a], [b]) => (isLater(a, b, order) ? 1 : -1))) {
    if (isLater(first, day, order) || isLater(day, last, order)) continue;
    const wanted = numberOf(count, statuses);
    if (wanted === 0) {
      between += count.all;
      continue;
    }
    const stretch = stretches.at(-1);
    if (stretch && between <= UNIT) {
      stretch.days.push({ rows: between + count.all, wanted });
      stretch.last = day;
    } else stretches.push({ first: day, last: day, days: [{ rows: count.all, wanted }] });
    between = 0;
  }
  return stretches;
};

/** How many rows to ask for to find `count` wanted ones: exact for whole days, within a long day more than an even share. */
export const rowsToFind = (count: number, days: Days[]): number => {
  let asked = 0;
  let missing = count;
  for (const { rows, wanted } of days) {
    if (missing <= 0) break;
    if (wanted <= missing) asked += rows;
    else asked += rows === wanted ? missing : Math.min(rows, Math.ceil((1.5 * rows * missing) / wanted) + UNIT);
    missing -= wanted;
  }
  return asked;
};
