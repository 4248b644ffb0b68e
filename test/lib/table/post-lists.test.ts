import { describe, expect, it } from "vitest";
import {
  allPosts,
  boardList,
  isSameList,
  listNamed,
  listsOf,
  nameOf,
  roadmapList,
} from "../../../lib/table/post-lists.ts";
import { newId } from "../../../lib/values/ids.ts";

describe("The name of a list of posts", () => {
  const [board, roadmap] = [newId(), newId()];

  it("is what is stored in keys", () => {
    expect(nameOf(allPosts)).toBe("ALL");
    expect(nameOf(boardList(board))).toBe(`BOARD#${board}`);
    expect(nameOf(roadmapList(roadmap))).toBe(`ROADMAP#${roadmap}`);
  });

  it("leads back to the list", () => {
    for (const list of [allPosts, boardList(board), roadmapList(roadmap)]) {
      expect(listNamed(nameOf(list))).toEqual(list);
    }
  });

  it.each(["", "all", "BOARD", "ROADMAP_ORDER", `ALL#${board}`, `POST#${board}`, board])("is not %j", (text) => {
    expect(listNamed(text)).toBeUndefined();
  });
});

describe("The lists of a post", () => {
  it("are the list of all posts, and those of its board and roadmap", () => {
    expect(listsOf({})).toEqual([allPosts]);
    expect(listsOf({ boardId: "b" })).toEqual([allPosts, boardList("b")]);
    expect(listsOf({ boardId: undefined, roadmapId: "r" })).toEqual([allPosts, roadmapList("r")]);
    expect(listsOf({ boardId: "b", roadmapId: "r" })).toEqual([allPosts, boardList("b"), roadmapList("r")]);
  });

  it("are the same if kind and id are", () => {
    expect(isSameList(boardList("a"), { kind: "board", id: "a" })).toBe(true);
    expect(isSameList(boardList("a"), boardList("b"))).toBe(false);
    expect(isSameList(boardList("a"), roadmapList("a"))).toBe(false);
  });
});
