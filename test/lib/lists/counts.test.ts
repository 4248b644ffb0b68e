import { describe, expect, it } from "vitest";
import { bucketsOf, type CountedList, placeOf, readCounts } from "../../../lib/lists/counts.ts";
import { orders } from "../../../lib/lists/orders.ts";
import { type Entry, entryParts } from "../../../lib/posts/placement.ts";
import { key } from "../../../lib/table/keys.ts";
import { allPosts, boardList } from "../../../lib/table/post-lists.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { OPEN_LETTER } from "../../../lib/values/statuses.ts";

function counted(board: string, days: Record<string, number>): CountedList {
  const counts = Object.entries(days).map(([day, count]) => [day, new Map([[OPEN_LETTER, count]])] as const);
  return { list: boardList(board), counts: new Map(counts) };
}

describe("placeOf", () => {
  const lists = [
    counted("a", { "2025-01-31": 3, "2025-02-01": 0, "2025-03-05": 2 }),
    counted("b", { "2024-12-31": 1, "2025-02-01": 0, "2025-03-05": 4 }),
    counted("c", {}),
  ];
  const days = ["2024-12-31", "2025-01-31", "2025-01-31", "2025-01-31", ...Array(6).fill("2025-03-05")];

  it.each(["asc", "desc"] as const)("finds the bucket of every offset and the place in it, %s", (name) => {
    const buckets = bucketsOf(lists, orders[name]);
    const written = orders[name].descending ? days.toReversed() : days;
    for (const [offset, day] of written.entries()) {
      const place = placeOf(buckets, offset);
      expect(buckets[place.index]?.name).toBe(day);
      expect(place.before).toBe(offset - written.indexOf(day));
    }
    for (const offset of [10, 11, 2 ** 40]) expect(placeOf(buckets, offset).index).toBe(buckets.length);
  });

  it("finds no place in lists without posts", () => {
    expect(placeOf(bucketsOf([], orders.asc), 0)).toEqual({ index: 0, before: 0 });
  });
});

describe("readCounts", () => {
  it("reads what posts were counted as, by UTC day; posts without a letter are open", async () => {
    const list = boardList("x");
    const entry = (day: string, status?: string): Entry => ({
      row: key.listRow(list, day),
      attributes: status === undefined ? {} : { status },
      month: key.dayCounts(list, day.slice(0, 7)),
      digits: day.slice(8),
    });
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
});
