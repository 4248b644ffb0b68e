import { expect, it } from "vitest";
import * as z from "zod/mini";
import { key } from "../../../lib/table/keys.ts";
import { get } from "../../../lib/table/reads.ts";
import { freshTable } from "../../support/setup.ts";
import { measured, planOf, recordCalls } from "../../support/store/calls.ts";

const Item = z.object({ sk: z.string() });

it.each([
  { what: "the same item", ids: ["a", "a", "a"], plan: "GetItem POSTS" },
  { what: "items of which one is asked for first and again", ids: ["a", "a", "b", "c"], plan: "BatchGetItem 3 POSTS" },
  {
    what: "more items than a call takes",
    ids: Array.from({ length: 150 }, (_, n) => `${n}`),
    plan: "BatchGetItem 100 POSTS | BatchGetItem 50 POSTS",
  },
])("get reads $what once where the reads begin together", async ({ ids, plan }) => {
  await freshTable();
  const { calls } = await measured(() => recordCalls(() => Promise.all(ids.map((id) => get(key.post(id), Item)))));
  expect(planOf(calls)).toBe(plan);
});
