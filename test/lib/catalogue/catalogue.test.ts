import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as boardOrder from "../../../lib/catalogue/board-order.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import { type Catalogue, read } from "../../../lib/catalogue/catalogue.ts";
import { pinParts } from "../../../lib/catalogue/pins.ts";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { measured, planOf, recordCalls } from "../../support/store/calls.ts";
import { aBoard, aMember, aPost, aRoadmap, settleCatalogue } from "../../support/world/fixtures.ts";

beforeEach(freshTable);
afterEach(() => {
  vi.useRealTimers();
});

async function planOfRead(): Promise<string> {
  return planOf((await measured(() => recordCalls(read))).calls);
}

function given<T>(found: T | undefined): T {
  if (found === undefined) throw new Error("the catalogue lacks an entry");
  return found;
}

describe("The catalogue that a process has read", () => {
  it("is read by its stamp alone until something changes", async () => {
    await aBoard();
    await settleCatalogue();
    expect(await planOfRead()).toBe("Query CATALOGUE");
    expect(await planOfRead()).toBe("GetItem CATALOGUE");
    await aBoard();
    expect(await planOfRead()).toBe("GetItem CATALOGUE ; Query CATALOGUE");
  });

  it("is not kept while its last change may be half visible", async () => {
    await aBoard();
    await read();
    expect(await planOfRead()).toBe("Query CATALOGUE");
  });

  it("is not kept in a table that has no stamp", async () => {
    await read();
    expect(await planOfRead()).toBe("Query CATALOGUE");
  });

  it("shows a change by hand after a minute", async () => {
    const { boardId } = await aBoard({ name: "Before" });
    await settleCatalogue();
    await read();
    await transact({ board: setFields(key.board(boardId), { name: "After" }) });
    const nameNow = async () => (await read()).boards[0]?.name;
    expect(await nameNow()).toBe("Before");
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] });
    expect(await nameNow()).toBe("After");
  });

  it("is kept while posts change the number of posts of a board", async () => {
    const { boardId } = await aBoard();
    const author = await aMember();
    await settleCatalogue();
    await read();
    await aPost(author, { boardId });
    expect(await planOfRead()).toBe("GetItem CATALOGUE");
  });
});

describe("A process that keeps the catalogue immediately sees", () => {
  const DRAFT = { name: "Later", color: "cccccc", kind: "open" } as const;
  const changes: [what: string, change: (before: Catalogue) => Promise<unknown>][] = [
    ["a new board", () => aBoard()],
    ["a change of a board", async () => boards.change(await firstBoard(), { display: false })],
    ["another url of a board", async () => boards.change(await firstBoard(), { url: "another" })],
    ["the deletion of a board", async () => boards.remove(await firstBoard())],
    [
      "another order of boards",
      async () => boardOrder.put(await boards.allWithOrder(), (await firstBoard()).boardId, undefined),
    ],
    ["a new roadmap", () => aRoadmap()],
    ["a change of a roadmap", async ({ roadmaps: [first] }) => roadmaps.change(given(first), { display: false })],
    [
      "the deletion of a roadmap",
      async ({ roadmaps: [first] }) => roadmaps.remove(given(first), await roadmaps.allWithOrder()),
    ],
    [
      "another order of roadmaps",
      async ({ roadmaps: [one, two] }) =>
        roadmaps.move(await roadmaps.allWithOrder(), given(one).roadmapId, given(two).roadmapId),
    ],
    ["another list of statuses", async (list) => statuses.replace(list, [...list.statuses, DRAFT])],
    ["the removal of a status", async (list) => statuses.remove(list, given(list.statuses[1]).statusId)],
  ];

  async function firstBoard(): Promise<boards.BoardRecord> {
    return given((await boards.all())[0]);
  }

  it.each(changes)("%s", async (_, change) => {
    await aBoard();
    await aBoard();
    await aRoadmap();
    await aRoadmap();
    await settleCatalogue();
    const before = await read();
    expect(await planOfRead()).toBe("GetItem CATALOGUE");
    await change(before);
    const seen = await read();
    expect(seen).not.toEqual(before);
    newContainer();
    expect(seen).toEqual(await read());
  });
});

