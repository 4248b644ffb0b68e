import { expect } from "vitest";
import { check } from "../../../lib/data/invariants.ts";

/** Expects that the table keeps all that data-model.md promises; nobody may write meanwhile. */
export const expectSound = async (): Promise<void> => {
  expect(await check()).toEqual([]);
};
