import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BoardRecord } from "../../../lib/catalogue/boards.ts";
import { idAt } from "../../../lib/values/ids.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { freshTable } from "../../support/setup.ts";
import { aBoard, aMember, aPost, type Person } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

function ids(boards: { boardId: string }[]): string[] {
  return boards.map(({ boardId }) => boardId);
}

describe("GET /boards", () => {
  const boards: BoardRecord[] = [];
  let member: Person;
  let newestFirst: string[];
  const get = (query: Record<string, string> = {}) => portal.boards(member, query);
  const refuses = async (query: Record<string, string>, ...paths: string[]) =>
    refusal(await invoke("boards-list", { token: member.token, query }), "VALIDATION_ERROR", ...paths);

  // Twelve boards, and a hidden one.
  beforeAll(async () => {
    await freshTable();
    member = await aMember();
    for (let n = 0; n < 12; n++) boards.push(await aBoard({ at: Date.UTC(2026, 0, 1 + n), name: `Board ${n} 😀` }));
    newestFirst = ids(boards).sort().reverse();
    await aBoard({ at: Date.UTC(2026, 1, 1), display: false });
  });

  it("answers every field of each board, post_count as a decimal string", async () => {
    const [board] = boards as [BoardRecord];
    for (let n = 0; n < 11; n++) await aPost(member, { boardId: board.boardId });
    const found = (await get({ limit: "100" })).find(({ boardId }) => boardId === board.boardId);
    expect(found).toStrictEqual({ ...resource.board(board), post_count: "11" });
  });

  it("answers nothing but the boards", async () => {
    expect(Object.keys(success(await invoke("boards-list", { token: member.token }), 200))).toEqual(["boards"]);
  });

  it("lists the ten newest by default", async () => {
    expect(ids(await get())).toEqual(newestFirst.slice(0, 10));
    expect(ids(await get({ page: "1", limit: "10", created: "desc" }))).toEqual(newestFirst.slice(0, 10));
  });

  it("lists the oldest first with created=asc, in any case", async () => {
    for (const created of ["asc", "ASC", "Asc"]) {
      expect(ids(await get({ created, limit: "100" }))).toEqual(newestFirst.toReversed());
    }
    expect(ids(await get({ created: "DeSC", limit: "100" }))).toEqual(newestFirst);
  });

  it.each(["", "newest", "asc,desc", "desc ", "1", "null", "\u0000"])("refuses %j as an order", async (created) => {
    await refuses({ created }, "query.created");
  });

  it("ignores any body", async () => {
    for (const body of ["{", "null", "[]", '{"limit":0}']) {
      success(await invoke("boards-list", { token: member.token, body }), 200);
    }
  });
});

describe("GET /boards at its edges", () => {
  let member: Person;
  beforeEach(async () => {
    await freshTable();
    member = await aMember();
  });

  it("sorts boards of the same millisecond by id", async () => {
    const at = Date.UTC(2026, 0, 1);
    const sorted = Array.from({ length: 5 }, () => idAt(at)).sort();
    for (const boardId of sorted.toReversed()) await aBoard({ boardId });
    expect(ids(await portal.boards(member, { created: "asc" }))).toEqual(sorted);
    expect(ids(await portal.boards(member, { created: "desc" }))).toEqual(sorted.toReversed());
  });
});
