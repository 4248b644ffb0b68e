import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { key } from "../../lib/table/keys.ts";
import { get } from "../../lib/table/reads.ts";
import { idAt, newId } from "../../lib/values/ids.ts";
import { SEATS } from "../../lib/votes/seats.ts";
import { summary } from "../../lib/votes/votes.ts";
import { endpointNamed, invoke, type Request } from "../support/http/invoke.ts";
import { newContainer } from "../support/setup.ts";
import { costOf, measured, planOf } from "../support/store/calls.ts";
import { anything } from "../support/store/items.ts";
import { sizeOf, sizesNow } from "../support/store/meter.ts";
import { addPosts, castAll, eachOf } from "../support/world/bulk.ts";
import { contract } from "../support/world/contract.ts";
import {
  aBoard,
  aMember,
  aRoadmap,
  aStranger,
  aTag,
  aUser,
  aVote,
  type Person,
  postOf,
} from "../support/world/fixtures.ts";
import { examplePlans, plans, reasons } from "./plans.ts";

// Each request follows its plan (plans.ts): one call more fails its row here.

const DAY = 86_400_000;
const START = Date.parse("2025-01-06T09:00:00.000Z");
const NAMES = ["Grace Hopper", "Alan Turing", "Maria Sibylla Merian", "Jürgen Weiß", "Li Wei", "Ada Lovelace"];

const PLANNED = new Set([1, 3, 5, 7, 9, 60, 61, 62, 63, 261, 263, 265, 267, 269]);

// Posts: 20 on days of their own (0 to 19, the first 10 of them well voted on), 240 on day 20, 20 on days of their own
// (21 to 40).
const posts: PostRecord[] = [];
const people: Record<string, Person> = {};

function post(number: number) {
  return posts[number] as PostRecord;
}

const IDEAS = idAt(START - 2 * DAY);
const BUGS = idAt(START - DAY);
const ROADMAP = newId();
const TAG = newId();

