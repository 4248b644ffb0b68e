import { beforeAll, describe, expect, it } from "vitest";
import type { BoardRecord } from "../../lib/catalogue/boards.ts";
import type { RoadmapRecord } from "../../lib/catalogue/roadmaps.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { endpointNamed, invoke, type Request } from "../support/http/invoke.ts";
import { newContainer } from "../support/setup.ts";
import { type Cost, costOf, measured, planOf } from "../support/store/calls.ts";
import { addPosts, addWords, castAll } from "../support/world/bulk.ts";
import { aBoard, aMember, aPost, aRoadmap, aStranger, aVote, type Person, postOf } from "../support/world/fixtures.ts";

// The same requests on a small table and on the same table grown, over the same twelve months. POSTS=20000, each night,
// makes it forty times as large instead of four times.

const SMALL = { posts: 500, votes: 20 };
const POSTS = Number(process.env.POSTS ?? 2_000);
const LARGE = { posts: POSTS, votes: POSTS / 4 };
const START = Date.parse("2025-01-01T00:00:00.000Z");
const YEAR = 365 * 86_400_000;

let member: Person;
// Two of the first six voters: at each size one of them takes the vote back.
const seated: Person[] = [];
let popular: PostRecord;
const boards: BoardRecord[] = [];
let roadmap: RoadmapRecord;

/** Forty posts of the large table have a status that no other has. */
function isRare(number: number, of: number): boolean {
  return of > SMALL.posts && number % Math.floor((LARGE.posts - SMALL.posts) / 40) === 3;
}

/** A post at a moment of the year; each is on one of two boards, every fifth on the roadmap, a quarter planned. */
function postAt(number: number, of: number): PostRecord {
  const usual = number % 8 < 2 ? "a" : undefined;
  return postOf(member, {
    title: "Let me sort by the date of the last change",
    contentMarkdown: "I look for what is new every morning. ".repeat(10),
    at: START + Math.floor((number / of) * YEAR),
    boardId: boards[number % 2]?.boardId,
    roadmapId: number % 5 === 0 ? roadmap.roadmapId : undefined,
    status: isRare(number, of) ? "c" : usual,
  });
}

beforeAll(async () => {
  member = await aMember();
  seated.push(await aMember(), await aMember());
  for (const name of ["Ideas", "Bugs"]) boards.push(await aBoard({ name, at: START - 1000 }));
  roadmap = await aRoadmap();
  // Older than all others, without board and roadmap.
  popular = await aPost(member, { title: "Dark mode", at: START - 500 });
  for (const voter of seated) await aVote(popular.postId, voter);
  for (let n = seated.length; n < SMALL.votes; n++) await aVote(popular.postId, aStranger());
  await addFindable(Array.from({ length: SMALL.posts - 1 }, (_, n) => postAt(n, SMALL.posts)));
});

/** Adds posts with the rows of two of their words: those that are asked for. */
async function addFindable(posts: PostRecord[]): Promise<void> {
  await addPosts(posts);
  await addWords(posts.map((post) => ({ ...post, title: "Sort date" })));
}

async function grow(): Promise<void> {
  await castAll(popular.postId, Array.from({ length: LARGE.votes - SMALL.votes }, aStranger));
  const more = LARGE.posts - SMALL.posts;
  await addFindable(Array.from({ length: more }, (_, n) => postAt(n, more)));
}

const LIMIT = 10;

function idOf({ postId }: { postId: string }): string {
  return postId;
}

/** Every filter of one facet, both orders, the first page, a middle one and the last. */
function listRequests(posts: number): Record<string, object> {
  const [first, second] = boards.map(({ boardId }) => boardId);
  const filters = {
    "all posts": { filter: {}, share: 1 },
    "a board": { filter: { boardId: first }, share: 1 / 2 },
    "two boards": { filter: { boardId: [first, second] }, share: 1 },
    "a roadmap": { filter: { roadmapId: roadmap.roadmapId }, share: 1 / 5 },
    "open posts": { filter: { status: "open" }, share: 0.72 },
    "a status": { filter: { status: "planned" }, share: 0.24 },
  };
  const requests: Record<string, object> = {};
  for (const [what, { filter, share }] of Object.entries(filters)) {
    const pages = Math.floor((posts * share) / LIMIT);
    for (const created of ["asc", "desc"]) {
      for (const [which, page] of Object.entries({ first: 1, middle: Math.floor(pages / 2), last: pages })) {
        requests[`${which} page of ${what}, ${created}`] = { ...filter, created, page, limit: LIMIT };
      }
    }
  }
  return requests;
}

type Measured = Cost & { plan: string };

async function measure(endpoint: string, request: Request) {
  newContainer();
  const { status, body, calls } = await measured(() => invoke(endpoint, request));
  expect(status).toBe(endpointNamed(endpoint).definition.success);
  return { cost: { ...costOf(calls), plan: planOf(calls) }, body };
}

