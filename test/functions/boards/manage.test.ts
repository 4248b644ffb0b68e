import { describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { handler as browse } from "../../../functions/boards/browse.ts";
import { handler as byUrl } from "../../../functions/boards/by-url.ts";
import { handler as checkSlug } from "../../../functions/boards/check-slug.ts";
import { handler as create } from "../../../functions/boards/create.ts";
import { handler as destroy } from "../../../functions/boards/delete.ts";
import { handler as list } from "../../../functions/boards/list.ts";
import { handler as search } from "../../../functions/boards/search.ts";
import { handler as update } from "../../../functions/boards/update.ts";
import { handler as bySlug } from "../../../functions/posts/by-slug.ts";
import { handler as createPost } from "../../../functions/posts/create.ts";
import { handler as deletePost } from "../../../functions/posts/delete.ts";
import { handler as listPosts } from "../../../functions/posts/list.ts";
import * as due from "../../../lib/table/due.ts";
import { range } from "../../../lib/table/keys.ts";
import { boardList } from "../../../lib/table/post-lists.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { carryOutAll, handOver, invoke } from "../../support/http/invoke.ts";
import { anything } from "../../support/store/items.ts";
import { aBoard, aMember, aPost, aUser } from "../../support/world/fixtures.ts";

const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("POST /boards", () => {
  it("creates a board with a url made from its name", async () => {
    const owner = await aUser("owner");
    const { status, body } = await invoke(create, { token: owner.token, body: { name: "  Größere Ideen!  " } });
    expect(status).toBe(201);
    expect(body.board).toEqual({
      boardId: expect.any(String),
      name: "Größere Ideen!",
      url: "gro-ere-ideen",
      color: expect.stringMatching(/^[0-9a-f]{6}$/),
      createdAt: expect.stringMatching(isoDate),
      post_count: "0",
      display: true,
      view_voters: true,
    });
  });

  it("gives a board another url if its name is taken or reserved", async () => {
    const owner = await aUser("owner");
    const make = async (name?: string) => (await invoke(create, { token: owner.token, body: { name } })).body.board.url;
    expect(await make("Twins")).toBe("twins");
    expect(await make("Twins")).toMatch(/^twins-[0-9a-f]{8}$/);
    expect(await make("Search")).toMatch(/^search-[0-9a-f]{8}$/);
    expect(await make("😀")).toMatch(/^board/);
    expect(await make()).toMatch(/^new-board/);
  });

  it("creates a hidden board on request", async () => {
    const owner = await aUser("owner");
    const member = await aMember();
    const { body } = await invoke(create, { token: owner.token, body: { name: "Secret plans", display: false } });
    const { boardId, url } = body.board;
    expect((await invoke(byUrl, { params: { url }, token: member.token })).body.code).toBe("BOARD_NOT_FOUND");
    expect((await invoke(byUrl, { params: { url }, token: owner.token })).body.board.display).toBe(false);
    const refused = await invoke(createPost, { token: member.token, body: { title: "x", boardId } });
    expect([refused.status, refused.body.code]).toEqual([404, "BOARD_NOT_FOUND"]);
  });

  it("is for owners only", async () => {
    for (const role of ["moderator", "member", "suspended"] as const) {
      const { token } = await aUser(role);
      const { status, body } = await invoke(create, { token, body: { name: 7 } });
      expect([role, status, body.code]).toEqual([role, 403, "NOT_ENOUGH_PERMISSION"]);
    }
  });

  it("refuses an invalid name", async () => {
    const owner = await aUser("owner");
    for (const name of ["", "   ", "x".repeat(101), 5, "a\u0000b", []]) {
      const { status, body } = await invoke(create, { token: owner.token, body: { name } });
      expect([status, body.code, body.errors[0].path]).toEqual([400, "VALIDATION_ERROR", "body.name"]);
    }
  });
});

describe("PATCH /boards", () => {
  it("changes the given fields only", async () => {
    const owner = await aUser("owner");
    const board = await aBoard();
    const change = { boardId: board.boardId.toUpperCase(), name: "Other", url: "other_url-2", view_voters: false };
    const { status, body } = await invoke(update, { token: owner.token, body: change });
    expect(status).toBe(200);
    expect(body.board).toMatchObject({ boardId: board.boardId, name: "Other", url: "other_url-2", view_voters: false });
    expect(body.board).toMatchObject({ color: board.color, display: true, post_count: "0" });
    expect((await invoke(byUrl, { params: { url: "other_url-2" } })).body.board).toEqual(body.board);
    expect((await invoke(byUrl, { params: { url: board.url } })).status).toBe(404);
    // The old url is free again.
    expect((await invoke(checkSlug, { token: owner.token, body: { url: board.url } })).body).toEqual({
      available: true,
    });
  });

  it("writes nothing if nothing changes", async () => {
    const owner = await aUser("owner");
    const { boardId, name, url, color } = await aBoard();
    const { status, calls } = await invoke(update, { token: owner.token, body: { boardId, name, url, color } });
    expect(status).toBe(200);
    expect(calls.filter((call) => call.inTransaction)).toEqual([]);
  });

  it("refuses the url of another board, invalid urls and colours, and unknown boards", async () => {
    const owner = await aUser("owner");
    const [one, two] = [await aBoard(), await aBoard()];
    const call = async (body: object) => {
      const answer = await invoke(update, { token: owner.token, body });
      return [answer.status, answer.body.code];
    };
    expect(await call({ boardId: one.boardId, url: two.url })).toEqual([409, "BOARD_URL_EXISTS"]);
    for (const url of ["", "A", "a b", "a.b", "get", "search", "sort", "check-slug", "a".repeat(51), "ü", 4]) {
      expect(await call({ boardId: one.boardId, url })).toEqual([400, "VALIDATION_ERROR"]);
    }
    for (const color of ["#aabbcc", "abc", "gggggg", "aabbccd", 5]) {
      expect(await call({ boardId: one.boardId, color })).toEqual([400, "VALIDATION_ERROR"]);
    }
    for (const boardId of [undefined, null, 5, "", "nope", "00000000-0000-7000-8000-000000000000"]) {
      expect(await call({ boardId, name: "x" })).toEqual([404, "BOARD_NOT_FOUND"]);
    }
    expect(await call({ boardId: "nope", name: "" })).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("gives a url to one of many boards that ask for it at once", async () => {
    const owner = await aUser("owner");
    const boards = await Promise.all(Array.from({ length: 16 }, () => aBoard()));
    const answers = await Promise.all(
      boards.map(({ boardId }) => invoke(update, { token: owner.token, body: { boardId, url: "wanted" } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "BOARD_URL_EXISTS")).toHaveLength(15);
  });

  it("applies all of many changes of one board at once", async () => {
    const owner = await aUser("owner");
    const { boardId } = await aBoard();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => invoke(update, { token: owner.token, body: { boardId, url: `race-${n}` } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const { body } = await invoke(list, { token: owner.token, query: { limit: "100" } });
    const final = body.boards.find((board: { boardId: string }) => board.boardId === boardId).url;
    for (const n of [0, 1, 2, 3, 4, 5]) {
      const free = (await invoke(checkSlug, { token: owner.token, body: { url: `race-${n}` } })).body.available;
      expect(free).toBe(`race-${n}` !== final);
    }
  });
});

describe("DELETE /boards", () => {
  it("removes the board for all readers at once; its posts stay, without a board", async () => {
    const owner = await aUser("owner");
    const board = await aBoard();
    const kept = await aPost(owner, { boardId: board.boardId });
    const dropped = await aPost(owner, { boardId: board.boardId });
    const { status, body } = await invoke(destroy, { token: owner.token, body: { boardId: board.boardId } });
    expect([status, body]).toEqual([204, undefined]);
    const check = async () => {
      expect((await invoke(byUrl, { params: { url: board.url } })).status).toBe(404);
      expect((await invoke(listPosts, { body: { boardId: board.boardId } })).body.posts).toEqual([]);
      expect((await invoke(listPosts, { body: { boardId: board.boardId, page: 2, limit: 1 } })).body.posts).toEqual([]);
      expect((await invoke(bySlug, { body: { slug: kept.slug } })).body.post.board).toBeNull();
    };
    await check();
    // A post of the board can go before and after the sweep, and leaves no count behind.
    expect((await invoke(deletePost, { token: owner.token, body: { id: dropped.postId } })).status).toBe(204);
    expect(await carryOutAll(sweep)).toBe(true);
    await check();
    expect((await invoke(deletePost, { token: owner.token, body: { id: kept.postId } })).status).toBe(204);
    expect(await getRange(range.listRows(boardList(board.boardId)), anything)).toEqual([]);
    expect(await getRange(range.dayCounts(boardList(board.boardId)), anything)).toEqual([]);
    expect(await due.waitingIds("DELETED")).toEqual([kept.postId]);
    expect((await invoke(destroy, { token: owner.token, body: { boardId: board.boardId } })).body.code).toBe(
      "BOARD_NOT_FOUND",
    );
  });

  it("leaves nothing behind if posts are created on the board meanwhile", async () => {
    const owner = await aUser("owner");
    for (let round = 0; round < 3; round++) {
      const { boardId } = await aBoard();
      const [gone, ...made] = await Promise.all([
        invoke(destroy, { token: owner.token, body: { boardId } }),
        ...Array.from({ length: 20 }, (_, n) =>
          invoke(createPost, { token: owner.token, body: { title: `${n}`, boardId } }),
        ),
      ]);
      expect(gone.status).toBe(204);
      for (const { status } of made) expect([201, 404]).toContain(status);
      expect(await carryOutAll(sweep)).toBe(true);
      expect(await getRange(range.listRows(boardList(boardId)), anything)).toEqual([]);
      expect(await getRange(range.dayCounts(boardList(boardId)), anything)).toEqual([]);
    }
  });

  it("is swept by a function that ignores other items", async () => {
    expect(await handOver(sweep, { pk: "OUTBOX", sk: "x" })).toEqual({ failed: [], calls: [] });
  });
});

describe("GET /boards/get, /boards/search/{name}, POST /boards/check-slug", () => {
  it("list and find displayed boards for everyone, hidden boards with board:read", async () => {
    const owner = await aUser("owner");
    const member = await aMember();
    const [first, second] = [
      await aBoard({ name: "Zebra café" }),
      await aBoard({ name: "zebra CAFE\u0301", display: false }),
    ];
    const ids = (answer: { body: { boards: { boardId: string }[] } }) =>
      answer.body.boards.map(({ boardId }) => boardId);
    const query = { limit: "100", created: "asc" };
    expect(ids(await invoke(browse, { query }))).toContain(first.boardId);
    expect(ids(await invoke(browse, { query }))).not.toContain(second.boardId);
    expect(ids(await invoke(browse, { query, token: owner.token }))).toContain(second.boardId);
    expect(ids(await invoke(search, { token: member.token, params: { name: "ZEBRA CAFÉ" } }))).toEqual([first.boardId]);
    const both = [first.boardId, second.boardId];
    expect(ids(await invoke(search, { token: owner.token, params: { name: "ZEBRA CAFÉ" } }))).toEqual(both);
    expect((await invoke(search, { params: { name: "x" } })).body.code).toBe("INVALID_AUTH_HEADER");
  });

  it("tell whether a board can have a url", async () => {
    const owner = await aUser("owner");
    const { url } = await aBoard();
    const ask = async (asked: unknown) => (await invoke(checkSlug, { token: owner.token, body: { url: asked } })).body;
    expect(await ask(url)).toEqual({ available: false });
    expect(await ask("nobody-has-it")).toEqual({ available: true });
    for (const impossible of ["", "A", "a b", "a.b", "get", "search", "a".repeat(51), "ü"]) {
      expect(await ask(impossible)).toEqual({ available: false });
    }
    expect((await ask(4)).code).toBe("VALIDATION_ERROR");
  });
});

describe("GET /boards by cursor", () => {
  it("pages through all boards once, in both orders, with correct page info", async () => {
    const { token } = await aUser("owner");
    for (const created of ["asc", "desc"]) {
      const all = (await invoke(list, { token, query: { created, limit: "100" } })).body.boards;
      const walked: unknown[] = [];
      for (let after: string | undefined, page = 1; ; page++) {
        const query = { created, first: "4", ...(after ? { after } : {}) };
        const { body } = await invoke(list, { token, query });
        expect(body.boards).toEqual(body.results);
        expect(body.page_info).toMatchObject({ count: body.results.length, current_page: page });
        expect([body.total_count, body.total_pages]).toEqual([all.length, Math.ceil(all.length / 4)]);
        walked.push(...body.results);
        after = body.page_info.end_cursor;
        if (!body.page_info.has_next_page) break;
      }
      expect(walked).toEqual(all);
    }
    expect((await invoke(list, { token, query: { first: "4", after: "zzz" } })).body.errors[0].path).toBe(
      "query.after",
    );
    expect(Object.keys((await invoke(list, { token })).body)).toEqual(["boards"]);
  });
});
