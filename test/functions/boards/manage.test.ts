import { beforeEach, describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import * as due from "../../../lib/table/due.ts";
import { boardList } from "../../../lib/table/post-lists.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { aTime, atOnce, carryOutAll, invoke, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { anything } from "../../support/store/items.ts";
import { aBoard, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";

let owner: Person;
beforeEach(async () => {
  owner = await aUser("owner");
});

function createBoard(body: object) {
  return invoke("boards-create", { token: owner.token, body });
}

function updateBoard(body: object) {
  return invoke("boards-update", { token: owner.token, body });
}

function deleteBoard({ boardId }: { boardId: string }) {
  return invoke("boards-delete", { token: owner.token, body: { boardId } });
}

function boardAt(url: string, by?: Person) {
  return invoke("boards-by-url", { params: { url }, token: by?.token });
}

async function isAvailable(url: unknown): Promise<boolean> {
  return success(await invoke("boards-check-slug", { token: owner.token, body: { url } }), 200).available;
}

describe("POST /boards", () => {
  it("creates a board with a url made from its name", async () => {
    expect(success(await createBoard({ name: "  Größere Ideen!  " }), 201).board).toEqual({
      boardId: expect.any(String),
      name: "Größere Ideen!",
      description: null,
      url: "grossere-ideen",
      color: expect.stringMatching(/^[0-9a-f]{6}$/),
      createdAt: aTime,
      post_count: "0",
      postsCount: 0,
      display: true,
      view_voters: true,
    });
  });

  it.each([
    ["Twins", /^twins$/],
    ["Twins", /^twins-[0-9a-f]{8}$/],
    ["Search", /^search-[0-9a-f]{8}$/],
    ["😀", /^board/],
    [undefined, /^new-board/],
  ])("makes the url of a board called %j like %s", async (name, url) => {
    expect(success(await createBoard({ name }), 201).board.url).toMatch(url);
  });

  it("creates a board with a description, which a change keeps, replaces or removes", async () => {
    const made = success(await createBoard({ name: "Ideas", description: "All that\nis missing." }), 201).board;
    expect(made.description).toBe("All that\nis missing.");
    const { boardId, url } = made;
    const changed = async (change: object) => success(await updateBoard({ boardId, ...change }), 200).board.description;
    expect(await changed({ name: "Wishes" })).toBe(made.description);
    expect(await changed({ description: "Wishes only." })).toBe("Wishes only.");
    expect(success(await boardAt(url), 200).board.description).toBe("Wishes only.");
    expect(await changed({ description: null })).toBeNull();
    expect(await changed({ description: "" })).toBeNull();
  });

  it("creates a hidden board on request", async () => {
    const { boardId, url } = success(await createBoard({ name: "Secret plans", display: false }), 201).board;
    refusal(await boardAt(url), "BOARD_NOT_FOUND");
    expect(success(await boardAt(url, owner), 200).board.display).toBe(false);
    const browsed = await invoke("boards-browse", { token: owner.token });
    expect(success(browsed, 200).boards[0]).toMatchObject({ boardId });
  });
});

describe("PATCH /boards", () => {
  it("changes the given fields only, and frees the old url", async () => {
    const board = await aBoard();
    const change = { boardId: board.boardId.toUpperCase(), name: "Other", url: "other_url-2", view_voters: false };
    const changed = success(await updateBoard(change), 200).board;
    const { boardId, color } = board;
    expect(changed).toMatchObject({ ...change, boardId, color, display: true, post_count: "0" });
    expect(success(await boardAt("other_url-2"), 200).board).toEqual(changed);
    refusal(await boardAt(board.url), "BOARD_NOT_FOUND");
    expect(await isAvailable(board.url)).toBe(true);
  });

  it.each(["", "A", "a b", "a.b", "get", "search", "sort", "check-slug", "a".repeat(51), "ü"])(
    "refuses the url %.12j, which check-slug calls taken",
    async (url) => {
      refusal(await updateBoard({ boardId: (await aBoard()).boardId, url }), "VALIDATION_ERROR", "body.url");
      expect(await isAvailable(url)).toBe(false);
    },
  );

  it.each(["#aabbcc", "abc", "gggggg", "aabbccd"])("refuses the colour %j", async (color) => {
    refusal(await updateBoard({ boardId: (await aBoard()).boardId, color }), "VALIDATION_ERROR", "body.color");
  });

  it("gives a url to one of 16 boards that ask for it in parallel", async () => {
    const boards = await atOnce(16, () => aBoard());
    const replies = await atOnce(16, (n) => updateBoard({ boardId: boards[n]?.boardId, url: "wanted" }));
    expect(tally(replies)).toEqual({ 200: 1, "409 BOARD_URL_EXISTS": 15 });
  });

  it("applies all of six changes of one board in parallel", async () => {
    const { boardId } = await aBoard();
    expect(tally(await atOnce(6, (n) => updateBoard({ boardId, url: `race-${n}` })))).toEqual({ 200: 6 });
    const final = (await portal.boards(owner)).find((board) => board.boardId === boardId)?.url;
    for (let n = 0; n < 6; n++) expect(await isAvailable(`race-${n}`)).toBe(`race-${n}` !== final);
  });
});

describe("DELETE /boards", () => {
  it("removes the board for all readers immediately, and leaves its posts without a board", async () => {
    const board = await aBoard();
    const { boardId } = board;
    const kept = await aPost(owner, { boardId });
    const dropped = await aPost(owner, { boardId });
    success(await deleteBoard(board), 204);
    const expectGone = async () => {
      refusal(await boardAt(board.url), "BOARD_NOT_FOUND");
      expect(await portal.list({ boardId })).toEqual([]);
      expect(await portal.list({ boardId, page: 2, limit: 1 })).toEqual([]);
      expect((await portal.shownPost(kept)).board).toBeNull();
    };
    await expectGone();
    // A post of the board can go before and after the sweep, and leaves no count.
    success(await portal.deletePost(dropped, owner), 204);
    expect(await carryOutAll(sweep)).toBe(true);
    await expectGone();
    success(await portal.deletePost(kept, owner), 204);
    expect(await getRange(range.listRows(boardList(boardId)), anything)).toEqual([]);
    expect(await getRange(range.dayCounts(boardList(boardId)), anything)).toEqual([]);
    expect(await due.waitingIds("DELETED")).toEqual([kept.postId]);
    refusal(await deleteBoard(board), "BOARD_NOT_FOUND");
  });
});

describe("GET /boards/search/{name}", () => {
  it("finds boards by name without regard to case and form, hidden boards with board:read", async () => {
    const shown = await aBoard({ name: "Zebra café" });
    const hidden = await aBoard({ name: "zebra CAFE\u0301", display: false });
    const find = async ({ token }: Person) =>
      success(await invoke("boards-search", { token, params: { name: "ZEBRA CAFÉ" } }), 200).boards;
    expect(await find(await aMember())).toMatchObject([{ boardId: shown.boardId }]);
    expect(await find(owner)).toMatchObject([{ boardId: shown.boardId }, { boardId: hidden.boardId }]);
  });
});
