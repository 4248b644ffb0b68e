import { consumed, readUnits } from "../capacity.ts";
import type { Database } from "../database.ts";
import { badShape, invalid } from "../errors.ts";
import { Placeholders } from "../expressions/placeholders.ts";
import { projectorOf } from "../expressions/projections.ts";
import { keyOf } from "../keys.ts";
import { type Key, keyId, type Stored, type Table } from "../table.ts";
import type { Item } from "../values.ts";
import { type Input, refuseLegacy } from "../writes.ts";
import { charge, throttled, type Whims, type Work } from "./work.ts";

/** How strongly a request reads. */
export function strengthOf({ ConsistentRead }: Input): "strong" | "eventual" {
  return ConsistentRead ? "strong" : "eventual";
}

/** What a request wants to see of an item. */
export function projectionOf(input: Input, placeholders: Placeholders): (item: Item) => Item {
  return input.ProjectionExpression === undefined
    ? (item) => item
    : projectorOf(String(input.ProjectionExpression), placeholders);
}

/** GetItem. */
export function* getItem(database: Database, input: Input): Work {
  refuseLegacy(input);
  const table = database.table(input.TableName);
  const key = keyOf(table, input.Key);
  const placeholders = new Placeholders(input);
  const projection = projectionOf(input, placeholders);
  placeholders.checkUsed();
  yield "read";
  const found = table.get(key);
  const units = readUnits(found?.size ?? 0, strengthOf(input));
  charge(database, "read", table, key.partition, units);
  return {
    ...(found && { Item: projection(found.item) }),
    ...consumed(input.ReturnConsumedCapacity, table.name, units),
  };
}

const MAX_KEYS = 100;
const MAX_ANSWER = 16 * 1024 * 1024;

/** The keys that a batch asks for in one table. */
type Wanted = { table: Table; input: Input; keys: Key[]; projection: (item: Item) => Item };

function wantedOf(database: Database, name: string, input: Input): Wanted {
  refuseLegacy(input);
  const table = database.table(name);
  const given = (input.Keys ?? []) as unknown[];
  if (given.length === 0) throw badShape(tooShort(`requestItems.${name}.member.keys`));
  const keys = given.map((each) => keyOf(table, each));
  if (new Set(keys.map(keyId)).size < keys.length) throw invalid("Provided list of item keys contains duplicates");
  const placeholders = new Placeholders(input);
  const projection = projectionOf(input, placeholders);
  placeholders.checkUsed();
  return { table, input, keys, projection };
}

function tooShort(place: string): string {
  return `Value at '${place}' failed to satisfy constraint: Member must have length greater than or equal to 1`;
}

/** BatchGetItem: each key is read for itself; what is throttled, or does not fit into the answer, is left over. */
export function* batchGetItem(database: Database, input: Input, whims: Whims): Work {
  const requests = Object.entries((input.RequestItems ?? {}) as Record<string, Input>);
  if (requests.length === 0) throw badShape(tooShort("requestItems"));
  const all = requests.map(([name, request]) => wantedOf(database, name, request));
  if (all.flatMap(({ keys }) => keys).length > MAX_KEYS) {
    throw invalid("Too many items requested for the BatchGetItem call");
  }
  const responses: Record<string, Item[]> = {};
  const unprocessed: Record<string, Input> = {};
  const capacity: object[] = [];
  let bytes = 0;
  for (const { table, input: request, keys, projection } of all) {
    const found: Item[] = [];
    const left: unknown[] = [];
    let units = 0;
    for (const [index, key] of keys.entries()) {
      yield "read";
      const stored: Stored | undefined = table.get(key);
      const own = readUnits(stored?.size ?? 0, strengthOf(request));
      const fits = bytes + (stored?.size ?? 0) <= MAX_ANSWER && !whims.leavesOver();
      if (!fits || !database.surroundings.charge("read", `${table.name} ${key.partition}`, own)) {
        left.push((request.Keys as unknown[])[index]);
        continue;
      }
      units += own;
      bytes += stored?.size ?? 0;
      if (stored) found.push(projection(stored.item));
    }
    responses[table.name] = found;
    if (left.length > 0) unprocessed[table.name] = { ...request, Keys: left };
    capacity.push({ TableName: table.name, CapacityUnits: units });
    // Where nothing at all could be read, the request fails.
    if (left.length === keys.length && all.length === 1) throw throttled();
  }
  const wantsCapacity = input.ReturnConsumedCapacity === "TOTAL" || input.ReturnConsumedCapacity === "INDEXES";
  return {
    Responses: responses,
    UnprocessedKeys: unprocessed,
    ...(wantsCapacity && { ConsumedCapacity: capacity }),
  };
}
