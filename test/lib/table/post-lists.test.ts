import { describe, expect, it } from "vitest";
import {
  allPosts,
  boardList,
  isAmong,
  listNamed,
  listsOf,
  nameOf,
  roadmapList,
} from "../../../lib/table/post-lists.ts";
import { newId } from "../../../lib/values/ids.ts";

describe("the name of a list of posts", () => {
  const [board, roadmap] = [newId(), newId()];

  it("stands in the keys of the list", () => {
    expect(nameOf(allPosts)).toBe("ALL");
    expect(nameOf(boardList(board))).toBe(`BOARD#${board}`);
    expect(nameOf(roadmapList(roadmap))).toBe(`ROADMAP#${roadmap}`);
  });

  it("leads back to the list", () => {
    for (const list of [allPosts, boardList(board), roadmapList(roadmap)]) {
      expect(listNamed(nameOf(list))).toEqual(list);
    }
  });

  it.each(["", "all", "BOARD", "ROADMAP_ORDER", `ALL#${board}`, `POST#${board}`, board])("differs from %j", (text) => {
    expect(listNamed(text)).toBeUndefined();
  });
});

describe("listsOf", () => {
  it("returns the list of all posts, and the lists of the board and the roadmap", () => {
    expect(listsOf({})).toEqual([allPosts]);
    expect(listsOf({ boardId: "b" })).toEqual([allPosts, boardList("b")]);
    expect(listsOf({ boardId: undefined, roadmapId: "r" })).toEqual([allPosts, roadmapList("r")]);
    expect(listsOf({ boardId: "b", roadmapId: "r" })).toEqual([allPosts, boardList("b"), roadmapList("r")]);
  });
});

describe("isAmong", () => {
  it("compares kind and id", () => {
    expect(isAmong(boardList("a"), [allPosts, { kind: "board", id: "a" }])).toBe(true);
    expect(isAmong(boardList("a"), [boardList("b"), roadmapList("a")])).toBe(false);
  });
});
