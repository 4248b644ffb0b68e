import { writeUnits } from "../capacity.ts";
import type { Database } from "../database.ts";
import { invalid } from "../errors.ts";
import { keyId } from "../table.ts";
import { sizeOfItem } from "../values.ts";
import { deleteOf, type Input, putOf } from "../writes.ts";
import type { Whims, Work } from "./work.ts";

const MAX_REQUESTS = 25;

/** BatchWriteItem: each write for itself; what is throttled, or meets a transaction, is left over. */
export function* batchWriteItem(database: Database, input: Input, whims: Whims): Work {
  const requests = Object.entries((input.RequestItems ?? {}) as Record<string, Record<string, Input>[]>).flatMap(
    ([name, all]) => {
      const table = database.table(name);
      return all.map((request) => {
        const write = request.PutRequest
          ? putOf(table, request.PutRequest)
          : deleteOf(table, request.DeleteRequest ?? {});
        return { name, table, request, write };
      });
    },
  );
  if (requests.length > MAX_REQUESTS) throw invalid("Too many items requested for the BatchWriteItem call");
  if (new Set(requests.map(({ name, write }) => `${name} ${keyId(write.key)}`)).size < requests.length) {
    throw invalid("Provided list of item keys contains duplicates");
  }
  const unprocessed: Record<string, object[]> = {};
  for (const { name, table, request, write } of requests) {
    yield "write";
    const before = table.get(write.key);
    const after = write.outcome(before?.item);
    const units = writeUnits(before?.size ?? 0, after ? sizeOfItem(after) : 0, false);
    const isFree = !database.holder(table, write.key) && !whims.leavesOver();
    if (isFree && database.surroundings.charge("write", `${name} ${write.key.partition}`, units)) {
      database.commit(table, write.key, after);
    } else {
      unprocessed[name] = [...(unprocessed[name] ?? []), request];
    }
  }
  return { UnprocessedItems: unprocessed };
}
