import { describe, expect, it } from "vitest";
import { orders } from "../../../lib/lists/orders.ts";
import { merge, type Rows, rowsOf, skip, take } from "../../../lib/lists/rows.ts";

function rows(postIds: string): Rows {
  return rowsOf([...postIds].map((postId) => ({ rowKey: postId, postId, boardId: undefined, status: undefined })));
}

async function idsOf(some: Rows, count = 100): Promise<string> {
  return (await take(some, count)).map(({ postId }) => postId).join("");
}

describe("merge", () => {
  it.each([
    ["asc", ["ade", "", "bdf", "c"], "abcdef"],
    ["desc", ["fda", "edcb"], "fedcba"],
    ["asc", [], ""],
  ] as const)("keeps the order %s of %j, with each post once", async (order, lists, merged) => {
    expect(await idsOf(merge(lists.map(rows), orders[order]))).toBe(merged);
  });
});

describe("take", () => {
  it("leaves the rest to be taken", async () => {
    const rest = rows("abcd");
    expect(await idsOf(rest, 2)).toBe("ab");
    expect(await idsOf(rest, 0)).toBe("");
    expect(await idsOf(rest, 3)).toBe("cd");
    expect(await idsOf(rest, 1)).toBe("");
  });
});

describe("skip", () => {
  it("leaves out the first rows", async () => {
    expect(await idsOf(skip(rows("abc"), 1))).toBe("bc");
    expect(await idsOf(skip(rows("a"), 5))).toBe("");
  });
});
