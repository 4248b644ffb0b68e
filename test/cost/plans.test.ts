import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { handler as setUp } from "../../functions/auth/set-up.ts";
import { handler as signUp } from "../../functions/auth/sign-up.ts";
import { handler as boardsList } from "../../functions/boards/list.ts";
import { handler as postBySlug } from "../../functions/posts/by-slug.ts";
import { handler as createPost } from "../../functions/posts/create.ts";
import { handler as deletePost } from "../../functions/posts/delete.ts";
import { handler as listPosts } from "../../functions/posts/list.ts";
import { handler as roadmapByUrl } from "../../functions/roadmaps/by-url.ts";
import { handler as roadmapsList } from "../../functions/roadmaps/list.ts";
import { handler as searchRoadmaps } from "../../functions/roadmaps/search.ts";
import { handler as addVote } from "../../functions/votes/add.ts";
import { handler as removeVote } from "../../functions/votes/remove.ts";
import type { BoardRecord } from "../../lib/catalogue/boards.ts";
import type { RoadmapRecord } from "../../lib/catalogue/roadmaps.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { rank } from "../../lib/lists/ranks.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { key } from "../../lib/table/keys.ts";
import { get } from "../../lib/table/reads.ts";
import { SEATS, summary } from "../../lib/votes/votes.ts";
import { invoke, type Request } from "../support/http/invoke.ts";
import { measured } from "../support/store/calls.ts";
import { anything } from "../support/store/items.ts";
import { sizesNow } from "../support/store/meter.ts";
import { costOf, planOf, plansIn } from "../support/store/plans.ts";
import { sizeOf } from "../support/store/sizes.ts";
import { addPosts } from "../support/world/bulk.ts";
import { contract } from "../support/world/contract.ts";
import { aBoard, aMember, aRoadmap, aStranger, aVote, type Person, postOf } from "../support/world/fixtures.ts";

// What every endpoint asks of the store: `|` separates calls side by side, `;` one step from the next. One call more
// fails its row here. docs/costs.md, "Measured", says what the calls cost, and is compared with it.

const DAY = 86_400_000;
const START = Date.parse("2025-01-06T09:00:00.000Z");
const NAMES = ["Grace Hopper", "Alan Turing", "Maria Sibylla Merian", "Jürgen Weiß", "Li Wei", "Ada Lovelace"];

const PLANNED = new Set([1, 3, 5, 7, 9, 60, 61, 62, 63, 261, 263, 265, 267, 269]);

// Posts: 20 on days of their own (0 to 19, the first 10 of them well voted on), 240 on day 20, 20 on days of their own
// (21 to 40).
const posts: PostRecord[] = [];
const boards: BoardRecord[] = [];
const onRoadmap: RoadmapRecord[] = [];
const people: Record<string, Person> = {};

function post(number: number) {
  return posts[number] as PostRecord;
}
function token() {
  return people.member?.token;
}
function first() {
  return boards[0]?.boardId;
}
function second() {
  return boards[1]?.boardId;
}
function roadmapId() {
  return onRoadmap[0]?.roadmapId;
}

beforeAll(async () => {
  people.member = await aMember("Katherine Johnson");
  const author = await aMember("Margaret Hamilton");
  people.author = author;
  for (const name of ["Ideas", "Bugs", "Praise"]) boards.push(await aBoard({ name, at: START - DAY }));
  onRoadmap.push(await aRoadmap({ name: "In progress", url: "in-progress" }));
  for (let number = 0; number < 280; number++) {
    const day = number < 20 ? number : number < 260 ? 20 : number - 239;
    posts.push(
      postOf(author, {
        title: "Export the board as a spreadsheet",
        contentMarkdown: "The numbers go into a report every month. ".repeat(8),
        at: START + day * DAY + number * 60_000,
        boardId: boards[number % 2]?.boardId,
        roadmapId: number % 2 === 0 ? roadmapId() : undefined,
        // Ten on days of their own, four on the busy day.
        status: PLANNED.has(number) ? "a" : undefined,
      }),
    );
  }
  await addPosts(posts);
  for (const { postId } of posts.slice(0, 10)) for (let n = 0; n < 8; n++) await aVote(postId, aStranger());
  for (const name of NAMES) await aVote(post(10).postId, await aMember(name));
  for (const name of NAMES.slice(0, 2)) await aVote(post(11).postId, await aMember(name));
  people.seated = await aMember("Edsger Dijkstra");
  await aVote(post(12).postId, people.seated);
  for (let n = 0; n < 498; n++) await aVote(post(12).postId, aStranger());
  for (const { postId } of posts) await rank(postId);
});

