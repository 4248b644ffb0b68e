import { beforeAll, describe, expect, it } from "vitest";
import { handler as listPosts } from "../../functions/posts/list.ts";
import type { BoardRecord } from "../../lib/catalogue/boards.ts";
import type { RoadmapRecord } from "../../lib/catalogue/roadmaps.ts";
import { type OrderName, orders, rankOf } from "../../lib/lists/orders.ts";
import * as bucketCounts from "../../lib/posts/bucket-counts.ts";
import type { Ranking } from "../../lib/table/keys.ts";
import { allPosts } from "../../lib/table/post-lists.ts";
import { timeOf } from "../../lib/values/ids.ts";
import { trendingTime, trendOf } from "../../lib/values/trend.ts";
import { invoke } from "../support/http/invoke.ts";
import { measured } from "../support/store/calls.ts";
import { costOf } from "../support/store/plans.ts";
import { addRanks, addUnlistedPosts } from "../support/world/bulk.ts";
import { aBoard, aMember, aRoadmap, postOf } from "../support/world/fixtures.ts";
import { random } from "../support/world/random.ts";

// What pages of `top` and `trending` cost: at 3,000 posts (POSTS=20000, each night), measured, and at 100,000, calculated from counts by
// the code that finds pages.

const YEAR = 365 * 86_400_000;
const START = Date.parse("2023-01-01T00:00:00.000Z");
const LIMIT = 10;

/** How many votes a post has: four in ten none, a few hundreds. */
function someVotes(below: (limit: number) => number): number {
  return below(10) < 4 ? 0 : Math.min(2000, Math.floor((1 / (below(1000) + 1) ** 1.2) * 1500) + below(6));
}

/** The times of votes: half of them within a month, the others whenever. */
function timesOf(created: number, votes: number, end: number, below: (limit: number) => number): number[] {
  return Array.from({ length: votes }, () => created + below(below(2) ? 30 * 86_400_000 : Math.max(1, end - created)));
}

const POSTS = Number(process.env.POSTS ?? 3_000);

describe(`A page of top or trending at ${POSTS} posts`, () => {
  const END = START + 3 * YEAR;
  const boards: BoardRecord[] = [];
  let roadmap: RoadmapRecord;

  beforeAll(async () => {
    const { below } = random(3);
    const author = await aMember();
    for (const name of ["Ideas", "Bugs"]) boards.push(await aBoard({ name }));
    roadmap = await aRoadmap();
    const records = Array.from({ length: POSTS }, (_, n) =>
      postOf(author, {
        title: "Let me sort by the date of the last change",
        contentMarkdown: "I look for what is new every morning. ".repeat(10),
        at: START + Math.floor((n / POSTS) * 3 * YEAR),
        boardId: boards[n % 2]?.boardId,
        roadmapId: n % 5 === 0 ? roadmap.roadmapId : undefined,
        status: n % 500 === 3 ? "c" : n % 8 < 2 ? "a" : undefined,
      }),
    );
    await addUnlistedPosts(records);
    await addRanks(records, ({ postId }) => {
      const votes = someVotes(below);
      const created = timeOf(postId);
      return { votes, trendingAt: trendingTime(created, trendOf([created, ...timesOf(created, votes, END, below)])) };
    });
  }, 600_000);

  const filters = () => {
    const [first, second] = boards.map(({ boardId }) => boardId);
    return [
      ["all posts", {}, 1, 26],
      ["a board", { boardId: first }, 1 / 2, 26],
      ["two boards", { boardId: [first, second] }, 1, 33],
      ["a roadmap", { roadmapId: roadmap.roadmapId }, 1 / 5, 26],
      ["open posts", { status: "open" }, 0.74, 36],
      ["a status", { status: "planned" }, 1 / 4, 36],
      ["a status of two boards", { boardId: [first, second], status: "planned" }, 1 / 4, 40],
    ] as const;
  };

  it.each(["top", "trending"])("%s: takes at most three steps, and the units that docs/costs.md says", async (sort) => {
    const worst: Record<string, number> = {};
    for (const [name, filter, share, most] of filters()) {
      const pages = Math.floor((POSTS * share) / LIMIT);
      for (const page of [1, 2, ...Array.from({ length: 8 }, (_, n) => Math.floor((pages * (n + 1)) / 9)), pages]) {
        const { body, calls } = await measured(() =>
          invoke(listPosts, { body: { ...filter, sort, page, limit: LIMIT } }),
        );
        expect(body.posts.length, `${name}, page ${page}`).toBeGreaterThanOrEqual(LIMIT - 1);
        const { steps, readUnits } = costOf(calls);
        expect(steps).toBeLessThanOrEqual(3);
        worst[name] = Math.max(worst[name] ?? 0, readUnits);
        expect(readUnits, `${name}, page ${page}`).toBeLessThanOrEqual(most);
      }
    }
  });
});

describe("A page of top or trending at 100,000 posts", () => {
  const ROW_BYTES = 62;
  const UNIT = 4096;

  /** What a page of all posts costs in R: catalogue, counts, rows, and 2 for each post. */
  const costsOf = (years: number, name: OrderName, ranking: Ranking): number[] => {
    const { below } = random(years);
    const order = orders[name];
    const counts = new Map<string, { all: number; byStatus: Record<string, number> }>();
    const attributes = new Set<string>();
    for (let n = 0; n < 100_000; n++) {
      const created = START + Math.floor((n / 100_000) * years * YEAR);
      const votes = someVotes(below);
      const times = () => timesOf(created, votes, START + years * YEAR, below);
      const trendingAt = ranking === "TOP" ? 0 : trendingTime(created, trendOf([created, ...times()]));
      const id = `${created
        .toString(16)
        .padStart(12, "0")
        .replace(/^(.{8})/, "$1-")}-7000-8000-000000000000`;
      const { month, digits } = rankOf(ranking, id, { votes, trendingAt });
      attributes.add(`${month} ${digits}`);
      const bucket = order.nameOf(month, digits);
      const count = counts.get(bucket) ?? { all: 0, byStatus: {} };
      counts.set(bucket, count);
      count.all++;
    }
    const lists = [{ list: allPosts, counts }];
    const months = new Set([...attributes].map((each) => each.slice(0, 7)));
    // Six bytes an attribute, forty an item.
    const countUnits = Math.ceil((attributes.size * 6 + months.size * 40) / UNIT);
    return Array.from({ length: 200 }, (_, n) => {
      const place = bucketCounts.placeOf(lists, n * 500, order);
      const { before = 0, after = 0 } = place ?? {};
      const rows = before <= Math.max(after, 100) ? before + LIMIT : after + 1 + (after < LIMIT ? LIMIT : 0);
      return 1 + (n === 0 ? 0 : countUnits) + Math.ceil((rows * ROW_BYTES) / UNIT) + 2 * LIMIT;
    });
  };

  it.each([
    [5, "top", "TOP", 29, 32],
    [10, "top", "TOP", 31, 33],
    [5, "trending", "TRENDING", 29, 32],
    [10, "trending", "TRENDING", 31, 33],
  ] as const)("over %i years, %s", (years, name, ranking, mean, worst) => {
    const costs = costsOf(years, name, ranking);
    const average = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
    expect(average).toBeLessThanOrEqual(mean * 1.1);
    expect(Math.max(...costs)).toBeLessThanOrEqual(worst * 1.1);
  });
});
