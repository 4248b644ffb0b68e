import { expect } from "vitest";
import { check } from "../../../lib/data/invariants/check.ts";

/** Expects that the table keeps all that docs/data-model.md#invariants promises; nobody may write meanwhile. */
export const expectSound = async (): Promise<void> => {
  expect(await check()).toEqual([]);
};
