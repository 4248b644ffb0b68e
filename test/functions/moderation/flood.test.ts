import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { invoke, type Reply, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { costOf, measured } from "../../support/store/calls.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { aMember, aPost, type Person } from "../../support/world/fixtures.ts";
import { aHeldPost, aReport } from "../../support/world/held.ts";
import { worstOf } from "../../support/world/worst-calls.ts";

// Many accounts report many things: the team still finds all that is in the queue, and decides it. REPORTED=2000 makes
// a longer one.

const REPORTED = Number(process.env.REPORTED ?? 45);
const A_PAGE = 20;
/** The most that reports from one network bring into the queue in an hour, and an account in a minute. */
const OF_NETWORK = 80;
const OF_ACCOUNT = 6;
const HOUR_MS = 3_600_000;
const NETWORK = "198.51.100.7";
const ANOTHER = "203.0.113.9";

let world: World;

beforeEach(async () => {
  await freshTable();
  world = await aWorld();
});

function postsBy(author: Person, n: number) {
  return Promise.all(Array.from({ length: n }, () => aPost(author)));
}

type Named = { postId: string };

function report(by: Person, { postId }: Named, sourceIp = NETWORK): Promise<Reply> {
  return invoke("posts-report", { token: by.token, params: { postId }, body: { reason: "Spam." }, sourceIp });
}

type Row = { id: string; entry: string; reports: { count: number; first: unknown[] } | null };

async function page(after?: string): Promise<{ rows: Row[]; next: string | undefined; reads: number }> {
  const request = { token: world.moderator.token, query: { ...(after && { after }) } };
  const { status, body, calls } = await measured(() => invoke("moderation-list", request));
  expect(status).toBe(200);
  const { results, page_info } = body;
  const next = page_info.has_next_page ? page_info.end_cursor : undefined;
  return { rows: results, next, reads: costOf(calls).readUnits };
}

async function pages(): Promise<Awaited<ReturnType<typeof page>>[]> {
  const read = [await page()];
  for (let next = read[0]?.next; next; next = read.at(-1)?.next) read.push(await page(next));
  return read;
}

/** The units of a network and an account are counted in ten seconds. */
function passSeconds(): void {
  vi.setSystemTime(Date.now() + 10_000);
}

describe("A flood of reports", () => {
  it("brings few things into the queue from one network, in the order of their age among the others", async () => {
    // No hour ends while the test runs.
    vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / HOUR_MS) * HOUR_MS });
    newContainer({ RATE_LIMITS: "on" });
    onTestFinished(() => {
      vi.useRealTimers();
      newContainer({ RATE_LIMITS: "off" });
    });
    const first = await aHeldPost(await aMember());
    const old = await postsBy(world.author, OF_NETWORK + 2 * OF_ACCOUNT);
    const last = await aHeldPost(await aMember());
    const replies: Reply[] = [];
    for (let at = 0; at < old.length; at += OF_ACCOUNT) {
      passSeconds();
      const by = await aMember();
      for (const post of old.slice(at, at + OF_ACCOUNT)) replies.push(await report(by, post));
    }
    expect(tally(replies)).toEqual({ 204: OF_NETWORK, "429 TOO_MANY_REQUESTS": old.length - OF_NETWORK });
    // Another report of a thing in the queue brings nothing into it, and other networks have shares of their own.
    const waiting = old[0] as Named;
    const further = old.at(-1) as Named;
    success(await report(await aMember(), waiting), 204);
    expect((await report(await aMember(), further)).status).toBe(429);
    success(await report(await aMember(), further, ANOTHER), 204);

    const read = await pages();
    const rows = read.flatMap((each) => each.rows);
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort());
    expect(rows[0]?.id).toBe(first.id);
    expect(rows.at(-1)?.id).toBe(last.id);
    expect(rows).toHaveLength(OF_NETWORK + 3);
    for (const { reads } of read) expect(reads).toBeLessThanOrEqual(worstOf("moderation-list").reads);
    // Within the limit of one moderator all of it is decided, a call for each page.
    for (const { rows } of read) {
      passSeconds();
      const reply = portal.decide(
        "approve",
        rows.map(({ id }) => id),
        world.moderator,
        rows.map(({ entry }) => entry),
      );
      const { results } = success(await reply, 200);
      expect(results.map(({ outcome }: { outcome: string }) => outcome)).not.toContain("already_decided");
    }
    expect((await page()).rows).toEqual([]);
    await expectSound();
  });

  it("about one thing is one entry, with five reports that are told", async () => {
    const post = await aPost(world.author);
    const people = await Promise.all(Array.from({ length: 24 }, () => aMember()));
    await aReport(post, world.member);
    const entry = (await page()).rows[0]?.entry;
    const replies = await Promise.all(people.map((by) => report(by, post)));
    expect(tally(replies)).toEqual({ 204: people.length });
    expect((await page()).rows).toMatchObject([{ id: post.postId, entry, reports: { count: people.length + 1 } }]);
    expect((await page()).rows[0]?.reports?.first).toHaveLength(5);
  });

  it("does not make a page of the queue dearer, however many things and reports there are", async () => {
    const posts = await postsBy(world.author, REPORTED);
    const people = await Promise.all(Array.from({ length: 7 }, () => aMember()));
    const reported = async (by: readonly Person[], some: typeof posts) => {
      for (const person of by) for (const post of some) await aReport(post, person, "x".repeat(300));
    };
    await reported(people.slice(0, 5), posts.slice(0, A_PAGE + 1));
    const before = await page();
    await reported(people.slice(5), posts.slice(0, A_PAGE));
    await reported(people.slice(0, 5), posts.slice(A_PAGE + 1));
    const after = await page();
    expect(after.rows.map(({ id }) => id)).toEqual(before.rows.map(({ id }) => id));
    expect(after.rows.every(({ reports }) => reports?.count === people.length)).toBe(true);
    expect(after.reads).toBe(before.reads);
    const read = await pages();
    expect(read).toHaveLength(Math.ceil(REPORTED / A_PAGE));
    expect(Math.max(...read.map(({ reads }) => reads))).toBeLessThanOrEqual(before.reads);
  });
});
