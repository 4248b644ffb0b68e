import { bucketsOf, type CountedList, type Place, type Statuses } from "../posts/bucket-counts.ts";
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

// To skip so many rows costs about 2 read units, and saves a Query a list against reading from both ends of a bucket.
const FEW_ROWS = 100;

/** The rows from a place on, merged; only those of some statuses, if they are given. A large bucket is read from its nearer end. */
export function rowsFrom(place: Place, order: Order, wanted: number, statuses?: Statuses): Rows {
  return place.before <= Math.max(place.after, FEW_ROWS)
    ? fromStart(place, order, wanted, statuses)
    : fromEnd(place, order, wanted, statuses);
}

/** Reads from the start of the bucket and skips the rows before the place. No list is asked for more than it has there and a page. */
function fromStart(place: Place, order: Order, wanted: number, statuses?: Statuses): Rows {
  const { bucket, before, lists } = place;
  if (statuses) {
    const isAhead = (other: string): boolean => !isLater(bucket, other, order);
    return skip(withStatuses(lists, { statuses, isAhead, needed: before + wanted }, order), before);
  }
  const bounds = boundsFromBucket(bucket, order);
  const rows = lists.map(({ list, size }) => rowsOf(list, bounds, order, Math.min(before, size) + wanted));
  return skip(merge(rows, order), before);
}

/** Reads the bucket from its end back to the place and, if the page reaches into them, the buckets after it. */
function fromEnd(place: Place, order: Order, wanted: number, statuses?: Statuses): Rows {
  const { after } = place;
  const rest = take(merge(bucketFromItsEnd(place, order, statuses), reversed(order)), after);
  rest.catch(() => {});
  const opened = after < wanted ? bucketsAfter(place, order, wanted, statuses) : undefined;
  return (async function* () {
    yield* (await rest).reverse();
    yield* opened ?? bucketsAfter(place, order, wanted, statuses);
  })();
}

/** The rows after the bucket of a place, merged. */
function bucketsAfter({ bucket, lists }: Place, order: Order, wanted: number, statuses?: Statuses): Rows {
  const isAhead = (other: string): boolean => isLater(other, bucket, order);
  if (statuses) return withStatuses(lists, { statuses, isAhead, needed: wanted }, order);
  const bounds = boundsAfterBucket(bucket, order);
  return merge(
    lists.map(({ list }) => rowsOf(list, bounds, order, wanted)),
    order,
  );
}

/** The rows of each list in the bucket of a place, from the end of the bucket. */
function bucketFromItsEnd({ bucket, after, lists }: Place, order: Order, statuses?: Statuses): Rows[] {
  const backwards = reversed(order);
  return lists.map(({ list, size, counts }) => {
    const rows = rowsToFind(Math.min(after, size), [{ rows: counts.get(bucket)?.all ?? 0, wanted: size }]);
    // One more than the list should have there: DynamoDB then says in the same call that these are all.
    return ofStatuses(rowsOf(list, boundsIn(bucket, order), backwards, rows + 1), statuses);
  });
}

/** The rows of some statuses after one of them, merged. */
export function rowsAfter(
  lists: CountedList[],
  after: string,
  { order, limit }: { order: Order; limit: number },
  statuses: Statuses,
): Rows {
  const isAhead = (bucket: string): boolean => reachesBeyond(bucket, after, order);
  const [first] = bucketsOf(lists, order, statuses).filter(({ bucket }) => isAhead(bucket));
  // How many of the first bucket come before the row is not known: at most all of them.
  const needed = limit + (first?.sizes ?? []).reduce((sum, size) => sum + size, 0);
  return withStatuses(lists, { statuses, isAhead, needed, after }, order);
}
