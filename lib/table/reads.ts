import { BatchGetCommand, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod/mini";
import { environment } from "../runtime/environment.ts";
import * as log from "../runtime/log.ts";
import { backOff, count, currentRequest } from "../runtime/store-budget.ts";
import { StoreUnavailable, send } from "./client.ts";
import { type Key, loggedKey } from "./keys.ts";
import type { Attributes } from "./parts.ts";
import type { Range } from "./ranges.ts";
import { MAX_RESENDS } from "./retries.ts";

// Every read counts its units, and is strongly consistent unless `consistent` is false.
const WITH_UNITS = { ReturnConsumedCapacity: "TOTAL" } as const;

/** The schema of items; or the one of an item, by its sort key, where items of several kinds are read together. */
type Schema<S extends z.ZodMiniType> = S | ((sk: string) => S);

/** Parses one stored item; an item that does not parse is logged with its key and left out. */
function parse<S extends z.ZodMiniType>(item: Attributes, schema: Schema<S>): z.output<S> | undefined {
  const parsed = (typeof schema === "function" ? schema(String(item.sk)) : schema).safeParse(item);
  if (parsed.success) return parsed.data;
  log.error("a stored item does not parse", { key: loggedKey(item), error: parsed.error });
  return undefined;
}

function parseAll<S extends z.ZodMiniType>(items: Attributes[] = [], schema: Schema<S>): z.output<S>[] {
  return items.map((item) => parse(item, schema)).filter((item) => item !== undefined);
}

/**
 * Reads one item; undefined if it does not exist or does not parse. Reads that a request begins together are one call,
 * and so are those outside of requests.
 */
export async function get<S extends z.ZodMiniType>(key: Key, schema: S): Promise<z.output<S> | undefined> {
  const item = await stored(key);
  return item && parse(item, schema);
}

/** Reads one item; undefined if it does not exist. Throws if it does not parse, so that it is not taken for gone. */
export async function getOrThrow<S extends z.ZodMiniType>(key: Key, schema: S): Promise<z.output<S> | undefined> {
  const item = await stored(key);
  return item && schema.parse(item);
}

async function stored(key: Key): Promise<Attributes | undefined> {
  const items = await gathered([key]);
  return items.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
}

type Gathering = { keys: Map<string, Key>; items: Promise<Attributes[]> };

/** The reads that have begun and are not sent yet: all that begin before something is awaited go out as one call. */
const gatherings = new WeakMap<object, Gathering>();
const outsideOfRequests = {};

function nameOf({ pk, sk }: { pk?: unknown; sk?: unknown }): string {
  return `${pk} ${sk}`;
}

/** Reads items in one call with all others whose reads begin now; returns all of them. */
function gathered(keys: Key[]): Promise<Attributes[]> {
  const request = currentRequest() ?? outsideOfRequests;
  const open = gatherings.get(request);
  const gathering = open ?? { keys: new Map<string, Key>(), items: Promise.resolve([]) };
  for (const key of keys) gathering.keys.set(nameOf(key), key);
  if (!open) {
    gatherings.set(request, gathering);
    gathering.items = gathering.items.then(() => {
      gatherings.delete(request);
      return readItems([...gathering.keys.values()]);
    });
  }
  return gathering.items;
}

// The most keys of one BatchGet.
const BATCH = 100;

/** Reads items by their keys, in no order and without the missing ones, in parallel calls for 100 keys each. */
export async function getMany<S extends z.ZodMiniType>(keys: Key[], schema: Schema<S>): Promise<z.output<S>[]> {
  const wanted = new Set(keys.map(nameOf));
  const items = keys.length > 0 ? await gathered(keys) : [];
  return parseAll(
    items.filter((item) => wanted.has(nameOf(item))),
    schema,
  );
}

async function readItems(keys: Key[]): Promise<Attributes[]> {
  const [only, second] = keys;
  if (only && !second) return getItem(only);
  const batches = Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, index) =>
    getBatch(keys.slice(index * BATCH, (index + 1) * BATCH)),
  );
  return (await Promise.all(batches)).flat();
}

