import { readUnits, writeUnits } from "../capacity.ts";
import type { Database, Transaction } from "../database.ts";
import { badShape, invalid, StoreError } from "../errors.ts";
import { Placeholders } from "../expressions/placeholders.ts";
import { keyOf } from "../keys.ts";
import { type Key, keyId, type Stored, type Table } from "../table.ts";
import { type Item, sizeOfItem } from "../values.ts";
import { checkOf, deleteOf, type Input, putOf, updateOf, type Write, type WriteKind } from "../writes.ts";
import { projectionOf } from "./reads.ts";
import type { Whims, Work } from "./work.ts";

const MAX_PARTS = 100;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_TOKEN = 36;

/** How long a client request token is remembered after its transaction was completed, in milliseconds. */
export const TOKEN_MEMORY_MS = 600_000;

/** Why a part of a transaction fails, or that it does not. */
type Reason = { Code: string; Message?: string; Item?: Item };

const NONE: Reason = { Code: "None" };

function cancelled(reasons: Reason[]): StoreError {
  return new StoreError(
    "TransactionCanceledException",
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(", ")}]`,
    { CancellationReasons: reasons },
  );
}

function partsOf({ TransactItems: items }: Input): Record<string, Input>[] {
  const parts = items as Record<string, Input>[] | undefined;
  const wrong = (bound: string) =>
    badShape(
      `Value '[${parts ?? ""}]' at 'transactItems' failed to satisfy constraint: Member must have length ${bound}`,
    );
  if (!parts || parts.length === 0) throw wrong("greater than or equal to 1");
  if (parts.length > MAX_PARTS) throw wrong(`less than or equal to ${MAX_PARTS}`);
  return parts;
}

function checkDifferent(targets: { table: Table; key: Key }[]): void {
  const ids = targets.map(({ table, key }) => `${table.name} ${keyId(key)}`);
  if (new Set(ids).size < ids.length) {
    throw invalid("Transaction request cannot include multiple operations on one item");
  }
}

const KINDS: readonly WriteKind[] = ["ConditionCheck", "Put", "Update", "Delete"];

function writeOf(database: Database, part: Record<string, Input>): Write {
  const [kind, second] = KINDS.filter((each) => part[each] !== undefined);
  if (!kind) throw invalid("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
  if (second) throw invalid("TransactItems can only contain one of Check, Put, Update or Delete");
  const input = part[kind] as Input;
  const table = database.table(input.TableName);
  if (kind === "Put") return putOf(table, input);
  if (kind === "Update") return updateOf(table, input);
  if (kind === "Delete") return deleteOf(table, input);
  if (input.ConditionExpression === undefined) {
    throw badShape(
      "Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to satisfy constraint: Member must not be null",
    );
  }
  return checkOf(table, input, true);
}

/** The request as the token remembers it: what it does, in one form. */
function requestOf({ TransactItems }: Input): string {
  return JSON.stringify(TransactItems, sortedMembers);
}

function sortedMembers(_: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

/** Whether the token of a request says that it was carried out before; throws where the token is in use otherwise. */
function wasDone({ tokens, surroundings }: Database, token: string, request: string): boolean {
  const use = tokens.get(token);
  if (!use || (use.state === "done" && surroundings.now() - use.at > TOKEN_MEMORY_MS)) return false;
  if (use.request !== request) {
    throw new StoreError(
      "IdempotentParameterMismatchException",
      "Request parameters do not match those of an earlier request with the same client request token",
    );
  }
  if (use.state === "done") return true;
  throw new StoreError(
    "TransactionInProgressException",
    "The transaction with the given request token is already in progress",
  );
}

/** A part with what the store decided about it. */
type Part = { write: Write; before: Stored | undefined; after: Item | undefined; isHeld: boolean; reason: Reason };

function hold(database: Database, part: Part, transaction: Transaction, whims: Whims): void {
  const { table, key, outcome } = part.write;
  if (database.holder(table, key) || whims.conflicts()) {
    part.reason = { Code: "TransactionConflict", Message: "Transaction is ongoing for the item" };
    return;
  }
  part.before = table.get(key);
  try {
    part.after = outcome(part.before?.item);
  } catch (error) {
    part.reason = reasonOf(error);
    return;
  }
  const units = writeUnits(part.before?.size ?? 0, part.after ? sizeOfItem(part.after) : 0, true);
  if (!database.surroundings.charge("write", `${table.name} ${key.partition}`, units)) {
    part.reason = {
      Code: "ThrottlingError",
      Message: "Throughput exceeds the current capacity of your table or index.",
    };
    return;
  }
  database.hold(table, key, transaction);
  part.isHeld = true;
}

function reasonOf(error: unknown): Reason {
  if (!(error instanceof StoreError)) throw error;
  if (error.type === "ConditionalCheckFailedException") {
    return { Code: "ConditionalCheckFailed", Message: error.message, ...(error.fields as { Item?: Item }) };
  }
  return { Code: "ValidationError", Message: error.message };
}

/**
 * TransactWriteItems. All items are held one by one, with their conditions checked; when all are, the transaction is decided, and
 * the items change and are let go one by one. Who reads meanwhile sees each item old or new, who writes to one meets a conflict.
 */
export function* transactWriteItems(database: Database, input: Input, whims: Whims): Work {
  const writes = partsOf(input).map((part) => writeOf(database, part));
  checkDifferent(writes);
  checkBytes(input);
  const { ClientRequestToken: token } = input;
  if (typeof token === "string" && token.length > MAX_TOKEN) {
    throw badShape(
      `Value '${token}' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to ${MAX_TOKEN}`,
    );
  }
  if (typeof token !== "string" || token === "") return yield* writeAll(database, input, writes, whims);
  const request = requestOf(input);
  if (wasDone(database, token, request)) return replayed(input, writes);
  database.tokens.set(token, { request, state: "running" });
  try {
    const answer = yield* writeAll(database, input, writes, whims);
    database.tokens.set(token, { request, state: "done", at: database.surroundings.now() });
    return answer;
  } catch (error) {
    // A cancelled transaction leaves no trace: the same token may be tried again.
    database.tokens.delete(token);
    throw error;
  }
}

function checkBytes({ TransactItems }: Input): void {
  const puts = (TransactItems as { Put?: { Item: Item } }[]).flatMap(({ Put }) => (Put ? [sizeOfItem(Put.Item)] : []));
  if (puts.reduce((sum, each) => sum + each, 0) > MAX_BYTES) {
    throw invalid(
      "Collection size of items exceeded, which can also be caused by the aggregate size of the items in the transaction exceeding the 4MB limit",
    );
  }
}

function* writeAll(database: Database, input: Input, writes: Write[], whims: Whims): Work {
  const transaction = database.newTransaction();
  const { shuffle } = database.surroundings;
  const parts = writes.map(
    (write): Part => ({ write, before: undefined, after: undefined, isHeld: false, reason: NONE }),
  );
  for (const part of shuffle(parts)) {
    yield "hold";
    hold(database, part, transaction, whims);
  }
  yield "decide";
  const isDone = parts.every(({ isHeld }) => isHeld);
  for (const part of shuffle(parts.filter(({ isHeld }) => isHeld))) {
    yield isDone ? "change" : "let go";
    const { table, key, kind } = part.write;
    if (isDone && kind !== "ConditionCheck") database.commit(table, key, part.after);
    database.release(table, key);
  }
  if (!isDone) throw cancelled(parts.map(({ reason }) => reason));
  const units = parts.map(({ write: { table }, before, after }) => ({
    table: table.name,
    units: writeUnits(before?.size ?? 0, after ? sizeOfItem(after) : 0, true),
  }));
  return capacityOf(input, units, "WriteCapacityUnits");
}

/** The answer to a transaction that was carried out before: it costs reads only. */
function replayed(input: Input, writes: Write[]): object {
  const units = writes.map(({ table, key }) => ({
    table: table.name,
    units: readUnits(table.get(key)?.size ?? 0, "transaction"),
  }));
  return capacityOf(input, units, "ReadCapacityUnits");
}

function capacityOf(input: Input, charges: { table: string; units: number }[], name: string): object {
  if (input.ReturnConsumedCapacity !== "TOTAL" && input.ReturnConsumedCapacity !== "INDEXES") return {};
  const tables = new Map<string, number>();
  for (const { table, units } of charges) tables.set(table, (tables.get(table) ?? 0) + units);
  return {
    ConsumedCapacity: [...tables].map(([TableName, units]) => ({ TableName, CapacityUnits: units, [name]: units })),
  };
}

/**
 * TransactGetItems. All items are read twice: one that is held by a transaction, or has changed in between, cancels the whole.
 */
export function* transactGetItems(database: Database, input: Input): Work {
  const gets = partsOf(input).map(({ Get }) => {
    if (!Get) throw invalid("Invalid Request: TransactGetRequest should contain Get request");
    const table = database.table(Get.TableName);
    const placeholders = new Placeholders(Get);
    const projection = projectionOf(Get, placeholders);
    placeholders.checkUsed();
    return { table, key: keyOf(table, Get.Key), projection };
  });
  checkDifferent(gets);
  const first: (Stored | undefined)[] = [];
  const reasons: Reason[] = gets.map(() => NONE);
  for (const [index, { table, key }] of gets.entries()) {
    yield "read";
    first[index] = table.get(key);
    if (database.holder(table, key)) reasons[index] = CONFLICT;
  }
  for (const [index, { table, key }] of gets.entries()) {
    yield "read";
    if (database.holder(table, key) || table.get(key) !== first[index]) reasons[index] = CONFLICT;
  }
  if (reasons.some((reason) => reason !== NONE)) throw cancelled(reasons);
  const units = gets.map(({ table }, index) => ({
    table: table.name,
    units: readUnits(first[index]?.size ?? 0, "transaction"),
  }));
  return {
    Responses: gets.map(({ projection }, index) => {
      const stored = first[index];
      return stored ? { Item: projection(stored.item) } : {};
    }),
    ...capacityOf(input, units, "ReadCapacityUnits"),
  };
}

const CONFLICT: Reason = { Code: "TransactionConflict", Message: "Transaction is ongoing for the item" };