function body(body: object) {
  return (): Request => ({ body });
}

const account = { email: "barbara.liskov@example.com", password: "a password of some length", name: "Barbara Liskov" };

const requests: Record<string, [Endpoint, () => Request]> = {
  signup: [signUp, body(account)],
  setup: [setUp, body({ ...account, email: "frances.allen@example.com" })],
  "list, page 1": [listPosts, body({})],
  "list, page 1, with token": [listPosts, () => ({ token: token() })],
  "list, page 1, with token, posts of more than 6 votes": [
    listPosts,
    () => ({ token: token(), body: { created: "asc" } }),
  ],
  "list, page 3": [listPosts, body({ page: 3 })],
  "list, page 3, with token": [listPosts, () => ({ token: token(), body: { page: 3 } })],
  "list, last page, with token, posts of more than 6 votes": [
    listPosts,
    () => ({ token: token(), body: { page: 28 } }),
  ],
  "list, beyond the end": [listPosts, body({ page: 29 })],
  "list of a board, page 1": [listPosts, () => ({ body: { boardId: first() } })],
  "list of a board, page 1, with token, posts of more than 6 votes": [
    listPosts,
    () => ({ token: token(), body: { boardId: first(), created: "asc" } }),
  ],
  "list of a board, page 2": [listPosts, () => ({ body: { boardId: first(), page: 2 } })],
  "list of a board, last page, with token, posts of more than 6 votes": [
    listPosts,
    () => ({ token: token(), body: { boardId: first(), page: 14 } }),
  ],
  "list of two boards, page 1": [listPosts, () => ({ body: { boardId: [first(), second()] } })],
  "list of two boards, page 3": [listPosts, () => ({ body: { boardId: [first(), second()], page: 3 } })],
  "list of two boards, late in a busy day": [listPosts, () => ({ body: { boardId: [first(), second()], page: 20 } })],
  "list of two boards, over the end of a busy day": [
    listPosts,
    () => ({ body: { boardId: [first(), second()], page: 18, limit: 15 } }),
  ],
  "list of a roadmap, page 1": [listPosts, () => ({ body: { roadmapId: roadmapId() } })],
  "list of a roadmap, page 2": [listPosts, () => ({ body: { roadmapId: roadmapId(), page: 2 } })],
  "list of a board and a roadmap, page 1": [listPosts, () => ({ body: { roadmapId: roadmapId(), boardId: first() } })],
  "list of a board and a roadmap, page 2": [
    listPosts,
    () => ({ body: { roadmapId: roadmapId(), boardId: first(), page: 2 } }),
  ],
  "list of a status, page 1": [listPosts, body({ status: "planned" })],
  "list of a status, page 2": [listPosts, body({ status: "planned", page: 2 })],
  "list of open posts, page 3": [listPosts, body({ status: "open", page: 3 })],
  "list by votes, page 1": [listPosts, body({ sort: "top" })],
  "list by votes, page 3": [listPosts, body({ sort: "top", page: 3 })],
  "list by votes of a board, page 3, with token": [
    listPosts,
    () => ({ token: token(), body: { sort: "top", boardId: first(), page: 3 } }),
  ],
  "list by votes of a roadmap and a status, page 1": [
    listPosts,
    () => ({ body: { sort: "top", roadmapId: roadmapId(), status: "open" } }),
  ],
  "trending list, page 1": [listPosts, body({ sort: "trending" })],
  "trending list, page 3": [listPosts, body({ sort: "trending", page: 3 })],
  "trending list of two boards, page 3": [
    listPosts,
    () => ({ body: { sort: "trending", boardId: [first(), second()], page: 3 } }),
  ],
  "list of two boards and a status, page 1": [
    listPosts,
    () => ({ body: { boardId: [first(), second()], status: "planned" } }),
  ],
  "list of a status, beyond the end": [listPosts, body({ status: "planned", page: 3 })],
  slug: [postBySlug, () => ({ body: { slug: post(270).slug } })],
  "slug, with token": [postBySlug, () => ({ token: token(), body: { slug: post(270).slug } })],
  "slug, with token, 500 votes": [postBySlug, () => ({ token: token(), body: { slug: post(12).slug } })],
  "vote, the third on a post": [addVote, () => ({ token: token(), body: { postId: post(11).postId } })],
  "vote, the 500th on a post": [addVote, () => ({ token: token(), body: { postId: post(12).postId } })],
  "vote with an Idempotency-Key": [
    addVote,
    () => ({
      token: people.author?.token,
      headers: { "idempotency-key": "this-very-vote" },
      body: { postId: post(12).postId },
    }),
  ],
  "vote with an Idempotency-Key, sent again": [
    addVote,
    () => ({
      token: people.author?.token,
      headers: { "idempotency-key": "this-very-vote" },
      body: { postId: post(12).postId },
    }),
  ],
  "unvote, 3 votes": [removeVote, () => ({ token: token(), body: { postId: post(11).postId } })],
  "unvote, 500 votes": [removeVote, () => ({ token: token(), body: { postId: post(12).postId } })],
  "unvote of one of the first six, 499 votes": [
    removeVote,
    () => ({ token: people.seated?.token, body: { postId: post(12).postId } }),
  ],
  "unvote without a vote": [removeVote, () => ({ token: token(), body: { postId: post(12).postId } })],
  roadmaps: [roadmapsList, () => ({ token: token() })],
  "roadmap search": [searchRoadmaps, () => ({ token: token(), params: { name: "progress" } })],
  "roadmap by url": [roadmapByUrl, () => ({ params: { url: "in-progress" } })],
  "roadmap by url, with token": [roadmapByUrl, () => ({ token: token(), params: { url: "in-progress" } })],
  "create post": [createPost, () => ({ token: token(), body: { title: "A new idea" } })],
  "create post with an Idempotency-Key": [
    createPost,
    () => ({ token: token(), headers: { "idempotency-key": "this-very-post" }, body: { title: "A new idea" } }),
  ],
  "create post with an Idempotency-Key, sent again": [
    createPost,
    () => ({ token: token(), headers: { "idempotency-key": "this-very-post" }, body: { title: "A new idea" } }),
  ],
  "delete post": [deletePost, () => ({ token: people.author?.token, body: { id: post(279).postId } })],
  "delete post on a board and a roadmap": [
    deletePost,
    () => ({ token: people.author?.token, body: { id: post(278).postId } }),
  ],
  boards: [boardsList, () => ({ token: token() })],
};

