import { AsyncLocalStorage } from "node:async_hooks";
import type { Random } from "./random.ts";

export type Operation = {
  /** Unique within a run, and the same in each run that has this operation. */
  readonly id: string;
  /** Random numbers of its own: what other operations do does not shift them. */
  readonly random: Random;
  requests: number;
};

const operations = new AsyncLocalStorage<Operation>();

/** Does some work for an operation; whatever it awaits belongs to the operation too. */
export function forOperation<T>(operation: Operation, work: () => T): T {
  return operations.run(operation, work);
}

export function operationAtHand(): Operation | undefined {
  return operations.getStore();
}
