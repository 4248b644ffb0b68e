import type { Database } from "../database.ts";
import type { Input } from "../writes.ts";
import { batchGetItem, getItem, query } from "./reads.ts";
import { calm, type Operation, type Whims, type Work } from "./work.ts";
import { singleWrite, transactWriteItems } from "./writes.ts";

export const operations: Readonly<Record<string, Operation>> = {
  GetItem: getItem,
  BatchGetItem: batchGetItem,
  Query: query,
  PutItem: singleWrite("Put"),
  UpdateItem: singleWrite("Update"),
  DeleteItem: singleWrite("Delete"),
  TransactWriteItems: transactWriteItems,
};

/** Begins an operation; nothing is read or written before its first step is asked for. */
export function begin(database: Database, name: string, input: Input, whims: Whims = calm): Work {
  const operation = operations[name];
  if (!operation) throw new Error(`the model does not know the operation ${name}`);
  return operation(database, input, whims);
}

/** Carries an operation out without a pause: the answer's body; throws a StoreError. */
export function execute(database: Database, name: string, input: Input): object {
  const work = begin(database, name, input);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
