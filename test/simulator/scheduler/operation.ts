import { AsyncLocalStorage } from "node:async_hooks";
import type { Random } from "./random.ts";

export type Operation = {
  /** Unique within a run, and the same in each run with this operation. */
  readonly id: string;
  /** Its own random numbers, which other operations do not shift. */
  readonly random: Random;
  requests: number;
};

const operations = new AsyncLocalStorage<Operation>();

/** Runs work for an operation; everything that it awaits belongs to the operation too. */
export function forOperation<T>(operation: Operation, work: () => T): T {
  return operations.run(operation, work);
}

export function operationAtHand(): Operation | undefined {
  return operations.getStore();
}
