import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { handler as list } from "../../../functions/boards/list.ts";
import type { BoardRecord } from "../../../lib/catalogue/boards.ts";
import { idAt } from "../../../lib/values/ids.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { aBoard, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

type Item = { boardId: string };
function ids(boards: Item[]): string[] {
  return boards.map(({ boardId }) => boardId);
}
function newestFirst(boards: Item[]): string[] {
  return ids(boards).sort().reverse();
}

describe("GET /boards", () => {
  const boards: BoardRecord[] = [];
  let member: Person;
  const get = async (query?: Record<string, string>, token = member.token) =>
    success(await invoke(list, { token, ...(query && { query }) }), 200).boards as Item[];

  beforeAll(async () => {
    await freshTable();
    member = await aMember();
    for (let n = 0; n < 12; n++) boards.push(await aBoard({ at: Date.UTC(2026, 0, 1 + n), name: `Board ${n} 😀` }));
    boards.push(await aBoard({ at: Date.UTC(2026, 1, 1), display: false }));
  });

  const shown = (): BoardRecord[] => boards.slice(0, 12);

  it("answers every field of each board, post_count as a decimal string", async () => {
    const [board] = boards as [BoardRecord];
    for (let n = 0; n < 11; n++) await aPost(member, { boardId: board.boardId });
    const found = (await get({ limit: "100" })).find(({ boardId }) => boardId === board.boardId);
    expect(found).toStrictEqual({ ...resource.board(board), post_count: "11" });
  });

  it("answers nothing but the boards", async () => {
    expect(Object.keys(success(await invoke(list, { token: member.token }), 200))).toEqual(["boards"]);
  });

  it("lists the ten newest by default", async () => {
    expect(ids(await get())).toEqual(newestFirst(shown()).slice(0, 10));
    expect(ids(await get({ page: "1", limit: "10", created: "desc" }))).toEqual(newestFirst(shown()).slice(0, 10));
  });

  it("lists the oldest first with created=asc, in any case", async () => {
    for (const created of ["asc", "ASC", "Asc"]) {
      expect(ids(await get({ created, limit: "100" }))).toEqual(newestFirst(shown()).reverse());
    }
    expect(ids(await get({ created: "DeSC", limit: "100" }))).toEqual(newestFirst(shown()));
  });

  it("answers page by page, and an empty array beyond the end", async () => {
    expect(ids(await get({ limit: "5", page: "2" }))).toEqual(newestFirst(shown()).slice(5, 10));
    expect(ids(await get({ limit: "5", page: "3" }))).toEqual(newestFirst(shown()).slice(10));
    expect(await get({ limit: "5", page: "4" })).toEqual([]);
    expect(await get({ page: "9007199254740993" })).toEqual([]);
    expect(await get({ page: "9".repeat(400) })).toEqual([]);
  });

  it("cuts a limit above 100", async () => {
    expect(await get({ limit: "101" })).toHaveLength(12);
    expect(await get({ limit: "9".repeat(400) })).toHaveLength(12);
    expect(await get({ limit: "012" })).toHaveLength(12);
  });

  it.each(["", "0", "-1", "1.5", "1.0", "1e1", "ten", " 1", "1 ", "+1", "0x1", "1,2", "١", "null", "NaN", "Infinity"])(
    "refuses %j as a limit and as a page",
    async (text) => {
      for (const name of ["limit", "page"]) {
        const reply = await invoke(list, { token: member.token, query: { [name]: text } });
        refusal(reply, "VALIDATION_ERROR", `query.${name}`);
      }
    },
  );

  it.each(["", "newest", "asc,desc", "desc ", "1", "null", "\u0000"])("refuses %j as an order", async (created) => {
    refusal(await invoke(list, { token: member.token, query: { created } }), "VALIDATION_ERROR", "query.created");
  });

  it("names every invalid field", async () => {
    const query = { created: "up", limit: "0", page: "none" };
    const paths = ["query.created", "query.limit", "query.page"];
    refusal(await invoke(list, { token: member.token, query }), "VALIDATION_ERROR", ...paths);
  });

  it("shows hidden boards to owners and moderators only", async () => {
    for (const role of ["owner", "moderator"] as const) {
      const { token } = await aUser(role);
      expect(ids(await get({ limit: "100" }, token))).toEqual(newestFirst(boards));
    }
    for (const role of ["member", "suspended"] as const) {
      const { token } = await aUser(role);
      expect(ids(await get({ limit: "100" }, token))).toEqual(newestFirst(shown()));
    }
  });

  it("ignores unknown query parameters", async () => {
    const query = { limit: "3", pages: "7", Created: "asc", filter: "x", "limit[]": "1" };
    expect(await get(query)).toHaveLength(3);
  });

  it("ignores any body", async () => {
    for (const body of ["{", "null", "[]", '{"limit":0}']) {
      success(await invoke(list, { token: member.token, body }), 200);
    }
    refusal(await invoke(list, { token: member.token, body: "x".repeat(131_073) }), "PAYLOAD_TOO_LARGE");
  });
});

describe("GET /boards, edges of the list", () => {
  beforeEach(freshTable);

  it("answers an empty array without boards", async () => {
    const { token } = await aMember();
    expect(success(await invoke(list, { token }), 200)).toStrictEqual({ boards: [] });
  });

  it("sorts boards of the same millisecond by id", async () => {
    const { token } = await aMember();
    const at = Date.UTC(2026, 0, 1);
    const made = Array.from({ length: 5 }, () => idAt(at)).sort();
    for (const boardId of [...made].reverse()) await aBoard({ boardId });
    const ordered = async (created: string) =>
      ids(success(await invoke(list, { token, query: { created } }), 200).boards);
    expect(await ordered("asc")).toEqual(made);
    expect(await ordered("desc")).toEqual([...made].reverse());
  });

  it("shows at most 100", async () => {
    const { token } = await aMember();
    for (let n = 0; n < 101; n++) await aBoard();
    expect(success(await invoke(list, { token, query: { limit: "1000" } }), 200).boards).toHaveLength(100);
    const { boards } = success(await invoke(list, { token, query: { limit: "1000", page: "2" } }), 200);
    expect(boards).toHaveLength(1);
  });
});
