import { describe, expect, it } from "vitest";
import { countParts } from "../../../lib/posts/counts.ts";
import { key } from "../../../lib/table/keys.ts";
import { allPosts } from "../../../lib/table/post-lists.ts";

const month = key.dayCounts(allPosts, "2025-03");

describe("countParts", () => {
  it.each([
    [undefined, undefined],
    [{ digits: "05" }, { digits: "05" }],
    [
      { digits: "05", status: "a" },
      { digits: "05", status: "a" },
    ],
  ])("writes nothing where no count changes: %j, %j", (before, after) => {
    expect(countParts(month, before, after)).toEqual([]);
  });

  it("writes only the counts that change", () => {
    const [part] = countParts(month, { digits: "05", status: "a" }, { digits: "05", status: "b" });
    expect(part?.Update?.ExpressionAttributeNames).toEqual({ "#count0": "05a", "#count1": "05b" });
    expect(part?.Update?.ExpressionAttributeValues).toEqual({ ":change0": -1, ":change1": 1 });
  });
});
