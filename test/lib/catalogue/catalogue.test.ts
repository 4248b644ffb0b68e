import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as boardOrder from "../../../lib/catalogue/board-order.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import { type Catalogue, read } from "../../../lib/catalogue/catalogue.ts";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { transact } from "../../../lib/table/transactions.ts";
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

  function given<T>(found: T | undefined): T {
    if (found === undefined) throw new Error("the catalogue lacks an entry");
    return found;
  }

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
