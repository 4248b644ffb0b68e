import { expect } from "vitest";
import { findingsIn, scan, unrankedIn } from "../../../infra/operator/check-table/check.ts";

const HINT = "an item or attribute that is new to the checker belongs into infra/operator/check-table/kinds.ts";

/** Expects that the table keeps all that docs/data-model.md#invariants promises; nobody may write meanwhile. */
export async function expectSound(): Promise<void> {
  expect(findingsIn(await scan()), HINT).toEqual([]);
}

/** Expects besides that the rows and counts by rank follow from every post as it is now. */
export async function expectRanked(): Promise<void> {
  const items = await scan();
  expect([...findingsIn(items), ...unrankedIn(items)], HINT).toEqual([]);
}
