import { familyOf } from "../../../lib/table/families.ts";
import type { Change } from "../../simulator/model/database.ts";
import { tracesIn } from "../../support/world/traces.ts";

// The people who deleted their account, with every text that tells who they were. Once the work of their erasure is
// done, no item of the table may have one of these, in any form (docs/sign-in.md#deleting-an-account).

export class Lives {
  readonly #texts = new Map<string, string[]>();
  readonly #erased = new Set<string>();

  /** A text that the table may have of an account until it is erased. */
  know(userId: string, ...texts: string[]): void {
    this.#texts.set(userId, [...(this.#texts.get(userId) ?? []), ...texts]);
  }

  note({ key: { partition, sort } }: Change): void {
    if (familyOf(partition) === "ERASED") this.#erased.add(sort);
  }

  /** What the table still has of all who were erased. */
  tracesIn(items: readonly Record<string, unknown>[]): string[] {
    const gone = [...this.#erased].map((userId) => ({ userId, texts: this.#texts.get(userId) ?? [] }));
    return tracesIn(items, gone);
  }
}
