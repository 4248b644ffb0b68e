import { beforeAll, describe, expect, it } from "vitest";
import * as subscriptions from "../../lib/posts/subscriptions.ts";
import { key } from "../../lib/table/keys.ts";
import { create, put } from "../../lib/table/parts.ts";
import { newId } from "../../lib/values/ids.ts";
import { invoke, type Request, refusal, success } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { newContainer } from "../support/setup.ts";
import { type Cost, costOf, measured, planOf } from "../support/store/calls.ts";
import { transactRaw } from "../support/store/raw-calls.ts";
import { addPosts, addWords, castAll, eachOf } from "../support/world/bulk.ts";
import { aBoard, aMember, aRoadmap, aStranger, type Person, postOf } from "../support/world/fixtures.ts";
import { FULL_CATALOGUE, LONGEST_TEXT, worstOf } from "../support/world/worst-calls.ts";

// The dearest reads that need no account: each is bounded, whatever the table holds.

let member: Person;
let token: string;

beforeAll(async () => {
  member = await aMember();
  token = member.token;
});

function idOf({ postId }: { postId: string }): string {
  return postId;
}

async function measure(name: string, request: Request) {
  newContainer();
  const { status, body, calls } = await measured(() => invoke(name, request));
  expect(status).toBe(200);
  const cost: Cost = costOf(calls);
  expect(cost.readUnits, name).toBeLessThanOrEqual(worstOf(name).reads);
  return { body, plan: planOf(calls), ...cost };
}

describe("a search for six common words", () => {
  const words = "export archive calendar comment dashboard spreadsheet";

  beforeAll(async () => {
    const posts = Array.from({ length: 300 }, () =>
      postOf(member, { title: `${words} please because everybody needs this feature` }),
    );
    await addPosts(posts);
    await addWords(posts);
  });

  it("costs at most 28 R, and finds ten posts", async () => {
    const { body, plan, readUnits } = await measure("posts-search", { body: { query: words, first: 50 } });
    expect(body.results).toHaveLength(10);
    expect(plan).toBe(`Query CATALOGUE${" | Query WORDS".repeat(7)} ; BatchGetItem 20 POSTS`);
    expect(readUnits).toBeLessThanOrEqual(28);
  });

  it("costs at most 40 R for the longest words, with a token", async () => {
    const longest = Array.from({ length: 7 }, (_, n) => String.fromCodePoint(0x10d0 + n).repeat(32));
    const title = longest.join(" ");
    const posts = Array.from({ length: 200 }, () => postOf(member, { title }));
    await addPosts(posts);
    await addWords(posts);
    for (const { postId } of posts.slice(-65)) await castAll(postId, Array.from({ length: 7 }, aStranger));
    const units = [];
    for (const count of [1, 2, 3]) {
      const query = longest.slice(0, count).join(" ");
      const { body, readUnits } = await measure("posts-search", { token, body: { query } });
      expect(body.results).toHaveLength(10);
      units.push(readUnits);
    }
    expect(Math.max(...units)).toBeGreaterThan(36);
    await measure("posts-similar", { body: { title } });
  });

  it("costs no more for similar posts, or with fewer words, which have more rows each", async () => {
    const similar = await measure("posts-similar", { body: { title: words } });
    expect(similar.body.posts).toHaveLength(5);
    expect(similar.readUnits).toBeLessThanOrEqual(28);
    for (const query of ["export", "export archive", "export archive calendar", "archive calendar comment dashboard"]) {
      const { readUnits } = await measure("posts-search", { body: { query } });
      expect(readUnits, query).toBeLessThanOrEqual(28);
    }
  });
});

describe("a search for titles of the longest posts", () => {
  it("costs at most 40 R, and answers the posts that fit", async () => {
    const make = (count: number, contentMarkdown?: string) =>
      Array.from({ length: count }, () => postOf(member, { title: "The longest marmalade", contentMarkdown }));
    const short = make(3);
    const long = make(10, LONGEST_TEXT);
    await addPosts([...short, ...long]);
    await addWords([...short, ...long]);
    const newest = [...long.slice(-3).reverse(), short.at(-1)].map((post) => post && idOf(post));
    const search = await measure("posts-search", { body: { query: "longest marmalade" } });
    const similar = await measure("posts-similar", { body: { title: "longest marmalade" } });
    for (const { readUnits } of [search, similar]) expect(readUnits).toBeLessThanOrEqual(40);
    expect(search.body.results.map(idOf)).toEqual(newest);
    expect(similar.body.posts.map(idOf)).toEqual(newest);
  });
});

