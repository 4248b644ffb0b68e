import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { handler as signUp } from "../../functions/auth/sign-up.ts";
import { handler as postBySlug } from "../../functions/posts/by-slug.ts";
import { handler as createPost } from "../../functions/posts/create.ts";
import { handler as deletePost } from "../../functions/posts/delete.ts";
import { handler as listPosts } from "../../functions/posts/list.ts";
import { handler as addVote } from "../../functions/votes/add.ts";
import { handler as removeVote } from "../../functions/votes/remove.ts";
import { type Growth, growthChart, growthTable } from "../../infra/bench/growth-chart.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { newId } from "../../lib/values/ids.ts";
import { castAll } from "../../lib/votes/voting.ts";
import { invoke, type Request } from "../support/http/invoke.ts";
import { measured } from "../support/store/calls.ts";
import { type Cost, costOf } from "../support/store/plans.ts";
import { addPosts } from "../support/world/bulk.ts";
import { aBoard, aMember, aPost, aStranger, type Person, postOf } from "../support/world/fixtures.ts";

// docs/figures/growth.json says what requests cost as a table grows. `npm run growth` measures it (WRITE_GROWTH=on); the tests
// measure its smallest sizes anew, and compare the picture and the table of docs/performance.md with it.

const DATA = "docs/figures/growth.json";
const PICTURE = "docs/figures/growth.svg";
const isWriting = process.env.WRITE_GROWTH === "on";

const POSTS = [1_000, 10_000, 100_000];
const VOTES = [20, 500, 5_000];
const START = Date.parse("2025-01-01T00:00:00.000Z");
const YEAR = 365 * 86_400_000;
const LIMIT = 10;

let member: Person;
let boardId: string;
const popular: PostRecord[] = [];

beforeAll(async () => {
  member = await aMember();
  ({ boardId } = await aBoard({ at: START - 1000 }));
  for (const votes of isWriting ? VOTES : VOTES.slice(0, 1)) {
    const post = await aPost(member, { title: "Dark mode", at: START - 500 });
    await castAll(post.postId, Array.from({ length: votes }, aStranger));
    popular.push(post);
  }
});

/** Adds posts, evenly over a year. */
async function addEvenly(count: number): Promise<void> {
  for (let done = 0; done < count; done += 10_000) {
    const some = Math.min(10_000, count - done);
    const at = (n: number) => START + Math.floor(((done + n) / count) * YEAR);
    const post = (n: number) =>
      postOf(member, { contentMarkdown: "I look for what is new. ".repeat(20), at: at(n), boardId });
    await addPosts(Array.from({ length: some }, (_, n) => post(n)));
  }
}

async function costOfOne(endpoint: Endpoint, request: Request): Promise<{ cost: Cost; body: { post?: PostRecord } }> {
  const { token } = member;
  const { status, body, calls } = await measured(() => invoke(endpoint, { token, ...request }));
  expect(status, endpoint.definition.name).toBe(endpoint.definition.success);
  return { cost: costOf(calls), body };
}

async function costsAt(posts: number): Promise<Record<string, Cost>> {
  const newcomer = { email: `${newId()}@example.com`, password: "correct horse battery", name: "Ada" };
  const { postId, slug } = popular[0] as PostRecord;
  const created = await costOfOne(createPost, { body: { title: "One more", boardId } });
  const costs = {
    "A signup": await costOfOne(signUp, { body: newcomer }),
    "A new post": created,
    "A page of posts": await costOfOne(listPosts, { body: { page: 1, limit: LIMIT } }),
    "A page in the middle": await costOfOne(listPosts, { body: { page: posts / LIMIT / 2, limit: LIMIT } }),
    "A post with its votes": await costOfOne(postBySlug, { body: { slug } }),
    "A vote": await costOfOne(addVote, { body: { postId } }),
  };
  await costOfOne(removeVote, { body: { postId } });
  await costOfOne(deletePost, { body: { id: created.body.post?.postId } });
  return Object.fromEntries(Object.entries(costs).map(([name, { cost }]) => [name, cost]));
}

async function costsOfVotes({ postId, slug }: PostRecord): Promise<Record<string, Cost>> {
  return {
    "A post with its votes": (await costOfOne(postBySlug, { body: { slug } })).cost,
    "A vote": (await costOfOne(addVote, { body: { postId } })).cost,
    "A vote taken back": (await costOfOne(removeVote, { body: { postId } })).cost,
  };
}

/** The costs of each request at all sizes. */
function byRequest(costs: Record<string, Cost>[]): Record<string, Cost[]> {
  return Object.fromEntries(Object.keys(costs[0] ?? {}).map((name) => [name, costs.map((each) => each[name] as Cost)]));
}

/** Grows the table through the sizes, and measures at each. */
async function measureGrowth(postSizes: number[], voteSizes: number[]): Promise<Growth> {
  const ofVotes = [];
  for (const post of popular) ofVotes.push(await costsOfVotes(post));
  const ofPosts = [];
  let posts = popular.length;
  for (const size of postSizes) {
    await addEvenly(size - posts);
    posts = size;
    ofPosts.push(await costsAt(size));
  }
  return [
    { of: "Posts in the table", sizes: postSizes, requests: byRequest(ofPosts) },
    { of: "Votes on the post", sizes: voteSizes, requests: byRequest(ofVotes) },
  ];
}

function firstSizes(growth: Growth): Growth {
  return growth.map(({ of, sizes, requests }) => ({
    of,
    sizes: sizes.slice(0, 1),
    requests: Object.fromEntries(Object.entries(requests).map(([name, costs]) => [name, costs.slice(0, 1)])),
  }));
}

describe("What requests cost as the table grows", () => {
  it("is what the data say: measured at the smallest sizes, or with npm run growth at all", async () => {
    if (isWriting) {
      const growth = await measureGrowth(POSTS, VOTES);
      writeFileSync(DATA, `${JSON.stringify(growth, null, 2)}\n`);
      writeFileSync(PICTURE, growthChart(growth));
    } else {
      expect(await measureGrowth(POSTS.slice(0, 1), VOTES.slice(0, 1))).toEqual(firstSizes(committed()));
    }
  }, 1_200_000);

  it("the picture and the table of docs/performance.md are made of the data", () => {
    expect(readFileSync(PICTURE, "utf8")).toBe(growthChart(committed()));
    expect(readFileSync("docs/performance.md", "utf8")).toContain(growthTable(committed()));
  });
});

function committed(): Growth {
  return JSON.parse(readFileSync(DATA, "utf8"));
}