describe("What is read by a kept catalogue", () => {
  type Asked = { body: object; name?: string };
  const reads: [what: string, asked: (boardId: string) => Asked][] = [
    ["a list of a board", (boardId) => ({ body: { boardId: [boardId] } })],
    ["a list of a board by cursor", (boardId) => ({ body: { boardId: [boardId], first: 1 } })],
    ["a list by votes", () => ({ body: { sort: "top" } })],
    ["a list of a status by votes", () => ({ body: { sort: "top", status: ["open"] } })],
    ["a search", () => ({ name: "posts-search", body: { query: "lamp" } })],
    ["a search on a board", (boardId) => ({ name: "posts-search", body: { query: "lamp", boardId: [boardId] } })],
    ["a search of similar posts", () => ({ name: "posts-similar", body: { title: "A lamp" } })],
  ];

  async function aSiteWithALamp(): Promise<boards.BoardRecord> {
    const board = await aBoard();
    const { postId } = await aPost(await aMember(), { title: "A lamp", boardId: board.boardId });
    await derive(postId);
    await settleCatalogue();
    await read();
    return board;
  }

  async function answerTo({ name = "posts-list", body }: Asked) {
    const { calls, body: answer } = await measured(() => invoke(name, { body }));
    const [post] = answer.results ?? answer.posts;
    return { plan: planOf(calls), post };
  }

  it.each(reads)("comes with the stamp in the call that reads the posts: %s", async (_, asked) => {
    const { boardId } = await aSiteWithALamp();
    const { plan, post } = await answerTo(asked(boardId));
    expect(post.board).toMatchObject({ boardId });
    expect(plan).toMatch(/BatchGetItem 3 (CATALOGUE POSTS|POSTS CATALOGUE)$/);
    expect(plan.match(/CATALOGUE/g)).toHaveLength(1);
  });

  it.each(reads)("is read again if another process has hidden the board: %s", async (_, asked) => {
    const board = await aSiteWithALamp();
    await boards.change(board, { display: false });
    const { post } = await answerTo(asked(board.boardId));
    expect(post?.board ?? null).toBeNull();
  });

  it("is read again if another process has made the status that is asked for", async () => {
    await aSiteWithALamp();
    const before = await read();
    const draft = { name: "Later", color: "cccccc", kind: "open" } as const;
    const made = (await statuses.replace(before, [...before.statuses, draft])) as statuses.StatusRecord[];
    const { statusId, letter } = given(made.find(({ name }) => name === "Later"));
    const { postId } = await aPost(await aMember(), { status: letter as "a" });
    await derive(postId);
    const { post } = await answerTo({ body: { sort: "top", status: [statusId] } });
    expect(post).toMatchObject({ postId });
  });

  it("is read again if another process has given a pinned post a status that it has made", async () => {
    const { postId } = await aPost(await aMember(), { isPinned: true });
    await transact(pinParts(postId, true));
    await aSiteWithALamp();
    const before = await read();
    const draft = { name: "Later", color: "cccccc", kind: "open" } as const;
    const made = (await statuses.replace(before, [...before.statuses, draft])) as statuses.StatusRecord[];
    const { letter } = given(made.find(({ name }) => name === "Later"));
    await transact({ post: setFields(key.post(postId), { status: letter }) });
    const { status, body } = await invoke("posts-list", { body: { sort: "top", pinned: true } });
    expect(status).toBe(200);
    expect(body.pinned).toMatchObject([{ postId, status: { name: "Later" } }]);
  });

  it("is read once soon after another process has changed it", async () => {
    const { boardId } = await aSiteWithALamp();
    await aBoard();
    const asked = { body: { boardId: [boardId] } };
    expect((await answerTo(asked)).plan.match(/POSTS/g)).toHaveLength(2);
    expect((await answerTo(asked)).plan.match(/POSTS/g)).toHaveLength(1);
  });
});
