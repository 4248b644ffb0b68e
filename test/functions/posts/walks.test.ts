import { beforeAll, describe, expect, it } from "vitest";
import type { PostRecord } from "../../../lib/posts/posts.ts";
import { timeOf } from "../../../lib/values/ids.ts";
import { invoke, refusal } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { costOf, measured } from "../../support/store/calls.ts";
import { addPosts, addRanks } from "../../support/world/bulk.ts";
import { aBoard, aMember, aRoadmap, postOf } from "../../support/world/fixtures.ts";

// Pages by rank and of several filters look at 500 rows. Of 530 posts 500 are on one board, and of these every fifth
// is on a roadmap; 510 are planned.

const DAY = 86_400_000;
const START = Date.parse("2025-02-01T00:00:00.000Z");

let boardId: string;
let other: string;
let roadmapId: string;
let made: PostRecord[];

beforeAll(async () => {
  const author = await aMember();
  boardId = (await aBoard()).boardId;
  other = (await aBoard()).boardId;
  roadmapId = (await aRoadmap()).roadmapId;
  made = Array.from({ length: 530 }, (_, n) =>
    postOf(author, {
      at: START + n * (DAY / 4),
      boardId: n < 500 ? boardId : other,
      roadmapId: n % 5 === 0 && n < 500 ? roadmapId : undefined,
      status: n < 510 ? "a" : undefined,
    }),
  );
  await addPosts(made);
  // The newest have the most votes.
  await addRanks(made, ({ postId }) => ({
    votes: made.findIndex((post) => post.postId === postId),
    trendingAt: timeOf(postId),
  }));
});

function newestFirst(posts: PostRecord[]): string[] {
  return posts.map(({ postId }) => postId).reverse();
}

async function expectTooFar(query: object): Promise<void> {
  const reply = await invoke("posts-list", { body: query });
  refusal(reply, "VALIDATION_ERROR", "body.page");
  expect(JSON.stringify(reply.body)).toContain("use first and after");
}

describe("A numbered page by rank", () => {
  it.each(["top", "trending"])("reaches the first 500 posts of %s and no further ones", async (sort) => {
    const all = newestFirst(made);
    expect(await portal.ids({ sort, page: 25, limit: 20 })).toEqual(all.slice(480, 500));
    await expectTooFar({ sort, page: 26, limit: 20 });
    // It begins within the 500 and would end behind them.
    await expectTooFar({ sort, page: 17, limit: 30 });
    await expectTooFar({ sort, page: 1_000_000, limit: 50 });
  });

  it("is short or empty at the end of a list of 500 posts", async () => {
    const onBoard = newestFirst(made.slice(0, 500));
    expect(await portal.ids({ sort: "top", boardId, page: 25, limit: 20 })).toEqual(onBoard.slice(480));
    expect(await portal.ids({ sort: "top", boardId, page: 17, limit: 30 })).toEqual(onBoard.slice(480));
    expect(await portal.ids({ sort: "top", boardId, page: 26, limit: 20 })).toEqual([]);
    expect(await portal.ids({ sort: "top", boardId, page: 1_000_000, limit: 20 })).toEqual([]);
  });

  it("looks for a status among the first 500 posts", async () => {
    const planned = newestFirst(made.slice(0, 510));
    expect(await portal.ids({ sort: "top", status: "planned", limit: 10 })).toEqual(planned.slice(0, 10));
    // The first twenty of the 500 are open.
    expect(await portal.ids({ sort: "top", status: "planned", page: 48, limit: 10 })).toEqual(planned.slice(470, 480));
    await expectTooFar({ sort: "top", status: "planned", page: 49, limit: 10 });
    await expectTooFar({ sort: "top", status: "completed" });
  });
});

describe("A numbered page by date", () => {
  it("reaches every post of one filter", async () => {
    const planned = newestFirst(made.slice(0, 510));
    expect(await portal.ids({ status: "planned", page: 51, limit: 10 })).toEqual(planned.slice(500));
    expect(await portal.ids({ boardId, page: 50, limit: 10 })).toEqual(newestFirst(made.slice(0, 10)));
    expect(await portal.ids({ page: 53, limit: 10 })).toEqual(newestFirst(made.slice(0, 10)));
  });

  it("takes the smallest list of several filters, so it reaches all of 100 posts", async () => {
    const both = newestFirst(made.filter((post) => post.roadmapId !== undefined));
    for (const filter of [
      { boardId, roadmapId },
      { roadmapId, status: "planned" },
      { boardId, roadmapId, status: "planned" },
    ]) {
      const { body, calls } = await measured(() => invoke("posts-list", { body: { ...filter, page: 10, limit: 10 } }));
      expect(body.posts.map(({ postId }: PostRecord) => postId)).toEqual(both.slice(90));
      const { steps, readUnits } = costOf(calls);
      expect(steps).toBe(3);
      expect(readUnits).toBeLessThanOrEqual(28);
    }
  });

  it("ends with the 500 posts of the smallest of several lists", async () => {
    const planned = newestFirst(made.slice(0, 500));
    expect(await portal.ids({ boardId, status: "planned", page: 50, limit: 10 })).toEqual(planned.slice(490));
    expect(await portal.ids({ boardId, status: "planned", page: 51, limit: 10 })).toEqual([]);
  });
});

describe("A walk by cursor", () => {
  const queries: [name: string, query: () => object, expected: () => PostRecord[]][] = [
    ["top", () => ({ sort: "top" }), () => made],
    ["trending of a status", () => ({ sort: "trending", status: "planned" }), () => made.slice(0, 510)],
    ["top of a status without posts", () => ({ sort: "top", status: "completed" }), () => []],
    ["two filters", () => ({ boardId, status: "planned" }), () => made.slice(0, 500)],
    ["two filters over 500 posts", () => ({ boardId: [boardId, other], status: "planned" }), () => made.slice(0, 510)],
    ["two filters, by rank", () => ({ sort: "top", boardId, status: ["planned", "open"] }), () => made.slice(0, 500)],
  ];

  it.each(queries)("reaches every post once: %s", async (_, query, expected) => {
    const pages = await portal.walk((cursor) => portal.page({ ...query(), first: 50, ...cursor }));
    const walked = pages.flatMap(({ results }) => results.map(({ postId }: PostRecord) => postId));
    expect(walked).toEqual(newestFirst(expected()));
  });

  it("has an exact total of one filter in each order", async () => {
    for (const sort of ["newest", "top", "trending"]) {
      for (const [filter, total] of [
        [{}, 530],
        [{ boardId }, 500],
        [{ status: "planned" }, 510],
        [{ status: ["planned", "open"] }, 530],
      ] as const) {
        const page = await portal.page({ sort, ...filter, first: 10 });
        expect(page).toMatchObject({ total_count: total, total_is_minimum: false });
      }
    }
  });

  it("says whether the total of several filters is a minimum", async () => {
    const exact = await portal.page({ boardId, roadmapId, first: 10 });
    expect(exact).toMatchObject({ total_count: 100, total_is_minimum: false });
    // 510 posts are planned, fewer than are on the boards.
    const cut = await portal.page({ boardId: [boardId, other], status: "planned", first: 10 });
    expect(cut).toMatchObject({ total_count: 500, total_is_minimum: true });
    const all = await portal.page({ boardId: [boardId, other], status: "open", first: 10 });
    expect(all).toMatchObject({ total_count: 20, total_is_minimum: false });
  });
});
