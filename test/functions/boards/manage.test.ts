import { beforeEach, describe, expect, it, vi } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { MAX_PLACES, NO_ORDER, put } from "../../../lib/catalogue/board-order.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import { approve } from "../../../lib/posts/deciding.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as due from "../../../lib/table/due.ts";
import { boardList } from "../../../lib/table/post-lists.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { newId } from "../../../lib/values/ids.ts";
import { aTime, atOnce, carryOutAll, invoke, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { writesIn } from "../../support/store/calls.ts";
import { anything } from "../../support/store/items.ts";
import { aBoard, aKey, aMember, aPost, aRoadmap, aUser, type Person } from "../../support/world/fixtures.ts";
import { aHeldPost } from "../../support/world/held.ts";
import { mergeInto, takeOut } from "../../support/world/merges.ts";

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

function deleteBoard({ boardId }: { boardId: string }, moveTo?: string) {
  return invoke("boards-delete", { token: owner.token, body: { boardId, moveTo } });
}

function boardAt(url: string, by?: Person) {
  return invoke("boards-by-url", { params: { url }, token: by?.token });
}

function move(boardId: string, before?: string) {
  return invoke("boards-sort", { token: owner.token, body: { boardId, before } });
}

async function namesInOrder(query: Record<string, string> = {}): Promise<string[]> {
  const reply = await invoke("boards-browse", { token: owner.token, query: { sort: "position", ...query } });
  return success(reply, 200).boards.map(({ name }: { name: string }) => name);
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

describe("PATCH /boards/sort", () => {
  const letters = [..."abcdef"];

  beforeEach(async () => {
    await freshTable();
    owner = await aUser("owner");
  });

  async function boardsNamed(names: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) ids.push((await aBoard({ name })).boardId);
    return ids;
  }

  it("puts a board before another one or last, once; the others keep their order, and new ones come last", async () => {
    const [a, b, c, d] = (await boardsNamed(["a", "b", "c", "d"])) as [string, string, string, string];
    expect(await namesInOrder()).toEqual(["a", "b", "c", "d"]);
    const moved = success(await move(d, b), 200).boards;
    expect(moved.map(({ name }: { name: string }) => name)).toEqual(["a", "d", "b", "c"]);
    success(await move(a), 200);
    await aBoard({ name: "e" });
    expect(await namesInOrder()).toEqual(["d", "b", "c", "a", "e"]);
    for (const again of [await move(d, b), await move(c, c)]) {
      success(again, 200);
      expect(writesIn(again)).toEqual([]);
    }
    expect(await namesInOrder({ sort: "oldest" })).toEqual(["a", "b", "c", "d", "e"]);
    expect((await portal.boards(owner)).map(({ name }) => name)).toEqual(["e", "d", "c", "b", "a"]);
  });

  it("pages by cursor in that order, also from a board that is deleted", async () => {
    const ids = await boardsNamed(letters);
    success(await move(ids[5] as string, ids[0]), 200);
    const pageAfter = async (after?: string) => {
      const query = { sort: "position", first: "2", ...(after && { after }) };
      return success(await invoke("boards-browse", { token: owner.token, query }), 200);
    };
    const first = await pageAfter();
    expect(first.results.map(({ name }: { name: string }) => name)).toEqual(["f", "a"]);
    success(await deleteBoard({ boardId: ids[0] as string }), 204);
    const second = await pageAfter(first.page_info.end_cursor);
    expect(second.results.map(({ name }: { name: string }) => name)).toEqual(["b", "c"]);
    expect(second).toMatchObject({ total_count: 5 });
    const cursor = first.page_info.end_cursor;
    refusal(
      await invoke("boards-browse", { query: { sort: "oldest", after: cursor } }),
      "VALIDATION_ERROR",
      "query.after",
    );
  });

  it("refuses a board that is not there", async () => {
    const { boardId } = await aBoard();
    refusal(await move(boardId, newId()), "BOARD_NOT_FOUND");
    refusal(await move(newId(), boardId), "BOARD_NOT_FOUND");
    refusal(await move(boardId, "no id"), "BOARD_NOT_FOUND");
  });

  it("keeps hidden boards from a key that may not see them", async () => {
    const hidden = await aBoard({ display: false });
    const { boardId } = await aBoard();
    const { text: token } = await aKey(owner, ["board:update"]);
    const { boards } = success(await invoke("boards-sort", { token, body: { boardId } }), 200);
    expect(boards.map((board: { boardId: string }) => board.boardId)).toEqual([boardId]);
    expect(boards).not.toContainEqual(expect.objectContaining({ boardId: hidden.boardId }));
  });

  it("loses no board and shows none twice when sorts, creations and deletions meet", async () => {
    const ids = await boardsNamed(letters);
    const id = (n: number) => ids[n] as string;
    const calls = [
      move(id(4), id(0)),
      move(id(1)),
      createBoard({ name: "late" }),
      deleteBoard({ boardId: id(3) }),
      move(id(0), id(5)),
    ];
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 201, 204, 200]);
    expect((await namesInOrder()).toSorted()).toEqual(["a", "b", "c", "e", "f", "late"]);
    await expectSound();
  });

  it("moves a board behind two hundred others", async () => {
    const ids = await boardsNamed(Array.from({ length: 203 }, (_, n) => `board ${n}`));
    const { boards } = success(await move(ids.at(-1) as string, ids.at(-2)), 200);
    const last = boards.slice(-3).map((board: { boardId: string }) => board.boardId);
    expect(last).toEqual([ids.at(-3), ids.at(-1), ids.at(-2)]);
  });

  it("keeps the first places of more boards than there are places", async () => {
    const many = Array.from({ length: MAX_PLACES + 2 }, () => ({ boardId: newId() }));
    const ids = many.map(({ boardId }) => boardId);
    const sorted = await put({ boards: many, order: NO_ORDER }, ids.at(-1) as string, ids[0]);
    expect(sorted).toHaveLength(many.length);
    const kept = [ids.at(-1), ...ids].slice(0, MAX_PLACES);
    expect(await boardOrder()).toEqual(kept);
  });
});