async function measureAll(posts: number): Promise<Record<string, Measured>> {
  const costs: Record<string, Measured> = {};
  const { token } = member;
  for (const [name, body] of Object.entries(listRequests(posts))) {
    const { cost, body: answer } = await measure("posts-list", { token, body });
    expect(answer.posts.length, name).toBeGreaterThanOrEqual(LIMIT - 1);
    costs[name] = cost;
  }
  const single = async (name: string, endpoint: string, request: Request) => {
    const { cost, body } = await measure(endpoint, request);
    costs[name] = cost;
    return body;
  };
  const { postId, slug } = popular;
  await single("slug", "posts-by-slug", { token, body: { slug } });
  await single("vote", "votes-add", { token, body: { postId } });
  await single("unvote", "votes-remove", { token, body: { postId } });
  await single("unvote of a seat", "votes-remove", { token: seated.pop()?.token, body: { postId } });
  await single("boards", "boards-list", { token });
  const { posts: alike } = await single("similar", "posts-similar", { token, body: { title: "Sort by the date" } });
  expect(alike).toHaveLength(5);
  const found = await single("search", "posts-search", { token, body: { query: "sort by dat", first: LIMIT } });
  expect(found.results).toHaveLength(LIMIT);
  const { post } = await single("create", "posts-create", { token, body: { title: "One more" } });
  await single("delete", "posts-delete", { token, body: { id: post.postId } });
  return costs;
}

describe("The cost of a request (data model, access patterns)", () => {
  it(`stays the same in calls and steps at ${POSTS} posts as at 500, and within 5 R`, async () => {
    const small = await measureAll(SMALL.posts);
    await grow();
    const large = await measureAll(LARGE.posts);
    for (const [name, { readUnits, ...same }] of Object.entries(small)) {
      expect(large[name], name).toMatchObject(same);
      expect(Math.abs((large[name]?.readUnits ?? 0) - readUnits), name).toBeLessThanOrEqual(5);
    }
    // It takes seconds on an idle machine; a busy one is given time.
  }, 240_000);

  it("grows by the rows of a walk at most, of several filters", async () => {
    const [first, second] = boards.map(({ boardId }) => boardId);
    for (const filter of [
      { boardId: [first, second], status: "planned" },
      { roadmapId: roadmap.roadmapId, status: "planned" },
      { boardId: first, roadmapId: roadmap.roadmapId },
    ]) {
      for (const page of [1, 4]) {
        const { cost, body } = await measure("posts-list", { body: { ...filter, page, limit: LIMIT } });
        expect(body.posts.length).toBeGreaterThanOrEqual(LIMIT - 1);
        expect(cost.steps).toBe(3);
        expect(cost.readUnits).toBeLessThanOrEqual(26 + 14);
      }
    }
  });

  it("stays flat for a status that forty posts have", async () => {
    for (const filter of [{}, { boardId: boards.map(({ boardId }) => boardId) }]) {
      for (const created of ["asc", "desc"]) {
        for (const page of [1, 2, 3, 4]) {
          const request = { body: { ...filter, status: "completed", created, page, limit: LIMIT } };
          const { cost, body } = await measure("posts-list", request);
          expect(body.posts.length).toBeGreaterThanOrEqual(LIMIT - 1);
          expect(cost.steps).toBe(3);
          expect(cost.readUnits).toBeLessThanOrEqual(28);
        }
      }
    }
  });

  it("grows with a busy day by the size of its rows only: at most 80 R, at the end of 3,000 posts", async () => {
    const post = () => postOf(member, { at: START + YEAR + 1000, boardId: boards[0]?.boardId });
    const added = Array.from({ length: 3000 }, post);
    await addPosts(added);
    const newestFirst = added.map(idOf).sort().reverse();
    const quiet = { page: 400, limit: LIMIT, created: "desc" };
    const busy = { ...quiet, page: 150 };
    const late = { ...quiet, page: 299 };
    for (const boardId of [undefined, boards[0]?.boardId]) {
      const calm = await measure("posts-list", { body: { ...quiet, boardId } });
      const crowded = await measure("posts-list", { body: { ...busy, boardId } });
      expect(crowded.body.posts.map(idOf)).toEqual(newestFirst.slice(1490, 1500));
      expect(crowded.cost).toMatchObject({ plan: calm.cost.plan, steps: 3 });
      expect(crowded.cost.readUnits - calm.cost.readUnits).toBeGreaterThan(10);
      expect(crowded.cost.readUnits - calm.cost.readUnits).toBeLessThanOrEqual(40);
      const last = await measure("posts-list", { body: { ...late, boardId } });
      expect(last.body.posts.map(idOf)).toEqual(newestFirst.slice(2980, 2990));
      expect(last.cost).toMatchObject({ plan: calm.cost.plan, steps: 3 });
      expect(last.cost.readUnits - calm.cost.readUnits).toBeLessThanOrEqual(80);
    }
  });
});
