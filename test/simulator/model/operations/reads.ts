import { checkTable, type Database } from "../database.ts";
import { badShape, invalid } from "../errors.ts";
import { keyConditionOf, Placeholders } from "../expressions.ts";
import { type Key, keyAttributes, keyId, keyOf, keyText, type Stored, type Table } from "../table.ts";
import { compareTexts, type Item } from "../values.ts";
import { checkParameters, type Input } from "../writes.ts";
import { consumed, readUnits, throttled, type Whims, type Work } from "./work.ts";

export function* getItem(database: Database, input: Input): Work {
  checkParameters(input);
  checkTable(input.TableName);
  const key = keyOf(input.Key);
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
  if (given.length === 0) throw badShape("Member must have length greater than or equal to 1");
  if (given.length > MAX_KEYS) throw invalid("Too many items requested for the BatchGetItem call");
  const keys = given.map(keyOf);
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

/** The items of one partition whose sort keys lie between two texts, if any are given. */
type KeyRange = { partition: string; from: string | undefined; to: string | undefined };

function rangeOf(input: Input): KeyRange {
  const placeholders = new Placeholders(input);
  const { partition, from, to } = keyConditionOf(String(input.KeyConditionExpression), placeholders);
  placeholders.checkUsed();
  const range = {
    partition: keyText("pk", partition),
    from: from && keyText("sk", from),
    to: to && keyText("sk", to),
  };
  if (range.from !== undefined && range.to !== undefined && compareTexts(range.from, range.to) > 0) {
    throw invalid("Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater");
  }
  return range;
}

function includes({ from, to }: KeyRange, sort: string): boolean {
  return (from === undefined || compareTexts(sort, from) >= 0) && (to === undefined || compareTexts(sort, to) <= 0);
}

function limitOf({ Limit: limit }: Input): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (Number(limit) >= 1) return Number(limit);
  throw badShape("Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1");
}

const MAX_PAGE = 1024 * 1024;

/** Query: items one by one, until the range ends, the limit is met, or the page would be larger than 1 MB. */
export function* query(database: Database, input: Input, whims: Whims): Work {
  checkParameters(input);
  checkTable(input.TableName);
  const range = rangeOf(input);
  const limit = limitOf(input);
  const start = input.ExclusiveStartKey === undefined ? undefined : keyOf(input.ExclusiveStartKey);
  if (start && (start.partition !== range.partition || !includes(range, start.sort))) {
    throw invalid("The provided starting key does not match the range key predicate");
  }
  const items: Item[] = [];
  let bytes = 0;
  let last = start;
  let isWhole = false;
  yield "read";
  while (items.length < limit) {
    const key = nextIn(database.table, range, input.ScanIndexForward !== false, last);
    isWhole = key === undefined;
    if (!key) break;
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

function nextIn(table: Table, range: KeyRange, ascending: boolean, after: Key | undefined): Key | undefined {
  const edge = ascending ? range.from : range.to;
  const key = table.nextInPartition(range.partition, after?.sort ?? edge, { ascending, inclusive: !after });
  return key && includes(range, key.sort) ? key : undefined;
}
