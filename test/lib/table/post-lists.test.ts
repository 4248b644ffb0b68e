import { describe, expect, it } from "vitest";
import * as postLists from "../../../lib/table/post-lists.ts";
import { newId } from "../../../lib/values/ids.ts";

describe("the name of a list of posts", () => {
  const [board, roadmap] = [newId(), newId()];

  it("stands in the keys of the list", () => {
    expect(postLists.nameOf(postLists.allPosts)).toBe("ALL");
    expect(postLists.nameOf(postLists.boardList(board))).toBe(`BOARD#${board}`);
    expect(postLists.nameOf(postLists.roadmapList(roadmap))).toBe(`ROADMAP#${roadmap}`);
  });

  it("leads back to the list", () => {
    for (const list of [postLists.allPosts, postLists.boardList(board), postLists.roadmapList(roadmap)]) {
      expect(postLists.listNamed(postLists.nameOf(list))).toEqual(list);
    }
  });

  it.each(["", "all", "BOARD", "ROADMAP_ORDER", `ALL#${board}`, `POST#${board}`, board])("differs from %j", (text) => {
    expect(postLists.listNamed(text)).toBeUndefined();
  });
});

describe("listsOf", () => {
  it("returns the list of all posts, and the lists of the board and the roadmap", () => {
    expect(postLists.listsOf({})).toEqual([postLists.allPosts]);
    expect(postLists.listsOf({ boardId: "b" })).toEqual([postLists.allPosts, postLists.boardList("b")]);
    expect(postLists.listsOf({ boardId: undefined, roadmapId: "r" })).toEqual([
      postLists.allPosts,
      postLists.roadmapList("r"),
    ]);
    expect(postLists.listsOf({ boardId: "b", roadmapId: "r" })).toEqual([
      postLists.allPosts,
      postLists.boardList("b"),
      postLists.roadmapList("r"),
    ]);
  });
});

describe("isAmong", () => {
  it("compares kind and id", () => {
    expect(postLists.isAmong(postLists.boardList("a"), [postLists.allPosts, { kind: "board", id: "a" }])).toBe(true);
    expect(postLists.isAmong(postLists.boardList("a"), [postLists.boardList("b"), postLists.roadmapList("a")])).toBe(
      false,
    );
  });
});
