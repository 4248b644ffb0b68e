import { describe, expect, it } from "vitest";
import { merge, type Rows, skip, take } from "../../../lib/lists/list-rows.ts";
import { orders } from "../../../lib/lists/orders.ts";

async function* rows(...postIds: string[]): Rows {
  for (const postId of postIds) yield { rowKey: postId, postId, boardId: undefined, status: undefined };
}

async function idsOf(some: Rows, count = 100): Promise<string> {
  return (await take(some, count)).map(({ postId }) => postId).join("");
}

describe("Rows of lists", () => {
  it("are merged in their order, with each post once", async () => {
    expect(await idsOf(merge([rows("a", "d", "e"), rows(), rows("b", "d", "f"), rows("c")], orders.asc))).toBe(
      "abcdef",
    );
    expect(await idsOf(merge([rows("f", "d", "a"), rows("e", "d", "c", "b")], orders.desc))).toBe("fedcba");
    expect(await idsOf(merge([], orders.asc))).toBe("");
  });

  it("can be skipped, and taken a few at a time", async () => {
    const rest = skip(rows("a", "b", "c", "d", "e"), 1);
    expect([await idsOf(rest, 2), await idsOf(rest, 0), await idsOf(rest, 3), await idsOf(rest, 1)]).toEqual([
      "bc",
      "",
      "de",
      "",
    ]);
    expect(await idsOf(skip(rows("a"), 5))).toBe("");
  });
});
