import { describe, expect, it } from "vitest";
import type { Key } from "../../../lib/table/keys.ts";
import { adding, create, type Part, update } from "../../../lib/table/parts.ts";
import { get } from "../../../lib/table/reads.ts";
import { sharedCommit } from "../../../lib/table/shared-commit.ts";
import { newId } from "../../../lib/values/ids.ts";
import { isTransaction, withFaults } from "../../support/store/faults.ts";
import { anything } from "../../support/store/items.ts";

function anItem(): Key {
  return { pk: "TEST", sk: newId() };
}

function addition(to: Key, changes: Record<string, number>): Part {
  const { expression, ...counted } = adding(Object.entries(changes));
  return update(to, expression, counted);
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
  it("uses one transaction, which adds their sum to a count", async () => {
    const [count, one, other] = [anItem(), anItem(), anItem()];
    const commit = sharedCommit(() => false);
    const sizes = await partsOf(() =>
      Promise.all([
        commit({ item: create(one), count: addition(count, { a: -1, b: 1 }) }),
        commit({ item: create(other), count: addition(count, { b: 1, c: 1 }) }),
      ]),
    );
    expect(sizes).toEqual([3]);
    expect(await get(count, anything)).toMatchObject({ a: -1, b: 2, c: 1 });
    expect(await Promise.all([get(one, anything), get(other, anything)])).not.toContain(undefined);
  });

  it("refuses only the plan whose condition fails, or that is broken", async () => {
    const [count, one, other] = [anItem(), anItem(), anItem()];
    await sharedCommit(() => false)({ item: create(one) });
    const commit = sharedCommit(() => false);
    const outcomes = await Promise.all([
      commit({ item: create(one), count: addition(count, { a: 1 }) }),
      commit({ item: create(other), count: addition(count, { a: 1 }) }),
    ]);
    expect(outcomes).toMatchObject([{ done: false }, { done: true }]);
    expect(await get(count, anything)).toMatchObject({ a: 1 });
    const broken = commit({ count: update(count, "ADD sk :one", { values: { ":one": 1 } }) });
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
