import { type CountedList, daysOf, type Place, type Statuses } from "./day-counts.ts";
import { merge, type Rows, rowsOf, skip, take } from "./list-rows.ts";
import {
  boundsAfterBucket,
  boundsFromBucket,
  boundsIn,
  isLater,
  type Order,
  reachesBeyond,
  reversed,
} from "./orders.ts";
import { ofStatuses, rowsToFind, withStatuses } from "./status-rows.ts";

// To skip so many rows costs about 2 read units, and saves a Query a list against reading from both ends of the day.
const FEW_ROWS = 100;

/** The rows from a place on, merged; only those of some statuses, if they are given. On a busy day, the day is read from its nearer end. */
export const rowsFrom = (place: Place, order: Order, wanted: number, statuses?: Statuses): Rows =>
  place.before <= Math.max(place.after, FEW_ROWS)
    ? fromStartOfDay(place, order, wanted, statuses)
    : fromEndOfDay(place, order, wanted, statuses);

/** Reads from the start of the day and skips the rows before the place. No list is asked for more than it has there and a page. */
const fromStartOfDay = (place: Place, order: Order, wanted: number, statuses?: Statuses): Rows => {
  const { day, before, lists } = place;
  if (statuses) {
    const isAhead = (other: string): boolean => !isLater(day, other, order);
    return skip(withStatuses(lists, { statuses, isAhead, needed: before + wanted }, order), before);
  }
  const bounds = boundsFromBucket(day, order);
  const rows = lists.map(({ list, size }) => rowsOf(list, bounds, order, Math.min(before, size) + wanted));
  return skip(merge(rows, order), before);
};

/** Reads the day from its end back to the place and, if the page reaches into them, the days after it. */
const fromEndOfDay = (place: Place, order: Order, wanted: number, statuses?: Statuses): Rows => {
  const { after } = place;
  const rest = take(merge(dayFromItsEnd(place, order, statuses), reversed(order)), after);
  rest.catch(() => {});
  const opened = after < wanted ? daysAfter(place, order, wanted, statuses) : undefined;
  return (async function* () {
    yield* (await rest).reverse();
    yield* opened ?? daysAfter(place, order, wanted, statuses);
  })();
};

/** The rows after the day of a place, merged. */
const daysAfter = ({ day, lists }: Place, order: Order, wanted: number, statuses?: Statuses): Rows => {
  const isAhead = (other: string): boolean => isLater(other, day, order);
  if (statuses) return withStatuses(lists, { statuses, isAhead, needed: wanted }, order);
  const bounds = boundsAfterBucket(day, order);
  return merge(
    lists.map(({ list }) => rowsOf(list, bounds, order, wanted)),
    order,
  );
};

/** The rows of each list on the day of a place, from the end of the day. */
const dayFromItsEnd = ({ day, after, lists }: Place, order: Order, statuses?: Statuses): Rows[] => {
  const backwards = reversed(order);
  return lists.map(({ list, size, counts }) => {
    const rows = rowsToFind(Math.min(after, size), [{ rows: counts.get(day)?.all ?? 0, wanted: size }]);
    // One more than the list should have there: DynamoDB then says in the same call that these are all.
    return ofStatuses(rowsOf(list, boundsIn(day, order), backwards, rows + 1), statuses);
  });
};

/** The rows of some statuses after one of them, merged. */
export const rowsAfter = (
  lists: CountedList[],
  after: string,
  { order, limit }: { order: Order; limit: number },
  statuses: Statuses,
): Rows => {
  const isAhead = (day: string): boolean => reachesBeyond(day, after, order);
  const [day] = daysOf(lists, order, statuses).filter((each) => isAhead(each.day));
  // How many of the first day come before the row is not known: at most all of them.
  const needed = limit + (day?.sizes ?? []).reduce((sum, size) => sum + size, 0);
  return withStatuses(lists, { statuses, isAhead, needed, after }, order);
};
