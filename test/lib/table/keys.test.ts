import { describe, expect, it } from "vitest";
import { familyOf, partitions, rankings } from "../../../lib/table/families.ts";
import { type Key, key, loggedKey } from "../../../lib/table/keys.ts";
import { boardList } from "../../../lib/table/post-lists.ts";
import { isLike } from "../../support/stack/iam.ts";

describe("The pattern of a family", () => {
  it("matches the keys of its own family only", () => {
    const id = "0192f0c1-2345-7000-8000-000000000000";
    const ofList = ["listRow", "dayCounts", "listOwner"];
    const firstOf = (name: string): unknown => {
      if (name === "commentRow") return key.comment(id, id);
      return ofList.includes(name) ? boardList(id) : id;
    };
    for (const [name, make] of Object.entries(key) as [string, (...words: unknown[]) => Key][]) {
      const made =
        name === "rankRow" ? rankings.map((ranking) => make(ranking, boardList(id), id)) : [make(firstOf(name), id)];
      for (const { pk } of made) {
        const matching = Object.entries(partitions).filter(([, pattern]) => isLike(pk, pattern));
        expect(matching.map(([family]) => family)).toEqual([familyOf(pk)]);
      }
    }
  });
});

describe("A key in the log", () => {
  it("names no address and no person", () => {
    const id = "0192f0c1-2345-7000-8000-000000000000";
    expect(loggedKey(key.personRow("ada@example.com", id))).toBe(`PEOPLE | ${id}`);
    expect(loggedKey(key.email("ada@example.com"))).toBe("EMAIL | EMAIL");
    expect(loggedKey(key.user(id))).toBe(`USER#${id} | USER`);
  });
});
