import { beforeAll, describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import type { Item } from "../../../infra/operator/check-table/stored.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import { accessOf, migrations, newestVersion } from "../../../lib/migrations/index.ts";
import { migrate, status } from "../../../lib/migrations/migrate.ts";
import type * as posts from "../../../lib/posts/posts.ts";
import * as subscriptions from "../../../lib/posts/subscriptions.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { put } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { carryOutAll, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectRanked, freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { type Attempt, connectionReset, cutAt, isTransaction, overtaken } from "../../support/store/faults.ts";
import { transactRaw } from "../../support/store/raw-calls.ts";
import { castAll } from "../../support/world/bulk.ts";
import { fenceBehind, rightsIn, usesOf } from "../../support/world/exercises.ts";
import { aBoard, aMember, aPost, aRoadmap, aStranger, aUser, type Person } from "../../support/world/fixtures.ts";
import { makeVersion4 } from "../../support/world/version-4.ts";

// Tables of version 4 are made from tables of version 5, which the migration has to restore to the last attribute.

type Site = {
  owner: Person;
  member: Person;
  boards: boards.BoardRecord[];
  roadmapId: string;
  /** One on a board and a roadmap, with a status; one on a board; one without any; one that is not ranked yet. */
  posts: posts.PostRecord[];
};

let before: Item[];

async function aSite(): Promise<Site> {
  const owner = await aUser("owner", 'Grace "Hop" Hopper');
  const member = await aMember();
  const both = [await aBoard(), await aBoard()];
  const [boardId = "", other = ""] = both.map((board) => board.boardId);
  const { roadmapId } = await aRoadmap();
  const placed = [{ boardId, roadmapId, status: "a" }, { boardId }, { status: "b" }, { boardId: other, roadmapId }];
  const made: posts.PostRecord[] = [];
  for (const place of placed) made.push(await aPost(member, place));
  const [first, second, third] = made.map(({ postId }) => postId);
  await castAll(first ?? "", [owner, ...Array.from({ length: 8 }, aStranger)]);
  await castAll(second ?? "", [aStranger()]);
  for (const postId of [first, second, third]) await derive(postId ?? "");
  await subscriptions.choose(owner.userId, first ?? "", true);
  return { owner, member, boards: both, roadmapId, posts: made };
}

async function withoutModel(): Promise<Item[]> {
  return (await scan())
    .filter(({ pk }) => pk !== "MODEL")
    .sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
}

/** The site and the items of version 4 that each test begins with. */
let old: { site: Site; items: Item[] };

async function anOldSite(): Promise<Site> {
  await freshTable();
  const puts = old.items.map(({ pk, sk, ...rest }) => put({ pk, sk }, rest));
  for (let at = 0; at < puts.length; at += 100) await transactRaw(puts.slice(at, at + 100));
  return old.site;
}

function isWrite({ operation }: Attempt): boolean {
  return !/^(BatchGetItem|GetItem|Query|Scan)$/.test(operation);
}

describe("The migration to lists of statuses", () => {
  beforeAll(async () => {
    const site = await aSite();
    before = await withoutModel();
    // Of an account that was erased, so the migrations take it away.
    await subscriptions.choose(newId(), site.posts[0]?.postId ?? "", true);
    await makeVersion4();
    old = { site, items: await scan() };
  });

  it("restores every item of a table, with exactly its rights", async () => {
    const { posts } = await anOldSite();
    // Of an account that was erased.
    await subscriptions.choose(newId(), posts[0]?.postId ?? "", true);
    expect(await withoutModel()).not.toEqual(before);
    const { calls: migrated } = await recordCalls(() => migrate());
    expect(await withoutModel()).toEqual(before);
    const calls = [...migrated, ...(await fenceBehind(migrated, undefined))];
    expect(await status()).toEqual({ version: newestVersion(), items: 0 });
    expect([...usesOf(calls)].sort()).toEqual([...rightsIn(accessOf(migrations))].sort());
  });

  it.each([
    ["fails", () => connectionReset()],
    ["has its answer lost", () => "lose the answer" as const],
  ])(
    // The reads before a write leave the table as they find it.
    "continues where it was killed, at whichever write, which %s",
    async (_, fault) => {
      for (let write = 1, isKilled = true; isKilled; write++) {
        await anOldSite();
        isKilled = await cutAt(write, migrate, fault, isWrite);
        expect(isKilled || write > 15).toBe(true);
        await migrate();
        expect(await withoutModel()).toEqual(before);
      }
    },
    240_000,
  );

  it("completes once when two runners carry it out side by side", async () => {
    await anOldSite();
    await Promise.all([migrate(), migrate()]);
    expect(await withoutModel()).toEqual(before);
  });

  it("leaves rows of a post that does not parse", async () => {
    const {
      posts: [first],
    } = await anOldSite();
    const postId = first?.postId ?? "";
    await transact({ broken: setFields(key.post(postId), { boardId: 7 }) });
    await migrate();
    expect((await withoutModel()).some(({ pk, sk }) => pk === "LIST#STATUS#a" && sk === postId)).toBe(false);
    await transact({ repaired: setFields(key.post(postId), { boardId: first?.boardId }) });
  });

  const requests: Record<string, (site: Site) => Promise<unknown>> = {
    "creates posts": async ({ member, boards: [board] }) =>
      success(await portal.post({ title: "New", boardId: board?.boardId }, member), 201),
    "deletes posts": async ({ owner, posts: made }) => {
      for (const post of made.slice(0, 3)) success(await portal.deletePost(post, owner), 204);
    },
    "changes statuses": async ({ owner, posts: made }) => {
      for (const post of made) success(await portal.setStatus(post, { status: "completed" }, owner), 200);
    },
    "takes statuses back": async ({ owner, posts: made }) => {
      for (const post of made) success(await portal.setStatus(post, { status: "open" }, owner), 200);
    },
    "moves posts": async ({ owner, posts: made, boards: [, other] }) => {
      for (const post of made) {
        success(await portal.changePost(post, { boardId: other?.boardId, roadmapId: null }, owner), 200);
      }
    },
    "votes and takes votes back": async ({ owner, member, posts: made }) => {
      for (const post of made) success(await portal.vote(post, member), 201);
      for (const post of made) success(await portal.unvote(post, owner), 200);
      for (const post of made) await derive(post.postId);
    },
    "renames a voter": async ({ owner }) => {
      success(await portal.rename("Grace Hopper", owner), 200);
      await portal.finishRenames();
    },
    "deletes a board": async ({ boards: [board] }) => {
      await boards.remove(board as boards.BoardRecord);
      await carryOutAll(sweep);
    },
    "lists posts": async ({ owner, boards: [board], roadmapId }) => {
      for (const sort of ["newest", "oldest", "top", "trending"]) {
        for (const filter of [{}, { status: "open" }, { boardId: board?.boardId }, { roadmapId, status: "planned" }]) {
          await portal.page({ sort, first: 2, ...filter }, owner);
          await portal.page({ sort, page: 2, limit: 1, ...filter }, owner);
        }
      }
    },
  };

  function nthTransaction(number: number): (attempt: Attempt) => boolean {
    let seen = 0;
    return (attempt) => isTransaction(attempt) && ++seen === number;
  }

  // The migration of this site has some twenty transactions: each is met by two of the requests.
  const momentsOf = (request: number) => [1, 6, 11, 16].map((first) => first + (request % 5));

  it.each(Object.entries(requests).map(([title, request], at) => ({ title, request, moments: momentsOf(at) })))(
    "loses nothing where a request $title right before a write",
    async ({ request, moments }) => {
      for (const number of moments) {
        const site = await anOldSite();
        await overtaken(migrate, () => request(site), nthTransaction(number));
        await settle(site);
      }
    },
    120_000,
  );

  /** Carries out the background work; then the table is sound. */
  async function settle(site: Site): Promise<void> {
    const known = site.posts.map(({ postId }) => postId);
    for (const postId of new Set([...known, ...(await allIds())])) await derive(postId);
    await carryOutAll(sweep);
    await expectRanked();
    expect(await status()).toEqual({ version: newestVersion(), items: 0 });
  }

  async function allIds(): Promise<string[]> {
    return (await scan()).filter(({ pk, sk }) => pk === "POSTS" && !sk.includes("#")).map(({ sk }) => sk);
  }
});
