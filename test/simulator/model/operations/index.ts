import type { Database } from "../database.ts";
import { StoreError } from "../errors.ts";
import type { Input } from "../writes.ts";
import { batchWriteItem } from "./batch-write.ts";
import { query, scan } from "./pages.ts";
import { batchGetItem, getItem } from "./reads.ts";
import { deleteItem, putItem, updateItem } from "./single-writes.ts";
import { transactGetItems, transactWriteItems } from "./transactions.ts";
import { calm, type Operation, type Whims, type Work } from "./work.ts";

/** The operations of the store by the names they have on the wire. */
export const operations = {
  GetItem: getItem,
  BatchGetItem: batchGetItem,
  Query: query,
  Scan: scan,
  PutItem: putItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  BatchWriteItem: batchWriteItem,
  TransactWriteItems: transactWriteItems,
  TransactGetItems: transactGetItems,
} satisfies Record<string, Operation>;

/** The name of an operation. */
export type OperationName = keyof typeof operations;

/** Begins an operation; nothing is read or written before its first step is asked for. */
export function begin(database: Database, name: string, input: Input, whims: Whims = calm): Work {
  const operation: Operation | undefined = Object.hasOwn(operations, name)
    ? operations[name as OperationName]
    : undefined;
  if (!operation) throw new StoreError("UnknownOperationException", "An unknown operation was requested.");
  return operation(database, input, whims);
}

/** Carries an operation out at once, with nobody in between: the answer's body; throws a StoreError. */
export function execute(database: Database, name: string, input: Input): object {
  const work = begin(database, name, input);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
