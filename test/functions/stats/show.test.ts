import { beforeEach, describe, expect, it, vi } from "vitest";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import * as counting from "../../../lib/figures/counting.ts";
import type { DayFigures } from "../../../lib/figures/figures.ts";
import { key } from "../../../lib/table/keys.ts";
import { create } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { monthsBetween } from "../../../lib/values/days.ts";
import { newId } from "../../../lib/values/ids.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { costOf, measured } from "../../support/store/calls.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { aPost, aVote } from "../../support/world/fixtures.ts";

const NOW = Date.UTC(2026, 1, 3, 10, 30);

let world: World;
beforeEach(async () => {
  await freshTable();
  vi.setSystemTime(NOW);
  world = await aWorld();
});

async function figures(query: Record<string, string> = {}, { token } = world.moderator) {
  return success(await invoke("stats-show", { token, query }), 200);
}

async function count(): Promise<void> {
  await counting.begin();
  expect(await counting.carryOut(() => false)).toBe("done");
}

describe("GET /stats", () => {
  it("answers with thirty days up to today by default, null where nothing was counted", async () => {
    const before = await figures();
    expect(before).toMatchObject({ from: "2026-01-05", to: "2026-02-03", countedAt: null, boards: [], askers: [] });
    expect(before.days).toHaveLength(30);
    expect(before.days.at(0)).toEqual({ day: "2026-01-05", posts: null, votes: null, comments: null, accounts: null });
    await aPost(world.author);
    await count();
    const { days, countedAt } = await figures();
    expect(countedAt).toBe("2026-02-03T10:30:00.000Z");
    expect(days.at(-2)).toMatchObject({ day: "2026-02-02", posts: 0, votes: 0 });
    expect(days.at(-1)).toMatchObject({ day: "2026-02-03", posts: 1, votes: 0, comments: 0 });
  });

  it("lists the leading boards, posts and authors, and the posts that wait longest", async () => {
    const { author, member, board } = world;
    const first = await aPost(author, { title: "Dark mode", boardId: board.boardId, at: NOW - 3_600_000 });
    const answered = await aPost(member, { title: "Answered", status: "a" });
    const own = await aPost(world.moderator, { title: "Read this first" });
    const second = await aPost(author, { title: "Bright mode", boardId: board.boardId });
    for (const voter of [author, member]) await aVote(second.postId, voter);
    await aVote(answered.postId, member);
    for (const { postId } of [first, answered, second, own]) await derive(postId);
    await count();
    const { boards, top, unanswered, askers } = await figures();
    expect(boards[0]).toEqual({ boardId: board.boardId, name: board.name, url: board.url, posts: 2 });
    expect(top.map(({ title, votes }: { title: string; votes: number }) => [title, votes])).toEqual([
      ["Bright mode", 2],
      ["Answered", 1],
      ["Read this first", 0],
      ["Dark mode", 0],
    ]);
    expect(unanswered).toEqual([
      { postId: first.postId, title: "Dark mode", slug: first.slug, createdAt: "2026-02-03T09:30:00.000Z" },
      { postId: second.postId, title: "Bright mode", slug: second.slug, createdAt: "2026-02-03T10:30:00.000Z" },
    ]);
    expect(askers).toEqual([
      { userId: author.userId, name: author.name, posts: 2 },
      { userId: world.moderator.userId, name: world.moderator.name, posts: 1 },
      { userId: member.userId, name: member.name, posts: 1 },
    ]);
  });

  it("answers as a sheet", async () => {
    await aPost(world.author);
    await count();
    const { days, text } = await figures({ from: "2025-12-31", to: "2026-02-03", format: "csv" });
    expect(days).toEqual([]);
    const rows = text.split("\r\n");
    expect(rows.slice(0, 2)).toEqual(["day,posts,votes,comments,accounts", "2025-12-31,,,,"]);
    expect(rows.at(-2)).toMatch(/^2026-02-03,1,0,0,\d+$/);
    expect(rows).toHaveLength(1 + 35 + 1);
  });

  it.each([
    { from: "2026-02-04" },
    { from: "2026-02-01", to: "2026-01-31" },
    { from: "2025-02-02" },
    { from: "2024-12-31", to: "2026-01-01" },
    { from: "2026-02-30" },
    { from: "1969-12-31", to: "1970-01-02" },
    { to: "yesterday" },
    { format: "xml" },
  ])("refuses days that it cannot answer: %j", async (query) => {
    refusal(await invoke("stats-show", { token: world.owner.token, query }), "VALIDATION_ERROR");
  });

  it("admits 366 days and one day", async () => {
    expect((await figures({ from: "2025-02-03" })).days).toHaveLength(366);
    expect((await figures({ from: "2026-02-03", to: "2026-02-03" })).days).toHaveLength(1);
    expect((await figures({ to: "1970-01-30" })).days).toHaveLength(30);
  });

  it("takes at most 12 read units for a year of a big site", async () => {
    const days = Array.from({ length: 31 }, () => 99_999);
    const month = { at: NOW, posts: days, votes: days, comments: days, accounts: days };
    for (const each of monthsBetween("2025-02", "2026-02")) await transact({ month: create(key.figures(each), month) });
    const name = "n".repeat(50);
    const title = "t".repeat(100);
    const slug = "s".repeat(200);
    const ten = <T>(entry: T) => Array.from({ length: 10 }, () => entry);
    const boards = [0, 1].flatMap(() => ten({ boardId: newId(), name, url: name, posts: 99_999 }));
    const post = { postId: newId(), title, slug };
    const askers = ten({ userId: newId(), name, posts: 1000 });
    const lists = {
      stamp: newId(),
      at: NOW,
      boards,
      top: ten({ ...post, votes: 9_999_999 }),
      unanswered: ten(post),
      askers,
    };
    await transact({ lists: create(key.figureLists(), lists) });
    const { calls } = await measured(() =>
      invoke("stats-show", { token: world.owner.token, query: { from: "2025-02-03" } }),
    );
    expect(costOf(calls).readUnits).toBeLessThanOrEqual(12);
    const answered = (await figures({ from: "2025-02-03" })).days as DayFigures[];
    expect(answered.every(({ votes }) => votes === 99_999)).toBe(true);
  });
});
