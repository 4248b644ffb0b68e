import type { Database } from "../database.ts";
import { StoreError } from "../errors.ts";
import type { Input } from "../writes.ts";

/** A place between two steps of an operation, where steps of other operations may run. */
export type Pause = "read" | "write" | "hold" | "decide" | "change" | "let go";

/** An operation step by step; it returns the body of its answer, or throws a StoreError. */
export type Work = Generator<Pause, object, void>;

/** Deviations that the store may choose for a request without an error. */
export type Whims = {
  leavesOver: () => boolean;
  /** Whether a page ends here, before its limit and before the end of its range. */
  endsPage: () => boolean;
  conflicts: () => boolean;
};

export const calm: Whims = { leavesOver: () => false, endsPage: () => false, conflicts: () => false };

export type Operation = (database: Database, input: Input, whims: Whims) => Work;

export function throttled(): StoreError {
  return new StoreError(
    "ThrottlingException",
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly.",
  );
}

const READ_UNIT = 4096;
const WRITE_UNIT = 1024;

export function readUnits(bytes: number, { ConsistentRead: isStrong }: Input): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT)) / (isStrong ? 1 : 2);
}

/** Write units for an item: its larger size before and after counts. */
export function writeUnits(before: number, after: number): number {
  return Math.max(1, Math.ceil(Math.max(before, after) / WRITE_UNIT));
}

/** The units in an answer, if the request asks for them. */
export function consumed({ ReturnConsumedCapacity: asked, TransactItems, RequestItems }: Input, CapacityUnits: number) {
  if (asked !== "TOTAL") return {};
  return { ConsumedCapacity: TransactItems || RequestItems ? [{ CapacityUnits }] : { CapacityUnits } };
}
