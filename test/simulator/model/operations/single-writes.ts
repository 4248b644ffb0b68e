import { consumed, writeUnits } from "../capacity.ts";
import type { Database } from "../database.ts";
import { StoreError } from "../errors.ts";
import { sizeOfItem } from "../values.ts";
import { deleteOf, type Input, putOf, refuseLegacy, updateOf, type Write } from "../writes.ts";
import { charge, type Operation, type Whims, type Work } from "./work.ts";

function* single(database: Database, input: Input, write: Write, whims: Whims): Work {
  const { table, key } = write;
  yield "write";
  if (database.holder(table, key) || whims.conflicts()) {
    throw new StoreError("TransactionConflictException", "Transaction is ongoing for the item");
  }
  const before = table.get(key);
  const after = write.outcome(before?.item);
  const units = writeUnits(before?.size ?? 0, after ? sizeOfItem(after) : 0, false);
  charge(database, "write", table, key.partition, units);
  database.commit(table, key, after);
  const Attributes = write.attributes(before?.item, after);
  return { ...(Attributes && { Attributes }), ...consumed(input.ReturnConsumedCapacity, table.name, units) };
}

function operation(check: (table: ReturnType<Database["table"]>, input: Input) => Write): Operation {
  return (database, input, whims) => {
    refuseLegacy(input);
    return single(database, input, check(database.table(input.TableName), input), whims);
  };
}

/** PutItem. */
export const putItem = operation(putOf);

/** UpdateItem. */
export const updateItem = operation(updateOf);

/** DeleteItem. */
export const deleteItem = operation(deleteOf);
