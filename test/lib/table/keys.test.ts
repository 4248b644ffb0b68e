import { describe, expect, it } from "vitest";
import * as keys from "../../../lib/table/keys.ts";
import { partitions } from "../../../lib/table/keys.ts";
import { boardList } from "../../../lib/table/post-lists.ts";
import { isLike } from "../../support/stack/iam.ts";

describe("The pattern of a family", () => {
  it("matches the keys of its own family only", () => {
    const id = "0192f0c1-2345-7000-8000-000000000000";
    const ofList = ["listRow", "dayCounts", "listOwner"];
    const ofRanking = ["rankRow", "rankCounts"];
    for (const [name, make] of Object.entries(keys.key) as [string, (...words: unknown[]) => keys.Key][]) {
      const made = ofRanking.includes(name)
        ? keys.rankings.map((ranking) => make(ranking, boardList(id), id))
        : [make(name === "commentRow" ? keys.key.comment(id, id) : ofList.includes(name) ? boardList(id) : id, id)];
      for (const { pk } of made) {
        const matching = Object.entries(partitions).filter(([, pattern]) => isLike(pk, pattern));
        expect(matching.map(([family]) => family)).toEqual([keys.familyOf(pk)]);
      }
    }
  });
});
