import { beforeAll, describe, expect, it } from "vitest";
import { findingsIn } from "../../infra/operator/check-table/check.ts";
import type { Program } from "../simulator/scheduler/program.ts";
import { bundleService } from "./program.ts";
import { type Call, type Member, summaryOf, WARM, type World, worldOf } from "./rush/rush.ts";

// A rush of new posts on one board, in a store that locks the items of a transaction for 10 to 20 ms. Times are virtual.

let program: Program;

beforeAll(async () => {
  program = await bundleService();
});

/** What the checker finds of posts and lists; the accounts of this world are no whole ones. */
function findings({ items }: World): string[] {
  return findingsIn(items() as never)
    .filter(({ at }) => /^(POSTS|LIST|COUNTS|CATALOGUE)/.test(at))
    .map(({ at, problem }) => `${at} ${problem}`);
}

describe("A rush of new posts on one board", () => {
  it("of 200 a second: no 503, p99 below a second, all are there and counted", async () => {
    const world = await worldOf({ seed: 1, program, throughput: WARM });
    const { boardId, owner } = world;
    const members = await Promise.all(Array.from({ length: 100 }, () => world.aMember()));
    const exchanges = await world.rush(200, 0.5, (at): Call => {
      const body = { title: `Post ${at}`, contentMarkdown: "x".repeat(400), boardId };
      return { name: "posts-create", member: members[at] as Member, request: { body } };
    });
    const { p99, statuses } = summaryOf(exchanges);
    expect(statuses).toEqual({ 201: 100 });
    expect(p99).toBeLessThan(1000);
    const { spread } = world.items().find(({ sk }) => sk === `BOARD#${boardId}`) ?? {};
    expect(spread).toBe(true);
    // And the post that the world begins with.
    const list = { name: "posts-list", member: owner, request: { body: { boardId, first: 1 } } };
    const boards = { name: "boards-list", member: owner, request: { query: {} } };
    const [listed, browsed] = await world.complete(Promise.all([world.send(list), world.send(boards)]));
    expect(listed.reply.body.total_count).toBe(101);
    const counts = browsed.reply.body.boards as { boardId: string; post_count: string }[];
    expect(counts.find((board) => board.boardId === boardId)).toMatchObject({ post_count: "101" });
    expect(findings(world)).toEqual([]);
  });
});
