import { describe, expect, it } from "vitest";
import { type Entry, entryParts } from "../../../lib/posts/placement.ts";
import { key } from "../../../lib/table/keys.ts";
import { allPosts } from "../../../lib/table/post-lists.ts";

function entry(digits: string, status?: string): Entry {
  return {
    row: key.listRow(allPosts, "a"),
    attributes: status === undefined ? {} : { status },
    month: key.dayCounts(allPosts, "2025-03"),
    digits,
  };
}

describe("entryParts", () => {
  it.each([
    [undefined, undefined],
    [entry("05"), entry("05")],
    [entry("05", "a"), entry("05", "a")],
  ])("writes nothing where nothing changes: %j, %j", (before, after) => {
    expect(entryParts(before, after)).toEqual([]);
  });

  it("writes only the counts that change", () => {
    const [row, count] = entryParts(entry("05", "a"), entry("05", "b"));
    expect(row?.Put?.Item).toMatchObject({ status: "b" });
    expect(count?.Update?.ExpressionAttributeNames).toEqual({ "#n0": "05a", "#n1": "05b" });
    expect(count?.Update?.ExpressionAttributeValues).toEqual({ ":n0": -1, ":n1": 1 });
  });
});
