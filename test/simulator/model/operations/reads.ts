import { checkTable, type Database } from "../database.ts";
import { invalid } from "../errors.ts";
import { keyConditionOf, Placeholders } from "../expressions.ts";
import { type Key, keyAttributes, keyId, keyOf, type Stored } from "../table.ts";
import { canonicalItem, compareTexts, type Item } from "../values.ts";
import { checkParameters, type Input } from "../writes.ts";
import { consumed, readUnits, throttled, type Whims, type Work } from "./work.ts";

export function* getItem(database: Database, input: Input): Work {
  checkParameters(input);
  checkTable(input.TableName);
  const key = keyOf(canonicalItem(input.Key));
  yield "read";
  const found = database.table.get(key);
  const units = readUnits(found?.size ?? 0, input);
  if (!database.surroundings.charge("read", key.partition, units)) throw throttled();
  return { ...(found && { Item: found.item }), ...consumed(input, units) };
}

const MAX_KEYS = 100;
const MAX_ANSWER = 16 * 1024 * 1024;

/**
 * BatchGetItem of one table: reads each key by itself; returns throttled keys, and items beyond 16 MB, as unprocessed.
 */
export function* batchGetItem(database: Database, input: Input, whims: Whims): Work {
  const [[name, request] = ["", {}], second] = Object.entries(input.RequestItems as Record<string, Input>);
  if (second) throw new Error("the model reads batches of one table only");
  checkParameters(request);
  checkTable(name);
  const given = (request.Keys ?? []) as unknown[];
  if (given.length > MAX_KEYS) throw invalid("Too many items requested for the BatchGetItem call");
  const keys = given.map((each) => keyOf(canonicalItem(each)));
  if (new Set(keys.map(keyId)).size < keys.length) throw invalid("Provided list of item keys contains duplicates");
  const found: Item[] = [];
  const left: unknown[] = [];
  let bytes = 0;
  let units = 0;
  for (const [index, key] of keys.entries()) {
    yield "read";
    const stored = database.table.get(key);
    const size = stored?.size ?? 0;
    const fits = bytes + size <= MAX_ANSWER && !whims.leavesOver();
    if (!fits || !database.surroundings.charge("read", key.partition, readUnits(size, request))) {
      left.push(given[index]);
      continue;
    }
    bytes += size;
    units += readUnits(size, request);
    if (stored) found.push(stored.item);
  }
  if (left.length === keys.length) throw throttled();
  return {
    Responses: { [name]: found },
    ...consumed(input, units),
    UnprocessedKeys: left.length > 0 ? { [name]: { ...request, Keys: left } } : {},
  };
}

/** The items of one partition whose sort keys lie between two texts. */
type KeyRange = { partition: string; from: string; to: string };

function rangeOf(input: Input): KeyRange {
  const placeholders = new Placeholders(input);
  const range = keyConditionOf(String(input.KeyConditionExpression), placeholders);
  placeholders.checkUsed();
  if (compareTexts(range.from, range.to) > 0) {
    throw invalid("Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater");
  }
  return range;
}

function includes({ from, to }: KeyRange, sort: string): boolean {
  return compareTexts(sort, from) >= 0 && compareTexts(sort, to) <= 0;
}

const MAX_PAGE = 1024 * 1024;

/** Query: items one by one, until the range ends, the limit is met, or the page would be larger than 1 MB. */
export function* query(database: Database, input: Input, whims: Whims): Work {
  checkParameters(input);
  checkTable(input.TableName);
  const range = rangeOf(input);
  const limit = Number(input.Limit ?? Number.POSITIVE_INFINITY);
  const ascending = input.ScanIndexForward !== false;
  const start = input.ExclusiveStartKey === undefined ? undefined : keyOf(canonicalItem(input.ExclusiveStartKey));
  if (start && (start.partition !== range.partition || !includes(range, start.sort))) {
    throw invalid("The provided starting key does not match the range key predicate");
  }
  const items: Item[] = [];
  let bytes = 0;
  let last = start;
  let isWhole = false;
  yield "read";
  while (items.length < limit) {
    const { partition, from, to } = range;
    const sort = database.table.next(last ?? { partition, sort: ascending ? from : to }, ascending, !last);
    isWhole = sort === undefined || !includes(range, sort);
    if (sort === undefined || isWhole) break;
    const key: Key = { partition, sort };
    const { item, size } = database.table.get(key) as Stored;
    if (items.length > 0 && (bytes + size > MAX_PAGE || whims.endsPage())) break;
    bytes += size;
    last = key;
    items.push(item);
    yield "read";
  }
  const units = readUnits(bytes, input);
  if (!database.surroundings.charge("read", range.partition, units)) throw throttled();
  return {
    Items: items,
    ...consumed(input, units),
    Count: items.length,
    ScannedCount: items.length,
    ...(!isWhole && last && { LastEvaluatedKey: keyAttributes(last) }),
  };
}
