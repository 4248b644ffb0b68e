import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { handler as postBySlug } from "../../functions/posts/by-slug.ts";
import { handler as listPosts } from "../../functions/posts/list.ts";
import { handler as searchPosts } from "../../functions/posts/search.ts";
import { handler as addVote } from "../../functions/votes/add.ts";
import { handler as removeVote } from "../../functions/votes/remove.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { writeWords } from "../../lib/search/word-rows.ts";
import * as hotPosts from "../../lib/votes/hot-posts.ts";
import * as votes from "../../lib/votes/votes.ts";
import * as voting from "../../lib/votes/voting.ts";
import { invoke, type Request } from "../support/http/invoke.ts";
import { measured } from "../support/store/calls.ts";
import { costOf, planOf } from "../support/store/plans.ts";
import { aMember, aPost, aStranger, type Person } from "../support/world/fixtures.ts";

// What requests ask of the store that meet a hot post: docs/data-model.md#hot-posts. Its votes: 100 of before, 100 in shards.

const people: Record<string, Person> = {};
const world: { post?: PostRecord } = {};

function token() {
  return people.member?.token;
}
function postId() {
  return world.post?.postId;
}

beforeAll(async () => {
  const [author, member] = [await aMember("Margaret Hamilton"), await aMember("Katherine Johnson")];
  people.member = member;
  const post = await aPost(author);
  world.post = post;
  await writeWords(post.postId);
  await voting.castAll(post.postId, Array.from({ length: 100 }, aStranger));
  await hotPosts.heat((await votes.summary(post.postId)) ?? votes.noVoters(post.postId));
  for (let n = 0; n < 100; n++) {
    await voting.cast(post.postId, aStranger(), await votes.summary(post.postId), undefined, hotPosts.inShards);
  }
});

const SHARDS = Array.from({ length: 8 }, () => "Query VOTES").join(" | ");

const rows: [name: string, endpoint: Endpoint, request: () => Request, plan: string][] = [
  [
    "vote",
    addVote,
    () => ({ token: token(), body: { postId: postId() } }),
    `GetItem POSTS | GetItem USER ; TransactWriteItems (Update VOTES, Put USER, Put VOTES) ; GetItem POSTS | Query VOTES | ${SHARDS}`,
  ],
  ["list, page 1", listPosts, () => ({ body: {} }), `Query CATALOGUE | Query POSTS ; ${SHARDS}`],
  [
    "list, page 1, with token",
    listPosts,
    () => ({ token: token(), body: {} }),
    `GetItem USER | Query CATALOGUE | Query POSTS ; Query USER | ${SHARDS}`,
  ],
  [
    "slug, with token",
    postBySlug,
    () => ({ token: token(), body: { slug: world.post?.slug } }),
    `GetItem USER | GetItem USER | Query CATALOGUE | Query POSTS | Query VOTES ; ${SHARDS}`,
  ],
  [
    "search, with token",
    searchPosts,
    () => ({ token: token(), body: { query: world.post?.title } }),
    `GetItem USER | Query CATALOGUE | Query WORDS | Query WORDS ; BatchGetItem 2 POSTS ; BatchGetItem 1 USER | ${SHARDS}`,
  ],
  [
    "unvote",
    removeVote,
    () => ({ token: token(), body: { postId: postId() } }),
    `GetItem POSTS | GetItem USER | GetItem USER ; TransactWriteItems (Update VOTES, Delete USER, Delete VOTES) ; GetItem POSTS | Query VOTES | ${SHARDS}`,
  ],
];

/** The table of docs/data-model.md, "Hot posts": steps, calls, read units and write units by name. */
const documented = new Map(
  (
    readFileSync(new URL("../../docs/data-model.md", import.meta.url), "utf8")
      .split("## Hot posts")[1]
      ?.split("\n## ")[0] ?? ""
  )
    .split("\n")
    .filter((line) => /^\|.*\d \|$/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", ...figures]) => [name, figures.slice(0, 4).map(Number)]),
);

it.each(rows)("%s", async (name, endpoint, request, plan) => {
  const { status, calls } = await measured(() => invoke(endpoint, request()));
  const { steps, readUnits, writeUnits } = costOf(calls);
  expect(status).toBe(endpoint.definition.success);
  expect(planOf(calls)).toBe(plan);
  const figures = [steps, calls.length, readUnits, writeUnits];
  expect(documented.get(name), `docs/data-model.md, "Hot posts"`).toEqual(figures);
});

it("are all that the document names", () => {
  expect([...documented.keys()].sort()).toEqual(rows.map(([name]) => name).sort());
});