const plans = plansIn(`
  signup: TransactWriteItems (Put USER, Put USERS, Update USER_COUNT, Put CREDENTIALS, Put EMAIL, Put USERNAME,
    Put OUTBOX)
  setup: GetItem SITE ; TransactWriteItems (Put SITE, Put USER, Put USERS, Update USER_COUNT, Put CREDENTIALS, Put
    EMAIL, Put USERNAME, Put OUTBOX, Put CATALOGUE, Put BOARD_URL)
  list, page 1: Query CATALOGUE | Query POSTS
  list, page 1, with token: GetItem USER | Query CATALOGUE | Query POSTS
  list, page 1, with token, posts of more than 6 votes: GetItem USER | Query CATALOGUE | Query POSTS ; Query USER
  list, page 3: Query CATALOGUE | Query COUNTS ; Query LIST ; Query POSTS
  list, page 3, with token: GetItem USER | Query CATALOGUE | Query COUNTS ; Query LIST ; Query POSTS
  list, last page, with token, posts of more than 6 votes: GetItem USER | Query CATALOGUE | Query COUNTS ; Query
    LIST ; Query POSTS ; Query USER
  list, beyond the end: Query CATALOGUE | Query COUNTS
  list of a board, page 1: Query CATALOGUE | Query LIST ; BatchGetItem 20 POSTS
  list of a board, page 1, with token, posts of more than 6 votes: GetItem USER | Query CATALOGUE | Query LIST ;
    BatchGetItem 20 POSTS ; BatchGetItem 6 USER
  list of a board, page 2: Query CATALOGUE | Query COUNTS ; Query LIST ; BatchGetItem 20 POSTS
  list of a board, last page, with token, posts of more than 6 votes: GetItem USER | Query CATALOGUE | Query
    COUNTS ; Query LIST ; BatchGetItem 20 POSTS ; BatchGetItem 6 USER
  list of two boards, page 1: Query CATALOGUE | Query LIST | Query LIST ; BatchGetItem 20 POSTS
  list of two boards, page 3: Query CATALOGUE | Query COUNTS | Query COUNTS ; Query LIST | Query LIST ;
    BatchGetItem 20 POSTS
  list of two boards, late in a busy day: Query CATALOGUE | Query COUNTS | Query COUNTS ; Query LIST | Query LIST
    ; BatchGetItem 20 POSTS
  list of two boards, over the end of a busy day: Query CATALOGUE | Query COUNTS | Query COUNTS ; Query LIST |
    Query LIST ; BatchGetItem 30 POSTS
  list of a roadmap, page 1: Query CATALOGUE | Query LIST ; BatchGetItem 20 POSTS
  list of a roadmap, page 2: Query CATALOGUE | Query COUNTS ; Query LIST ; BatchGetItem 20 POSTS
  list of a board and a roadmap, page 1: Query CATALOGUE | Query LIST ; BatchGetItem 20 POSTS
  list of a board and a roadmap, page 2: Query CATALOGUE | Query LIST ; BatchGetItem 20 POSTS
  list of a status, page 1: Query CATALOGUE | Query COUNTS ; Query LIST ; BatchGetItem 20 POSTS
  list of a status, page 2: Query CATALOGUE | Query COUNTS ; Query LIST ; BatchGetItem 8 POSTS
  list of open posts, page 3: Query CATALOGUE | Query COUNTS ; Query LIST ; BatchGetItem 20 POSTS
  list by votes, page 1: Query CATALOGUE | Query TOP ; BatchGetItem 20 POSTS
  list by votes, page 3: Query CATALOGUE | Query TOP_COUNTS ; Query TOP ; BatchGetItem 20 POSTS
  list by votes of a board, page 3, with token: GetItem USER | Query CATALOGUE | Query TOP_COUNTS ; Query TOP ;
    BatchGetItem 20 POSTS
  list by votes of a roadmap and a status, page 1: Query CATALOGUE | Query TOP_COUNTS ; Query TOP ; BatchGetItem
    20 POSTS
  trending list, page 1: Query CATALOGUE | Query TRENDING ; BatchGetItem 20 POSTS
  trending list, page 3: Query CATALOGUE | Query TRENDING_COUNTS ; Query TRENDING ; BatchGetItem 20 POSTS
  trending list of two boards, page 3: Query CATALOGUE | Query TRENDING_COUNTS | Query TRENDING_COUNTS ; Query
    TRENDING | Query TRENDING ; BatchGetItem 20 POSTS
  list of two boards and a status, page 1: Query CATALOGUE | Query COUNTS | Query COUNTS ; Query LIST | Query LIST
    ; BatchGetItem 20 POSTS
  list of a status, beyond the end: Query CATALOGUE | Query COUNTS
  slug: Query CATALOGUE | Query POSTS | Query VOTES
  slug, with token: GetItem USER | GetItem USER | Query CATALOGUE | Query POSTS | Query VOTES
  slug, with token, 500 votes: GetItem USER | GetItem USER | Query CATALOGUE | Query POSTS | Query VOTES
  vote, the third on a post: GetItem POSTS | GetItem USER ; TransactWriteItems (Update POSTS, Put USER, Put VOTES)
    ; GetItem POSTS | Query VOTES
  vote, the 500th on a post: GetItem POSTS | GetItem USER ; TransactWriteItems (Update POSTS, Put USER, Put VOTES)
    ; GetItem POSTS | Query VOTES
  vote with an Idempotency-Key: GetItem IDEMPOTENCY | GetItem POSTS | GetItem USER ; TransactWriteItems (Update
    POSTS, Put USER, Put VOTES, Put IDEMPOTENCY) ; GetItem POSTS | Query VOTES
  vote with an Idempotency-Key, sent again: GetItem IDEMPOTENCY | GetItem POSTS | GetItem USER ; GetItem POSTS |
    Query VOTES
  unvote, 3 votes: GetItem POSTS | GetItem USER | GetItem USER ; TransactWriteItems (Update POSTS, Delete USER,
    Delete VOTES) ; GetItem POSTS | Query VOTES
  unvote, 500 votes: GetItem POSTS | GetItem USER | GetItem USER ; TransactWriteItems (Update POSTS, Delete USER,
    Delete VOTES) ; GetItem POSTS | Query VOTES
  unvote of one of the first six, 499 votes: GetItem POSTS | GetItem USER | GetItem USER ; Query VOTES ;
    TransactWriteItems (Update POSTS, Delete USER, Delete VOTES, ConditionCheck VOTES) ; GetItem POSTS | Query
    VOTES
  unvote without a vote: GetItem POSTS | GetItem USER | GetItem USER ; GetItem POSTS | Query VOTES
  roadmaps: GetItem USER | Query CATALOGUE
  roadmap search: GetItem USER | Query CATALOGUE
  roadmap by url: Query CATALOGUE
  roadmap by url, with token: GetItem USER | Query CATALOGUE
  create post: GetItem USER | Query CATALOGUE ; TransactWriteItems (Put POSTS, Put POSTS, Put USER, Put LIST,
    Update COUNTS, Put LIST, Update COUNTS, Update CATALOGUE)
  create post with an Idempotency-Key: GetItem IDEMPOTENCY | GetItem USER | Query CATALOGUE ; TransactWriteItems
    (Put POSTS, Put POSTS, Put USER, Put LIST, Update COUNTS, Put LIST, Update COUNTS, Update CATALOGUE, Put
    IDEMPOTENCY)
  create post with an Idempotency-Key, sent again: GetItem IDEMPOTENCY | GetItem USER | Query CATALOGUE
  delete post: GetItem POSTS | GetItem USER ; TransactWriteItems (Delete POSTS, Delete POSTS, Delete USER, Put
    DELETED, Delete LIST, Update COUNTS, Delete LIST, Update COUNTS, Update CATALOGUE)
  delete post on a board and a roadmap: GetItem POSTS | GetItem USER ; TransactWriteItems (Delete POSTS, Delete
    POSTS, Delete USER, Put DELETED, Delete LIST, Update COUNTS, Delete LIST, Update COUNTS, Update CATALOGUE,
    Delete LIST, Update COUNTS, ConditionCheck CATALOGUE)
  boards: GetItem USER | Query CATALOGUE
`);

