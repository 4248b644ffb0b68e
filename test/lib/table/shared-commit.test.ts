import { describe, expect, it } from "vitest";
import type { Key } from "../../../lib/table/keys.ts";
import { create, type Part, update } from "../../../lib/table/parts.ts";
import { get } from "../../../lib/table/reads.ts";
import { sharedCommit } from "../../../lib/table/shared-commit.ts";
import { newId } from "../../../lib/values/ids.ts";
import { isTransaction, withFaults } from "../../support/store/faults.ts";
import { anything } from "../../support/store/items.ts";

function anItem(): Key {
  return { pk: "TEST", sk: newId() };
}

/** Returns the number of parts of each transaction of some work. */
async function partsOf(work: () => Promise<unknown>): Promise<number[]> {
  const sizes: number[] = [];
  await withFaults((attempt) => {
    if (isTransaction(attempt)) sizes.push((attempt.input as { TransactItems: Part[] }).TransactItems.length);
    return "none";
  }, work);
  return sizes;
}

describe("A group of plans", () => {
  it("uses one transaction", async () => {
    const one = anItem();
    const other = anItem();
    const commit = sharedCommit(() => false);
    const sizes = await partsOf(() =>
      Promise.all([
        commit({ item: create(one), further: create(anItem()) }),
        commit({ item: create(other), further: create(anItem()) }),
      ]),
    );
    expect(sizes).toEqual([4]);
    expect(await get(one, anything)).toBeDefined();
    expect(await get(other, anything)).toBeDefined();
  });

  it("refuses only the plan whose condition fails, or that is broken", async () => {
    const taken = anItem();
    const free = anItem();
    await sharedCommit(() => false)({ item: create(taken) });
    const commit = sharedCommit(() => false);
    const outcomes = await Promise.all([commit({ item: create(taken) }), commit({ item: create(free) })]);
    expect(outcomes).toMatchObject([{ done: false }, { done: true }]);
    expect(await get(free, anything)).toBeDefined();
    const broken = commit({ item: update(anItem(), "ADD sk :one", { values: { ":one": 1 } }) });
    const sound = commit({ item: create(anItem()) });
    await expect(broken).rejects.toThrow();
    expect(await sound).toEqual({ done: true });
  });

  it("uses several transactions if it has more than a hundred parts or writes one item twice", async () => {
    const commit = sharedCommit(() => false);
    const item = anItem();
    const many = () => Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`part ${at}`, create(anItem())]));
    const plans = [many(), many(), { item: create(item) }, { item: create(item) }];
    const outcomes: unknown[] = [];
    const sizes = await partsOf(async () => outcomes.push(...(await Promise.all(plans.map(commit)))));
    expect(sizes).toEqual([60, 61, 1]);
    expect(outcomes).toMatchObject([{ done: true }, { done: true }, { done: true }, { done: false }]);
  });

  it("writes nothing when the time is over", async () => {
    const item = anItem();
    expect(await sharedCommit(() => true)({ item: create(item) })).toBe("is over");
    expect(await get(item, anything)).toBeUndefined();
  });
});
