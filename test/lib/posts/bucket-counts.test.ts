import { describe, expect, it } from "vitest";
import { orders } from "../../../lib/lists/orders.ts";
import * as bucketCounts from "../../../lib/posts/bucket-counts.ts";
import { allPosts, boardList } from "../../../lib/table/post-lists.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { idAt } from "../../../lib/values/ids.ts";

function counted(board: string, counts: Record<string, number>): bucketCounts.CountedList {
  return {
    list: boardList(board),
    counts: new Map(Object.entries(counts).map(([day, all]) => [day, { all, byStatus: {} }])),
  };
}

describe("Counts of the days", () => {
  it("find the day and the position in it of every offset, as a written-out list does", () => {
    const lists = [
      counted("a", { "2025-01-31": 3, "2025-02-01": 0, "2025-03-05": 2 }),
      counted("b", { "2024-12-31": 1, "2025-02-01": 0, "2025-03-05": 4 }),
      counted("c", { "2025-02-01": 0 }),
      counted("d", {}),
    ];
    const days = ["2024-12-31", "2025-01-31", "2025-01-31", "2025-01-31", ...Array(6).fill("2025-03-05")];
    for (const order of [orders.asc, orders.desc]) {
      const written = order.descending ? days.toReversed() : days;
      for (const [offset, day] of written.entries()) {
        const before = offset - written.indexOf(day);
        const after = days.filter((each) => each === day).length - before;
        const place = bucketCounts.placeOf(lists, offset, order);
        expect(place).toMatchObject({ bucket: day, before, after });
        // Lists without a post are not read at all.
        expect(place?.lists.map(({ list }) => list)).toEqual([boardList("a"), boardList("b")]);
      }
      for (const offset of [10, 11, 2 ** 40]) expect(bucketCounts.placeOf(lists, offset, order)).toBeUndefined();
    }
    expect(bucketCounts.placeOf([], 0, orders.asc)).toBeUndefined();
    expect(bucketCounts.totalOf(lists)).toBe(10);
  });

  it("give the number of posts of each list on the day of an offset", () => {
    const lists = [counted("a", { "2025-03-05": 2 }), counted("b", { "2025-03-06": 4 })];
    expect(bucketCounts.placeOf(lists, 2, orders.asc)?.lists).toMatchObject([
      { list: boardList("a"), size: 0 },
      { list: boardList("b"), size: 4 },
    ]);
  });

  it("find the place of an offset among the posts of some statuses; what no status counts is open", () => {
    const counts = new Map([
      ["2025-01-31", { all: 3, byStatus: { a: 1, b: 2 } }],
      ["2025-02-01", { all: 5, byStatus: { a: 0, b: 1 } }],
      ["2025-02-02", { all: 4, byStatus: {} }],
    ]);
    const lists = [{ list: allPosts, counts }];
    for (const [statuses, days] of [
      [["a"], ["31"]],
      [["b"], ["31", "31", "01"]],
      [
        ["a", "b"],
        ["31", "31", "31", "01"],
      ],
      [["c"], []],
      [[], []],
      [[undefined], ["01", "01", "01", "01", "02", "02", "02", "02"]],
      [
        [undefined, "b"],
        ["31", "31", "01", "01", "01", "01", "01", "02", "02", "02", "02"],
      ],
    ] as const) {
      const wanted = new Set<string | undefined>(statuses);
      const places = days.map((_, offset) => bucketCounts.placeOf(lists, offset, orders.asc, wanted)?.bucket.slice(-2));
      expect(places).toEqual(days);
      expect(bucketCounts.placeOf(lists, days.length, orders.asc, wanted)).toBeUndefined();
      expect(bucketCounts.totalOf(lists, wanted)).toBe(days.length);
    }
  });

  it("are stored by UTC day, and read with the days that have no posts any more", async () => {
    const at = (time: string) => idAt(Date.parse(time));
    const last = at("2024-02-29T23:59:59.999Z");
    const first = at("2024-03-01T00:00:00.000Z");
    const list = boardList("x");
    for (const count of [
      bucketCounts.countPart(list, last, 1, undefined),
      bucketCounts.countPart(list, first, 1, "a"),
      bucketCounts.countPart(list, first, 1, "b"),
      bucketCounts.countPart(list, last, -1, undefined),
      bucketCounts.recountPart(list, first, "a", "c"),
      bucketCounts.recountPart(list, first, "b", undefined),
      bucketCounts.recountPart(list, first, undefined, "d"),
    ]) {
      expect(await transact({ count })).toEqual({ done: true });
    }
    expect(await bucketCounts.read(list, orders.asc)).toEqual(
      new Map([
        ["2024-02-29", { all: 0, byStatus: {} }],
        ["2024-03-01", { all: 2, byStatus: { a: 0, b: 0, c: 1, d: 1 } }],
      ]),
    );
    expect(await bucketCounts.read(allPosts, orders.asc)).toEqual(new Map());
  });
});