/** The table "Measured" of docs/data-model.md: steps, calls, read units and write units by name. */
const documented = new Map(
  (
    readFileSync(new URL("../../docs/costs.md", import.meta.url), "utf8")
      .split("### Measured")[1]
      ?.split("\n#")[0] ?? ""
  )
    .split("\n")
    .filter((line) => /^\|.*\d \|$/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", ...figures]) => [name, figures.slice(0, 4).map(Number)]),
);

const measuredSteps = new Map<string, number>();

describe("a request", () => {
  it.each(Object.entries(requests))(
    "follows its plan and costs what docs/costs.md says: %s",
    async (name, [endpoint, request]) => {
      const { status, calls } = await measured(() => invoke(endpoint, request()));
      const { steps, readUnits, writeUnits } = costOf(calls);
      measuredSteps.set(name, steps);
      expect(status).toBe(endpoint.definition.success);
      expect(planOf(calls)).toBe(plans[name]);
      expect(calls.filter(({ isStrong }) => !isStrong)).toEqual([]);
      // What the meter computes from item sizes is what dynoxide charges; DynamoDB Local charges transactions too
      // little.
      const charged = calls.reduce((sum, call) => sum + call.reported, 0);
      if (!process.env.TEST_DYNAMODB_ENDPOINT) expect(charged).toBe(readUnits + writeUnits);
      expect(documented.get(name), `docs/costs.md, "Measured"`).toEqual([steps, calls.length, readUnits, writeUnits]);
    },
  );

  it("exists for each endpoint of the contract, with a plan and documented costs", () => {
    const tried = new Set(Object.values(requests).map(([endpoint]) => endpoint));
    expect(contract.filter((endpoint) => !tried.has(endpoint))).toEqual([]);
    expect(Object.keys(plans)).toEqual(Object.keys(requests));
    expect([...documented.keys()].sort()).toEqual(Object.keys(requests).sort());
  });

  it("costs 20 steps at most, summed over the endpoints of the contract", () => {
    const twelve = [
      ...["signup", "setup", "list, page 1, with token, posts of more than 6 votes", "slug, with token, 500 votes"],
      ...["vote, the 500th on a post", "unvote, 500 votes", "roadmaps", "roadmap search", "roadmap by url, with token"],
      ...["create post", "delete post", "boards"],
    ];
    expect(twelve).toHaveLength(contract.length);
    const unmeasured = twelve.filter((name) => !measuredSteps.has(name));
    expect(unmeasured, "requests that failed above, or did not run").toEqual([]);
    expect(twelve.reduce((sum, name) => sum + (measuredSteps.get(name) ?? 0), 0)).toBeLessThanOrEqual(20);
  });
});

describe("the voters item", () => {
  it("stays below 1 KB with six ordinary names", async () => {
    const [size = 0] = await sizesNow([key.voters(post(10).postId)]);
    expect((await summary(post(10).postId))?.first).toHaveLength(SEATS);
    expect(size).toBeLessThan(1024);
    const [, documentedSize] = /(\d+) bytes with ordinary ones/.exec(readFileSync("docs/data-model.md", "utf8")) ?? [];
    // The weights are as long as the moment of the votes is late.
    const voters = await get(key.voters(post(10).postId), anything);
    const names = Object.entries(voters ?? {}).filter(([name]) => !/^w\d+$/.test(name));
    expect(Number(documentedSize)).toBe(sizeOf(Object.fromEntries(names)));
    expect(size - Number(documentedSize)).toBeLessThanOrEqual(2 * 20);
  });
});
