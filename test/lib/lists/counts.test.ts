import { describe, expect, it } from "vitest";
import { readCounts } from "../../../lib/lists/counts.ts";
import { orders } from "../../../lib/lists/orders.ts";
import { type Entry, entryParts } from "../../../lib/posts/placement.ts";
import { key } from "../../../lib/table/keys.ts";
import { allPosts, boardList } from "../../../lib/table/post-lists.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { OPEN_LETTER } from "../../../lib/values/statuses.ts";

const list = boardList("x");

function entry(day: string, status?: string): Entry {
  return {
    row: key.listRow(list, day),
    attributes: status === undefined ? {} : { status },
    month: key.dayCounts(list, day.slice(0, 7)),
    digits: day.slice(8),
  };
}

describe("The counts of a list", () => {
  it("tell how posts were counted, by UTC day; posts without a letter are open", async () => {
    const [leapDay, next] = ["2024-02-29", "2024-03-01"];
    for (const [before, after] of [
      [undefined, entry(leapDay)],
      [undefined, entry(next, "a")],
      [undefined, entry(next, "b")],
      [entry(leapDay), undefined],
      [entry(next, "a"), entry(next, "c")],
      [entry(next, "b"), entry(next)],
      [entry(next), entry(next, "d")],
      [undefined, entry(next)],
    ]) {
      const parts = Object.fromEntries(entryParts(before, after).map((part, at) => [`${at}`, part]));
      expect(await transact(parts)).toEqual({ done: true });
    }
    expect(await readCounts(list, orders.asc)).toEqual(
      new Map([
        [leapDay, new Map([[OPEN_LETTER, 0]])],
        [next, new Map(Object.entries({ [OPEN_LETTER]: 1, a: 0, b: 0, c: 1, d: 1 }))],
      ]),
    );
    expect(await readCounts(allPosts, orders.asc)).toEqual(new Map());
  });

  it("cost no write where nothing changes", () => {
    for (const status of [undefined, "a"])
      expect(entryParts(entry("2024-03-01", status), entry("2024-03-01", status))).toEqual([]);
    const [, count] = entryParts(entry("2024-03-01", "a"), entry("2024-03-01", "b"));
    expect(count?.Update?.ExpressionAttributeNames).toEqual({ "#n0": "01a", "#n1": "01b" });
  });
});