beforeAll(async () => {
  people.member = await aMember("Katherine Johnson");
  const author = await aMember("Margaret Hamilton");
  people.author = author;
  people.owner = await aUser("owner");
  await aBoard({ name: "Ideas", boardId: IDEAS });
  await aBoard({ name: "Bugs", boardId: BUGS });
  await aBoard({ name: "Praise", at: START - DAY });
  await aTag({ name: "Export", tagId: TAG });
  await aRoadmap({ name: "In progress", url: "in-progress", roadmapId: ROADMAP });
  for (let number = 0; number < 280; number++) {
    const day = number < 20 ? number : Math.max(20, number - 239);
    posts.push(
      postOf(author, {
        title: "Export the board as a spreadsheet",
        contentMarkdown: "The numbers go into a report every month. ".repeat(8),
        at: START + day * DAY + number * 60_000,
        boardId: number % 2 === 0 ? IDEAS : BUGS,
        roadmapId: number % 2 === 0 ? ROADMAP : undefined,
        tagIds: number >= 200 && number < 208 ? [TAG] : undefined,
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
  await castAll(post(12).postId, Array.from({ length: 498 }, aStranger));
  await eachOf(posts, ({ postId }) => derive(postId));
});

type Row = [endpoint: string, () => Request];

/** What one of the people sends; nobody signed in if none is named. */
function send(endpoint: string, by?: string, request: () => Request = () => ({})): Row {
  return [endpoint, () => ({ token: people[by ?? ""]?.token, ...request() })];
}

function list(body: object, by?: string): Row {
  return send("posts-list", by, () => ({ body }));
}

function slug(number: number, by?: string): Row {
  return send("posts-by-slug", by, () => ({ body: { slug: post(number).slug } }));
}

function vote(endpoint: string, number: number, by: string, headers = {}): Row {
  return send(endpoint, by, () => ({ headers, body: { postId: post(number).postId } }));
}

function create(headers = {}, place = {}): Row {
  return send("posts-create", "member", () => ({ headers, body: { title: "A new idea", ...place } }));
}

const account = { email: "barbara.liskov@example.com", password: "a password of some length", name: "Barbara Liskov" };
const idempotencyKey = { "idempotency-key": "this-very-request" };

const requests: Record<string, Row> = {
  signup: send("auth-sign-up", undefined, () => ({ body: account })),
  setup: send("auth-set-up", undefined, () => ({ body: { ...account, email: "frances.allen@example.com" } })),
  "list, page 1": list({}),
  "list, page 1, with token, posts of more than 6 votes": list({ created: "asc" }, "member"),
  "list, page 3, with token": list({ page: 3 }, "member"),
  "list, beyond the end": list({ page: 29 }),
  "list of a board, page 1": list({ boardId: IDEAS }),
  "list of a board, page 1, with token, posts of more than 6 votes": list({ boardId: IDEAS, created: "asc" }, "member"),
  "list of a board, last page, with token, posts of more than 6 votes": list({ boardId: IDEAS, page: 14 }, "member"),
  "list of two boards, page 1": list({ boardId: [IDEAS, BUGS] }),
  "list of two boards, 50 posts": list({ boardId: [IDEAS, BUGS], limit: 50 }),
  "list of two boards, over the end of a busy day": list({ boardId: [IDEAS, BUGS], page: 18, limit: 15 }),
  "list of a board and a roadmap, page 1": list({ roadmapId: ROADMAP, boardId: IDEAS }),
  "list of a status, page 1": list({ status: "planned" }),
  "list of a status, page 2": list({ status: "planned", page: 2 }),
  "list of open posts, page 3": list({ status: "open", page: 3 }),
  "list by votes, page 1": list({ sort: "top" }),
  "list by votes of a board, page 3, with token": list({ sort: "top", boardId: IDEAS, page: 3 }, "member"),
  "list by votes of a roadmap and a status, page 1": list({ sort: "top", roadmapId: ROADMAP, status: "open" }),
  "trending list of two boards, page 3": list({ sort: "trending", boardId: [IDEAS, BUGS], page: 3 }),
  "list of two boards and a status, page 1": list({ boardId: [IDEAS, BUGS], status: "planned" }),
  "list of a tag, page 1": list({ tag: TAG, limit: 5 }),
  "list of a tag, page 2, with token": list({ tag: TAG, limit: 5, page: 2 }, "member"),
  "list by votes of a tag and a board, page 1": list({ sort: "top", tag: TAG, boardId: IDEAS }),
  "slug, with token": slug(270, "member"),
  "slug, with token, 500 votes": slug(12, "member"),
  "vote, the third on a post": vote("votes-add", 11, "member"),
  "vote, the 500th on a post": vote("votes-add", 12, "member"),
  "vote with an Idempotency-Key": vote("votes-add", 12, "author", idempotencyKey),
  "vote with an Idempotency-Key, sent again": vote("votes-add", 12, "author", idempotencyKey),
  "unvote, 3 votes": vote("votes-remove", 11, "member"),
  "unvote, 500 votes": vote("votes-remove", 12, "member"),
  "unvote of one of the first six, 499 votes": vote("votes-remove", 12, "seated"),
  "unvote without a vote": vote("votes-remove", 12, "member"),
  roadmaps: send("roadmaps-list", "member"),
  "roadmap search": send("roadmaps-search", "member", () => ({ params: { name: "progress" } })),
  "roadmap by url, with token": send("roadmaps-by-url", "member", () => ({ params: { url: "in-progress" } })),
  "create post": create(),
  "create post on a named board": create({}, { boardId: IDEAS }),
  "create post for another account": send("posts-create", "owner", () => ({
    body: { title: "A new idea", authorId: people.author?.userId },
  })),
  "create post with an Idempotency-Key": create(idempotencyKey),
  "create post with an Idempotency-Key, sent again": create(idempotencyKey),
  "delete post": send("posts-delete", "author", () => ({ body: { id: post(279).postId } })),
  "delete post on a board and a roadmap": send("posts-delete", "author", () => ({ body: { id: post(278).postId } })),
  boards: send("boards-list", "member"),
};

describe("a request", () => {
  it.each(Object.entries(requests))("follows its plan at its price: %s", async (name, [endpoint, request]) => {
    newContainer();
    const { status, calls } = await measured(() => invoke(endpoint, request()));
    const { readUnits, writeUnits } = costOf(calls);
    expect(status).toBe(endpointNamed(endpoint).definition.success);
    const writes = writeUnits > 0 ? ` ${writeUnits} W` : "";
    expect(`${planOf(calls)} = ${readUnits} R${writes}`).toBe(plans[name]);
    expect(calls.filter(({ isStrong }) => !isStrong)).toEqual([]);
    // What the meter computes from item sizes is what dynoxide charges; DynamoDB Local charges transactions too
    // little.
    const charged = calls.reduce((sum, call) => sum + call.reported, 0);
    if (!process.env.TEST_DYNAMODB_ENDPOINT) expect(charged).toBe(readUnits + writeUnits);
  });

  it("exists for each endpoint of the contract, with a plan", () => {
    const tried = new Set(Object.values(requests).map(([endpoint]) => endpoint));
    expect(contract.filter(({ definition }) => !tried.has(definition.name))).toEqual([]);
    expect(Object.keys(plans)).toEqual(Object.keys(requests));
  });

  it("makes no call without a reason, and has no reason without a call", () => {
    const families = (call: string, operation: string) => call.split(" ").map((family) => `${operation} ${family}`);
    const calls = Object.values({ ...plans, ...examplePlans }).flatMap((plan) => [
      ...[...plan.matchAll(/GetItem(?: \d+)? ([A-Z_ ]+[A-Z])/g)].flatMap(([, read = ""]) => families(read, "Get")),
      ...[...plan.matchAll(/(?:Query|ConditionCheck|Delete|Put|Update) [A-Z_]+/g)].flat(),
    ]);
    expect([...new Set(calls)].sort(), "reasons in test/cost/plans.ts").toEqual(Object.keys(reasons).sort());
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
