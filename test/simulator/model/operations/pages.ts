import { consumed, readUnits } from "../capacity.ts";
import type { Database } from "../database.ts";
import { badShape, invalid } from "../errors.ts";
import { type Predicate, predicateOf } from "../expressions/conditions.ts";
import { type KeyRange, keyRangeOf } from "../expressions/key-conditions.ts";
import { Placeholders } from "../expressions/placeholders.ts";
import { keyAttributes, keyOf } from "../keys.ts";
import type { Key, Table } from "../table.ts";
import type { Item } from "../values.ts";
import { type Input, refuseLegacy } from "../writes.ts";
import { projectionOf, strengthOf } from "./reads.ts";
import { charge, type Whims, type Work } from "./work.ts";

const MAX_PAGE = 1024 * 1024;

/** A walk along keys: the first one, and the one after another. */
type Walk = { table: Table; next: (after: Key | undefined) => Key | undefined; start: Key | undefined };

function limitOf({ Limit: limit }: Input): number {
  if (limit === undefined || limit === null) return Number.POSITIVE_INFINITY;
  if (Number(limit) >= 1) return Number(limit);
  throw badShape("Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1");
}

function filterOf(input: Input, placeholders: Placeholders): Predicate {
  return input.FilterExpression === undefined
    ? () => true
    : predicateOf("FilterExpression", String(input.FilterExpression), placeholders);
}

function startOf(table: Table, { ExclusiveStartKey: start }: Input): Key | undefined {
  return start === undefined || start === null
    ? undefined
    : keyOf(table, start, "The provided starting key is invalid");
}

/** Reads items one by one, until the walk ends, the limit is met, or the page would be larger than 1 MB. */
function* pageOf(
  database: Database,
  input: Input,
  whims: Whims,
  { table, next, start }: Walk,
  {
    filter,
    projection,
    charged,
  }: { filter: Predicate; projection: (item: Item) => Item; charged: (key: Key) => string },
): Work {
  const limit = limitOf(input);
  const items: Item[] = [];
  let [scanned, bytes] = [0, 0];
  let last: Key | undefined = start;
  let isWhole = false;
  yield "read";
  while (scanned < limit) {
    const key = next(last);
    if (!key) {
      isWhole = true;
      break;
    }
    const { item, size } = table.get(key) as { item: Item; size: number };
    if (scanned > 0 && (bytes + size > MAX_PAGE || whims.endsPage())) break;
    bytes += size;
    scanned++;
    last = key;
    if (filter(item)) items.push(projection(item));
    yield "read";
  }
  const units = readUnits(bytes, strengthOf(input));
  charge(database, "read", table, charged(last ?? { partition: "", sort: "" }), units);
  return {
    ...(input.Select === "COUNT" ? {} : { Items: items }),
    Count: items.length,
    ScannedCount: scanned,
    ...(!isWhole && last && { LastEvaluatedKey: keyAttributes(table, last) }),
    ...consumed(input.ReturnConsumedCapacity, table.name, units),
  };
}

/** Query: a page of one partition's items between two sort keys, in their order or against it. */
export function query(database: Database, input: Input, whims: Whims): Work {
  refuseLegacy(input);
  const table = database.table(input.TableName);
  if (input.KeyConditionExpression === undefined) {
    throw invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
  }
  if (input.IndexName !== undefined) throw new Error("the model has no indexes");
  const placeholders = new Placeholders(input);
  const range = keyRangeOf(String(input.KeyConditionExpression), placeholders, table.keys);
  const filter = filterOf(input, placeholders);
  const projection = projectionOf(input, placeholders);
  placeholders.checkUsed();
  const start = startOf(table, input);
  if (start && (start.partition !== range.partition || !range.includes(start.sort))) {
    throw invalid("The provided starting key does not match the range key predicate");
  }
  const ascending = input.ScanIndexForward !== false;
  const next = (after: Key | undefined): Key | undefined => stepIn(table, range, ascending, after);
  return pageOf(database, input, whims, { table, next, start }, { filter, projection, charged: () => range.partition });
}

function stepIn(table: Table, range: KeyRange, ascending: boolean, after: Key | undefined): Key | undefined {
  const edge = ascending ? range.from : range.to;
  let key = table.nextInPartition(range.partition, after?.sort ?? edge, { ascending, inclusive: after === undefined });
  // An edge that the range leaves out.
  if (key && key.sort === edge && !range.includes(key.sort)) {
    key = table.nextInPartition(range.partition, key.sort, { ascending });
  }
  return key && range.includes(key.sort) ? key : undefined;
}

/** Scan: a page of a whole table. */
export function scan(database: Database, input: Input, whims: Whims): Work {
  refuseLegacy(input);
  if (input.TotalSegments !== undefined) throw new Error("the model has no parallel scans");
  const table = database.table(input.TableName);
  const placeholders = new Placeholders(input);
  const filter = filterOf(input, placeholders);
  const projection = projectionOf(input, placeholders);
  placeholders.checkUsed();
  const walk = { table, next: (after: Key | undefined) => table.nextInScan(after), start: startOf(table, input) };
  return pageOf(database, input, whims, walk, { filter, projection, charged: ({ partition }) => partition });
}