describe("a list by a board and a roadmap with 1,200 posts each", () => {
  let filter: { boardId: string; roadmapId: string };
  let newestFirst: string[];

  beforeAll(async () => {
    filter = { boardId: (await aBoard()).boardId, roadmapId: (await aRoadmap()).roadmapId };
    const { roadmapId } = filter;
    // Two of the newest posts of the roadmap are on the board, and two that are 700 and 1,100 posts below.
    const posts = Array.from({ length: 1200 }, (_, n) =>
      postOf(member, { roadmapId, boardId: [100, 500, 1198, 1199].includes(n) ? filter.boardId : undefined }),
    );
    await addPosts(posts);
    await addPosts(Array.from({ length: 1200 }, () => postOf(member, { boardId: filter.boardId })));
    newestFirst = posts.filter(({ boardId }) => boardId).map(({ postId }) => postId);
    newestFirst.reverse();
  });

  const idsOf = (body: { posts: { postId: string }[] }) => body.posts.map(idOf);

  it("costs at most 40 R by number, and refuses a page that 500 of its posts do not fill", async () => {
    const { body, readUnits } = await measure("posts-list", { body: { ...filter, limit: 2 } });
    expect(idsOf(body)).toEqual(newestFirst.slice(0, 2));
    expect(readUnits).toBeLessThanOrEqual(40);
    for (const page of [1, 2])
      refusal(await invoke("posts-list", { body: { ...filter, page } }), "VALIDATION_ERROR", "body.page");
  });

  it("costs at most 40 R by cursor, which leads to every post", async () => {
    const pages = await portal.walk(async (cursor) => {
      const { body, readUnits } = await measure("posts-list", { body: { ...filter, first: 10, ...cursor } });
      expect(readUnits).toBeLessThanOrEqual(40);
      return body;
    });
    expect(pages.flatMap(idsOf)).toEqual(newestFirst);
    expect(pages.map(({ total_count }) => total_count)).toEqual([2, 3, 4]);
    expect(pages.map(({ total_is_minimum }) => total_is_minimum)).toEqual([true, true, false]);
  });
});

describe("a site where everything is as long as it may be", () => {
  const text = (length: number) => "\u754c".repeat(length);
  const requests: [name: string, request: Request][] = [];

  beforeAll(async () => {
    const fields = {
      title: text(255),
      contentMarkdown: LONGEST_TEXT,
      response: { text: text(5000), at: Date.now() },
      oldSlugs: Array(10).fill(text(106)),
    };
    const boardId = await Promise.all(Array.from({ length: 20 }, async () => (await aBoard()).boardId));
    const posts = Array.from({ length: 50 }, (_, n) => postOf(member, { ...fields, boardId: boardId[n % 20] }));
    await addPosts(posts);
    const strangers = (count: number) => Array.from({ length: count }, () => ({ ...aStranger(), name: text(60) }));
    for (const { postId } of posts.slice(1)) await castAll(postId, strangers(7));
    const { postId, slug } = posts[0] as (typeof posts)[0];
    await castAll(postId, strangers(101));
    await eachOf(posts, ({ postId }) => subscriptions.choose(member.userId, postId, true));
    const account = { email: "owner@example.com", password: "correct horse battery staple", siteName: "Site" };
    const { user } = success(await invoke("auth-set-up", { body: account }), 201);
    const webAddress = `https://example.com/${"x".repeat(1980)}`;
    const look = { title: text(100), description: text(500), logo: webAddress, icon: webAddress };
    success(await invoke("settings-update", { token: user.authToken, body: look }), 200);
    const started = Array.from({ length: 15 }, (_, n) => ({ name: text(38) + n, kind: "started", color: "aa00ff" }));
    const statuses = [{ ...started[0], id: "open", kind: "open" }, ...started];
    success(await invoke("statuses-replace", { token: user.authToken, body: { statuses } }), 200);
    requests.push(
      ["posts-list", { token, body: { boardId, status: ["open"], limit: 50 } }],
      ["posts-list", { token, body: { boardId, first: 50 } }],
      ["posts-by-slug", { token, body: { slug } }],
      ["posts-by-id", { token, params: { postId } }],
      ["posts-votes", { token, params: { postId }, query: { first: "100" } }],
      ["posts-search", { token, body: { query: "everything" } }],
      ["posts-similar", { token, body: { title: "everything" } }],
      ["users-posts", { token: member.token, query: { first: "50" } }],
      ["users-follows", { token: member.token, query: { first: "50" } }],
      ["users-posts-of", { token: user.authToken, params: { userId: member.userId }, query: { first: "50" } }],
      ["boards-list", { token }],
      ["boards-by-url", { token, params: { url: "feedback" } }],
      ["roadmaps-list", { token }],
      ["settings-site", {}],
      ["statuses-list", {}],
    );
  });

  async function unitsOfAll(): Promise<number[]> {
    const units: number[] = [];
    for (const [name, request] of requests) {
      units.push(costOf((await measured(() => invoke(name, request))).calls).readUnits);
    }
    return units;
  }

  it("costs what its texts take, and what 250 boards and 250 roadmaps take", async () => {
    const few = await unitsOfAll();
    const beyond = requests.map(([name], at) => [name, few[at] ?? 0] as const);
    expect(beyond.filter(([name, units]) => units > worstOf(name).reads)).toEqual([]);
    const long = (stem: string, n: number) => ({ name: text(100), url: `${stem}-${n}-`.padEnd(50, "x") });
    const numbers = Array.from({ length: 250 }, (_, n) => n);
    await eachOf(numbers, (n) => aBoard(long("board", n)));
    // Adding them one by one writes the growing item of their order 250 times.
    const roadmaps = numbers.map((n) => [newId(), n] as const);
    await eachOf(roadmaps, ([roadmapId, n]) =>
      transactRaw([create(key.roadmap(roadmapId), { ...long("roadmap", n), color: "00aaff", display: true })]),
    );
    await transactRaw([put(key.roadmapOrder(), { indexes: Object.fromEntries(roadmaps), version: 250 })]);
    const added = (await unitsOfAll()).map((units, at) => units - (few[at] ?? 0));
    expect(Math.max(...added)).toBeLessThanOrEqual(FULL_CATALOGUE);
    expect(Math.max(...added)).toBeGreaterThan(FULL_CATALOGUE - 3);
  });
});