async function getItem(key: Key): Promise<Attributes[]> {
  const input = { TableName: environment().TABLE_NAME, Key: key, ConsistentRead: true, ...WITH_UNITS };
  const { Item, ConsumedCapacity } = await send(new GetCommand(input));
  count("readUnits", ConsumedCapacity?.CapacityUnits);
  return Item ? [Item] : [];
}

async function getBatch(keys: Key[]): Promise<Attributes[]> {
  const { TABLE_NAME } = environment();
  const found: Attributes[] = [];
  let missing: Key[] | undefined = keys;
  for (let attempt = 0; missing?.length; attempt++) {
    if (attempt > MAX_RESENDS) throw new StoreUnavailable("DynamoDB left keys of a batch unprocessed too often");
    if (attempt > 0) await backOff(attempt);
    const Keys: Key[] = missing;
    const input = { RequestItems: { [TABLE_NAME]: { Keys, ConsistentRead: true } }, ...WITH_UNITS };
    const { Responses, UnprocessedKeys, ConsumedCapacity } = await send(new BatchGetCommand(input));
    for (const { CapacityUnits } of ConsumedCapacity ?? []) count("readUnits", CapacityUnits);
    found.push(...(Responses?.[TABLE_NAME] ?? []));
    missing = UnprocessedKeys?.[TABLE_NAME]?.Keys as Key[] | undefined;
  }
  return found;
}

/** How to walk a range: from its start or end, how many items a call reads, whether it sees every earlier write. */
type Walk = { descending?: boolean; pageSize?: number; consistent?: boolean };

/** One page of a range; `next` is the key where DynamoDB stopped, undefined at the end of the range. */
async function queryPage<S extends z.ZodMiniType>(
  { pk, from, to }: Range,
  schema: Schema<S>,
  { descending = false, pageSize, consistent = true }: Walk,
  ExclusiveStartKey?: Attributes,
): Promise<{ items: z.output<S>[]; next: Attributes | undefined }> {
  // DynamoDB refuses a range that ends before it begins.
  if (from > to) return { items: [], next: undefined };
  const { Items, LastEvaluatedKey, ConsumedCapacity } = await send(
    new QueryCommand({
      TableName: environment().TABLE_NAME,
      // DynamoDB Local reads the whole partition for `begins_with`.
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":pk": pk, ":from": from, ":to": to },
      ConsistentRead: consistent,
      ScanIndexForward: !descending,
      Limit: pageSize,
      ExclusiveStartKey,
      ...WITH_UNITS,
    }),
  );
  count("readUnits", ConsumedCapacity?.CapacityUnits);
  return { items: parseAll(Items, schema), next: LastEvaluatedKey };
}

/** Walks a range page by page; each page is read when the walk comes to it. */
export async function* pagesOf<S extends z.ZodMiniType>(
  range: Range,
  schema: Schema<S>,
  walk: Walk = {},
): AsyncGenerator<z.output<S>[], void, undefined> {
  let next: Attributes | undefined;
  do {
    const page = await queryPage(range, schema, walk, next);
    yield page.items;
    next = page.next;
  } while (next);
}

/** Reads all items of a range. */
export async function getRange<S extends z.ZodMiniType>(range: Range, schema: Schema<S>): Promise<z.output<S>[]> {
  const items: z.output<S>[] = [];
  for await (const page of pagesOf(range, schema)) items.push(...page);
  return items;
}

/** Reads the first `count` items of a range, `descending` the last ones; `more` is true if others may follow. */
export async function getFirst<S extends z.ZodMiniType>(
  range: Range,
  schema: Schema<S>,
  count: number,
  walk: Walk = {},
): Promise<{ items: z.output<S>[]; more: boolean }> {
  const items: z.output<S>[] = [];
  let next: Attributes | undefined;
  do {
    const page = await queryPage(range, schema, { ...walk, pageSize: count - items.length }, next);
    items.push(...page.items);
    next = page.next;
  } while (next && items.length < count);
  return { items, more: next !== undefined };
}
