import type { Database } from "../database.ts";
import { invalid, StoreError } from "../errors.ts";
import { keyId } from "../table.ts";
import { type Item, sizeOfItem } from "../values.ts";
import { checkParameters, type Input, type Write, type WriteKind, writeOf } from "../writes.ts";
import { consumed, type Operation, throttled, type Whims, type Work, writeUnits } from "./work.ts";

const CONFLICT = "Transaction is ongoing for the item";

export function singleWrite(kind: WriteKind): Operation {
  return function* (database, input, whims) {
    const { key, outcome } = writeOf(kind, input);
    yield "write";
    if (database.isHeld(key) || whims.conflicts()) {
      throw new StoreError("TransactionConflictException", CONFLICT);
    }
    const before = database.table.get(key);
    const after = outcome(before?.item);
    const units = writeUnits(before?.size ?? 0, after ? sizeOfItem(after) : 0);
    if (!database.surroundings.charge("write", key.partition, units)) throw throttled();
    database.commit(key, after);
    return {};
  };
}

const MAX_PARTS = 100;
const MAX_BYTES = 4 * 1024 * 1024;

/** How long a client request token is remembered after its transaction was completed, in milliseconds. */
export const TOKEN_MEMORY_MS = 600_000;

/** The reason why a part of a transaction fails, or that it does not. */
type Reason = { Code: string; Message?: string; Item?: Item };

const NONE: Reason = { Code: "None" };

function writesOf({ TransactItems }: Input): Write[] {
  const parts = (TransactItems ?? []) as Record<string, Input>[];
  if (parts.length === 0 || parts.length > MAX_PARTS) {
    throw invalid(`Value at 'transactItems' failed to satisfy constraint: Member must have length 1 to ${MAX_PARTS}`);
  }
  const writes = parts.map((part) => {
    const [[kind, input]] = Object.entries(part) as [[WriteKind, Input]];
    return writeOf(kind, input);
  });
  if (new Set(writes.map(({ key }) => keyId(key))).size < writes.length) {
    throw invalid("Transaction request cannot include multiple operations on one item");
  }
  const bytes = parts.reduce((sum, { Put }) => sum + (Put ? sizeOfItem(Put.Item as Item) : 0), 0);
  if (bytes > MAX_BYTES) throw invalid("The aggregate size of the items in the transaction exceeded the 4MB limit");
  return writes;
}

/**
 * Whether the token of a request shows that it was carried out before; throws if the token is used for another request.
 */
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
  throw inProgress();
}

export function inProgress(): StoreError {
  return new StoreError(
    "TransactionInProgressException",
    "The transaction with the given request token is already in progress",
  );
}

type Part = { write: Write; after: Item | undefined; isHeld: boolean; reason: Reason; units: number };

function hold(database: Database, part: Part, whims: Whims): void {
  const { key, outcome } = part.write;
  if (database.isHeld(key) || whims.conflicts()) {
    part.reason = { Code: "TransactionConflict", Message: CONFLICT };
    return;
  }
  const before = database.table.get(key);
  try {
    part.after = outcome(before?.item);
  } catch (error) {
    part.reason = reasonOf(error);
    return;
  }
  const units = 2 * writeUnits(before?.size ?? 0, part.after ? sizeOfItem(part.after) : 0);
  if (!database.surroundings.charge("write", key.partition, units)) {
    part.reason = { Code: "ThrottlingError", Message: throttled().message };
    return;
  }
  database.hold(key);
  part.isHeld = true;
  part.units = units;
}

function reasonOf(error: unknown): Reason {
  if (!(error instanceof StoreError)) throw error;
  if (error.type === "ConditionalCheckFailedException") {
    return { Code: "ConditionalCheckFailed", Message: error.message, ...(error.fields as { Item?: Item }) };
  }
  return { Code: "ValidationError", Message: error.message };
}

/**
 * TransactWriteItems. All items are held one by one, with their conditions checked; when all are, the transaction is
 * decided, and the items change and are let go one by one. A read in between sees each item old or new; a write to one
 * meets a conflict.
 */
export function* transactWriteItems(database: Database, input: Input, whims: Whims): Work {
  checkParameters(input);
  const writes = writesOf(input);
  const { ClientRequestToken: token } = input;
  if (typeof token !== "string") return yield* writeAll(database, writes, whims, input);
  const request = JSON.stringify(input.TransactItems);
  if (wasDone(database, token, request)) return {};
  database.tokens.set(token, { request, state: "running" });
  try {
    const answer = yield* writeAll(database, writes, whims, input);
    database.tokens.set(token, { request, state: "done", at: database.surroundings.now() });
    return answer;
  } catch (error) {
    // A cancelled transaction leaves no trace: the same token may be tried again.
    database.tokens.delete(token);
    throw error;
  }
}

function* writeAll(database: Database, writes: Write[], whims: Whims, input: Input): Work {
  const { shuffle } = database.surroundings;
  const parts = writes.map((write): Part => ({ write, after: undefined, isHeld: false, reason: NONE, units: 0 }));
  for (const part of shuffle(parts)) {
    yield "hold";
    hold(database, part, whims);
  }
  yield "decide";
  const isDone = parts.every(({ isHeld }) => isHeld);
  const transaction = database.begin();
  const changed = parts.filter(({ write: { kind } }) => kind !== "ConditionCheck");
  if (isDone) {
    database.decide(
      changed.map(({ write: { key }, after }) => ({ key, after })),
      transaction,
    );
  }
  for (const part of shuffle(parts.filter(({ isHeld }) => isHeld))) {
    yield isDone ? "change" : "let go";
    const { key } = part.write;
    if (isDone && changed.includes(part)) database.commit(key, part.after, { transaction });
    database.release(key);
  }
  if (isDone)
    return consumed(
      input,
      parts.reduce((sum, { units }) => sum + units, 0),
    );
  const reasons = parts.map(({ reason }) => reason);
  const codes = reasons.map(({ Code }) => Code).join(", ");
  throw new StoreError(
    "TransactionCanceledException",
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}
