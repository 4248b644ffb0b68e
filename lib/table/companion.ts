import { currentRequest } from "../runtime/store-budget.ts";
import type { Part } from "./parts.ts";

// A companion is a part that joins the first transaction of its request that is committed: it is written exactly if the
// request changed something. It has no condition, so no transaction fails by it.

const companions = new WeakMap<object, () => Part | undefined>();

/**
 * Lets a part join the transactions of the current request; it is made anew for each, always under the same key.
 * Undefined: this one needs none.
 */
export function accompany(part: () => Part | undefined): void {
  const request = currentRequest();
  if (request) companions.set(request, part);
}

/** The part that joins these parts: undefined for parts that only check something. */
export function companionOf(parts: readonly Part[]): Part | undefined {
  const request = currentRequest();
  if (!request || parts.every(({ ConditionCheck }) => ConditionCheck)) return undefined;
  return companions.get(request)?.();
}

/** Notes that a transaction was committed: later ones of the request go alone. */
export function companionIsWritten(): void {
  const request = currentRequest();
  if (request) companions.delete(request);
}
