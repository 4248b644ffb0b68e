import { beforeAll, describe, expect, it } from "vitest";
import type { BoardRecord } from "../../../lib/catalogue/boards.ts";
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

  it("lists the ten newest by default", async () => {
    expect(ids(await get())).toEqual(newestFirst.slice(0, 10));
    expect(ids(await get({ page: "1", limit: "10", created: "desc" }))).toEqual(newestFirst.slice(0, 10));
  });

  it.each(["", "newest", "asc,desc", "desc ", "1", "null", "\u0000"])("refuses %j as an order", async (created) => {
    const reply = await invoke("boards-list", { token: member.token, query: { created } });
    refusal(reply, "VALIDATION_ERROR", "query.created");
  });

  it("ignores any body, and answers nothing but the boards", async () => {
    for (const body of ["{", "null", "[]", '{"limit":0}']) {
      const answer = success(await invoke("boards-list", { token: member.token, body }), 200);
      expect(Object.keys(answer)).toEqual(["boards"]);
    }
  });
});
