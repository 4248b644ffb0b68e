import { describe, expect, it } from "vitest";
import { bucketsOf, type CountedList, placeOf, readCounts, totalOf } from "../../../lib/lists/counts.ts";
import { orders } from "../../../lib/lists/orders.ts";
import { countParts } from "../../../lib/posts/counts.ts";
import { key } from "../../../lib/table/keys.ts";
import { allPosts, boardList } from "../../../lib/table/post-lists.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { OPEN_LETTER } from "../../../lib/values/statuses.ts";

/** A list with counts of days; a number alone counts open posts. */
function counted(board: string, days: Record<string, number | Record<string, number>>): CountedList {
  const countOf = (day: number | Record<string, number>) =>
    new Map(Object.entries(typeof day === "number" ? { [OPEN_LETTER]: day } : day));
  return { list: boardList(board), counts: new Map(Object.entries(days).map(([day, count]) => [day, countOf(count)])) };
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
      expect(buckets[place?.index ?? -1]?.name).toBe(day);
      expect(place?.before).toBe(offset - written.indexOf(day));
    }
    for (const offset of [10, 11, 2 ** 40]) expect(placeOf(buckets, offset)).toBeUndefined();
  });

  it("finds no place in lists without posts", () => {
    expect(placeOf(bucketsOf([], orders.asc), 0)).toBeUndefined();
  });

  it.each([
    [["a"], ["31"]],
    [["b"], ["31", "31", "01"]],
    [
      ["a", "b"],
      ["31", "31", "31", "01"],
    ],
    [["c"], []],
    [[], []],
    [[OPEN_LETTER], ["01", "01", "01", "01", "02", "02", "02", "02"]],
    [
      [OPEN_LETTER, "b"],
      ["31", "31", "01", "01", "01", "01", "01", "02", "02", "02", "02"],
    ],
  ])("counts only posts of the statuses %j", (letters, written) => {
    const list = counted("a", {
      "2025-01-31": { [OPEN_LETTER]: 0, a: 1, b: 2 },
      "2025-02-01": { [OPEN_LETTER]: 4, a: 0, b: 1 },
      "2025-02-02": 4,
    });
    const statuses = new Set(letters);
    const buckets = bucketsOf([list], orders.asc, statuses);
    const found = written.map((_, offset) => buckets[placeOf(buckets, offset)?.index ?? -1]?.name.slice(-2));
    expect(found).toEqual(written);
    expect(placeOf(buckets, written.length)).toBeUndefined();
    expect(totalOf([list], statuses)).toBe(written.length);
  });
});

describe("totalOf", () => {
  it("adds up all lists and days", () => {
    const lists = [counted("a", { "2025-01-31": 3, "2025-03-05": { a: 2 } }), counted("b", { "2025-03-05": 4 })];
    expect(totalOf(lists)).toBe(9);
  });
});

describe("readCounts", () => {
  it("reads what was counted, by UTC day; posts without a letter are open", async () => {
    const list = boardList("x");
    const [leapDay, next] = [{ digits: "29" }, { digits: "01" }];
    for (const [month, before, after] of [
      ["2024-02", undefined, leapDay],
      ["2024-03", undefined, { ...next, status: "a" }],
      ["2024-03", undefined, { ...next, status: "b" }],
      ["2024-02", leapDay, undefined],
      ["2024-03", { ...next, status: "a" }, { ...next, status: "c" }],
      ["2024-03", { ...next, status: "b" }, next],
      ["2024-03", next, { ...next, status: "d" }],
      ["2024-03", undefined, next],
    ] as const) {
      const [count] = countParts(key.dayCounts(list, month), before, after);
      expect(await transact({ count: count as NonNullable<typeof count> })).toEqual({ done: true });
    }
    expect(await readCounts(list, orders.asc)).toEqual(
      new Map([
        ["2024-02-29", new Map([[OPEN_LETTER, 0]])],
        ["2024-03-01", new Map(Object.entries({ [OPEN_LETTER]: 1, a: 0, b: 0, c: 1, d: 1 }))],
      ]),
    );
    expect(await readCounts(allPosts, orders.asc)).toEqual(new Map());
  });
});
