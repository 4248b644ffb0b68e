import { beforeAll, describe, expect, it, vi } from "vitest";
import type { BoardRecord } from "../../lib/catalogue/boards.ts";
import type { RoadmapRecord } from "../../lib/catalogue/roadmaps.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import { sharedCommit } from "../../lib/table/shared-commit.ts";
import { timeOf } from "../../lib/values/ids.ts";
import { trendingTime, trendOf } from "../../lib/values/trend.ts";
import { invoke } from "../support/http/invoke.ts";
import { newContainer } from "../support/setup.ts";
import { costOf, measured, recordCalls } from "../support/store/calls.ts";
import { addRanks, addUnlistedPosts, eachOf } from "../support/world/bulk.ts";
import {
  aBoard,
  aMember,
  aPost,
  aRoadmap,
  aTag,
  aVote,
  type PostFields,
  postOf,
  settleCatalogue,
} from "../support/world/fixtures.ts";
import { random } from "../support/world/random.ts";

// What pages of `top` and `trending` cost at 1,500 posts (POSTS=20000, each night). They reach 500 posts by number.

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

const POSTS = Number(process.env.POSTS ?? 1_500);

describe(`A page of top or trending at ${POSTS} posts`, () => {
  const END = START + 3 * YEAR;
  const boards: BoardRecord[] = [];
  let roadmap: RoadmapRecord;

  beforeAll(async () => {
    const { below } = random(3);
    const author = await aMember();
    for (const name of ["Ideas", "Bugs"]) boards.push(await aBoard({ name }));
    roadmap = await aRoadmap();
    const statusOf = (n: number) => (n % 8 < 2 ? "a" : undefined);
    const records = Array.from({ length: POSTS }, (_, n) =>
      postOf(author, {
        title: "Let me sort by the date of the last change",
        contentMarkdown: "I look for what is new every morning. ".repeat(10),
        at: START + Math.floor((n / POSTS) * 3 * YEAR),
        boardId: boards[n % 2]?.boardId,
        roadmapId: n % 5 === 0 ? roadmap.roadmapId : undefined,
        status: n % 500 === 3 ? "c" : statusOf(n),
      }),
    );
    await addUnlistedPosts(records);
    await addRanks(records, ({ postId }) => {
      const votes = someVotes(below);
      const created = timeOf(postId);
      return { votes, trendingAt: trendingTime(created, trendOf([created, ...timesOf(created, votes, END, below)])) };
    });
  }, 600_000);

  const board = (n: number) => boards[n]?.boardId;
  const filters: [name: string, filter: () => object, share: number, reached: number, most: number][] = [
    ["all posts", () => ({}), 1, 1, 34],
    ["a board", () => ({ boardId: board(0) }), 1 / 2, 1, 36],
    ["two boards", () => ({ boardId: [board(0), board(1)] }), 1, 1, 44],
    ["a roadmap", () => ({ roadmapId: roadmap.roadmapId }), 1 / 5, 1, 36],
    ["open posts", () => ({ status: "open" }), 0.74, 0.6, 36],
    ["a status", () => ({ status: "planned" }), 1 / 4, 0.15, 36],
    ["a status of two boards", () => ({ boardId: [board(0), board(1)], status: "planned" }), 1 / 4, 0.15, 38],
  ];
  const cases = ["top", "trending"].flatMap((sort) =>
    filters.map(([name, filter, share, reached, most]) => ({ sort, name, filter, share, reached, most })),
  );

  it.each(cases)(
    "costs at most three steps and $most R: $sort, $name",
    async ({ sort, filter, share, reached, most }) => {
      // Among the first 500 posts, the ones with a status are not spread evenly.
      const pages = Math.floor(Math.min(POSTS * share, 500 * reached) / LIMIT);
      const units: number[] = [];
      for (const page of [1, 2, Math.floor(pages / 2), pages]) {
        const request = { body: { ...filter(), sort, page, limit: LIMIT } };
        const { body, calls } = await measured(() => invoke("posts-list", request));
        expect(body.posts.length, `page ${page}`).toBeGreaterThanOrEqual(LIMIT - 1);
        const { steps, readUnits } = costOf(calls);
        expect(steps).toBeLessThanOrEqual(3);
        units.push(readUnits);
      }
      expect(Math.max(...units)).toBeLessThanOrEqual(most);
    },
  );
});

async function someTags(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await aTag()).tagId);
  return ids;
}

describe("A page of ten posts with a tag", () => {
  /** The read units of a page of twelve posts with some tags, after something else. */
  async function unitsOfPage(tags: number, before: () => Promise<void>): Promise<number> {
    const author = await aMember();
    const tagIds = await someTags(tags);
    for (let n = 0; n < 12; n++) await aPost(author, { tagIds });
    await before();
    const { calls } = await measured(() => invoke("posts-list", { body: { tag: tagIds[0] } }));
    return costOf(calls).readUnits;
  }

  it.each([1, 10])("costs at most 22 R where posts have tags: %i", async (count) => {
    expect(await unitsOfPage(count, async () => newContainer())).toBeLessThanOrEqual(22);
  });

  it("costs 44 R once in a process that kept the catalogue, when that has changed", async () => {
    const keepAndChange = async () => {
      await settleCatalogue();
      await invoke("posts-list", { body: {} });
      await aTag();
    };
    expect(await unitsOfPage(1, keepAndChange)).toBe(44);
  });
});

describe("The ranks of thirty posts in one batch", () => {
  it.each<[place: string, fields: string[], tags: number, units: number]>([
    ["on no board", [], 0, 10],
    ["on a board", ["boardId"], 0, 18],
    ["on a board and a roadmap", ["boardId", "roadmapId"], 0, 26],
    ["on a board and a roadmap, with a tag", ["boardId", "roadmapId"], 1, 26],
    ["on a board and a roadmap, with ten tags", ["boardId", "roadmapId"], 10, 26],
  ])("cost two rows in each list and order, and RANK: %s", async (_, fields, tags, units) => {
    // Trending time depends on the hour.
    vi.setSystemTime(Date.UTC(2026, 0, 15, 6));
    const author = await aMember();
    const place = { boardId: (await aBoard()).boardId, roadmapId: (await aRoadmap()).roadmapId };
    const placement: PostFields = Object.fromEntries(Object.entries(place).filter(([name]) => fields.includes(name)));
    if (tags > 0) placement.tagIds = await someTags(tags);
    const postIds: string[] = [];
    await eachOf(Array.from({ length: 30 }), async () => {
      const { postId } = await aPost(author, placement);
      await derive(postId);
      await aVote(postId, author);
      postIds.push(postId);
    });
    const commit = sharedCommit(() => false);
    const all = () => Promise.all(postIds.map((postId) => derive(postId, { inBatch: { votersOnly: true }, commit })));
    const { calls } = await measured(() => recordCalls(all));
    expect(costOf(calls).writeUnits / postIds.length).toBe(units);
  });
});