async function boardOrder(): Promise<string[]> {
  return (await boards.allWithOrder()).order.boardIds;
}

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

  it("moves its posts to the board that is named, with their counts, and tells of each", async () => {
    const board = await aBoard();
    const target = await aBoard();
    const other = await aBoard();
    const { boardId: moveTo } = target;
    const { roadmapId } = await aRoadmap();
    const plain = await aPost(owner, { boardId: board.boardId });
    const placed = await aPost(owner, { boardId: board.boardId, roadmapId });
    const moved = await aPost(owner, { boardId: board.boardId });
    const gone = await aPost(owner, { boardId: board.boardId });
    success(await deleteBoard(board, moveTo), 204);
    // Two are not waiting for it any more.
    success(await portal.changePost(moved, { boardId: other.boardId }, owner), 200);
    success(await portal.deletePost(gone, owner), 204);
    expect(await carryOutAll(sweep)).toBe(true);
    expect((await portal.list({ boardId: moveTo })).map(({ postId }) => postId)).toEqual([placed.postId, plain.postId]);
    expect((await portal.shownPost(placed)).board?.boardId).toBe(moveTo);
    expect((await portal.list({ boardId: moveTo, roadmapId })).length).toBe(1);
    expect((await portal.shownPost(moved)).board?.boardId).toBe(other.boardId);
    expect(success(await boardAt(target.url), 200).board.postsCount).toBe(2);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SETTLE_MS + 1 });
    const { events } = success(
      await invoke("events-list", { token: owner.token, query: { types: "post.updated" } }),
      200,
    );
    vi.useRealTimers();
    const told = events.filter((event: { boardId: string }) => event.boardId === moveTo);
    const ofBoth = [plain, placed].map(({ postId }) => ({ postId, by: owner.userId, changed: ["boardId"] }));
    expect(told).toHaveLength(2);
    expect(told).toEqual(expect.arrayContaining(ofBoth.map((each) => expect.objectContaining(each))));
    expect(await getRange(range.listRows(boardList(board.boardId)), anything)).toEqual([]);
    expect(await getRange(range.dayCounts(boardList(board.boardId)), anything)).toEqual([]);
  });

  it("leaves its posts on no board if the one that is named is deleted meanwhile", async () => {
    const board = await aBoard();
    const target = await aBoard();
    const post = await aPost(owner, { boardId: board.boardId });
    success(await deleteBoard(board, target.boardId), 204);
    success(await deleteBoard(target), 204);
    expect(await carryOutAll(sweep)).toBe(true);
    expect((await portal.shownPost(post)).board).toBeNull();
    expect(await getRange(range.listRows(boardList(board.boardId)), anything)).toEqual([]);
  });

  it("moves its posts on if the board that is named is deleted meanwhile and names another", async () => {
    const board = await aBoard();
    const second = await aBoard();
    const third = await aBoard();
    const last = await aBoard();
    const written = await atOnce(2, () => aPost(owner, { boardId: board.boardId }));
    const later = await aPost(owner, { boardId: second.boardId });
    success(await deleteBoard(board, second.boardId), 204);
    success(await deleteBoard(second, third.boardId), 204);
    success(await deleteBoard(third, last.boardId), 204);
    await carryOutAll(sweep);
    for (const post of [...written, later]) expect((await portal.shownPost(post)).board?.boardId).toBe(last.boardId);
    expect(success(await boardAt(last.url), 200).board.postsCount).toBe(3);
    // Each waits for the one before it, to which it says where the posts go.
    await carryOutAll(sweep);
    expect(await carryOutAll(sweep)).toBe(true);
  });

  it("moves neither merged posts nor held ones", async () => {
    const board = await aBoard();
    const { boardId } = board;
    const target = await aBoard();
    const merged = await aPost(owner, { boardId });
    await mergeInto(merged, (await aPost(owner)).postId);
    const held = await aHeldPost(await aMember(), { boardId });
    success(await deleteBoard(board, target.boardId), 204);
    expect(await carryOutAll(sweep)).toBe(true);
    await takeOut(merged);
    expect((await portal.shownPost(merged)).board).toBeNull();
    expect(await approve(held, owner.userId)).toBe("approved");
    const oldest = (await boards.all()).find(({ display }) => display);
    expect((await posts.find(held.id))?.boardId).toBe(oldest?.boardId);
  });

  it("is refused, and keeps the board, if the posts cannot be moved to the board that is named", async () => {
    const board = await aBoard();
    refusal(await deleteBoard(board, board.boardId.toUpperCase()), "VALIDATION_ERROR", "body.moveTo");
    for (const none of [newId(), "none"]) refusal(await deleteBoard(board, none), "BOARD_NOT_FOUND");
    success(await boardAt(board.url), 200);
    refusal(await deleteBoard({ boardId: newId() }, board.boardId), "BOARD_NOT_FOUND");
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
