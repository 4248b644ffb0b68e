import { beforeAll, describe, expect, it } from "vitest";
import { findingsIn } from "../../infra/operator/check-table/check.ts";
import { plainItem } from "../simulator/model/values.ts";
import type { Program } from "../simulator/scheduler/program.ts";
import { recordsOf } from "../support/http/background.ts";
import { bundleService } from "./program.ts";
import { type Call, type Exchange, type Member, summaryOf, WARM, type World, worldOf } from "./rush/rush.ts";

// A rush of votes on one post, in a store that locks the items of a transaction for 10 to 20 ms. Times are virtual: they depend on
// the seed alone.

let program: Program;

beforeAll(async () => {
  program = await bundleService();
});

function aWorld(seed: number): Promise<World> {
  return worldOf({ seed, program, throughput: WARM });
}

function membersOf({ aMember }: World, count: number): Promise<Member[]> {
  return Promise.all(Array.from({ length: count }, () => aMember()));
}

function votersIn({ reply }: Exchange) {
  return reply.body.voters as {
    votesCount: number;
    viewerVote: { userId: string } | null;
    votes: { userId: string }[];
  };
}

function isVote({ name }: Exchange): boolean {
  return name === "votes-add";
}

/**
 * Checks each answer against all others: its count is that of the votes which were cast for sure when it was asked for, plus or minus
 * some of those that were under way.
 */
function expectExact(exchanges: Exchange[]): void {
  for (const exchange of exchanges) {
    const { votesCount, viewerVote } = votersIn(exchange);
    const before = exchanges.filter(({ answeredAt }) => answeredAt <= exchange.sentAt);
    const begun = exchanges.filter(({ sentAt }) => sentAt < exchange.answeredAt);
    const cast = (some: Exchange[]): number => some.filter(isVote).length;
    const takenBack = (some: Exchange[]): number => some.length - cast(some);
    expect(votesCount).toBeGreaterThanOrEqual(cast(before) - takenBack(begun));
    expect(votesCount).toBeLessThanOrEqual(cast(begun) - takenBack(before));
    expect(viewerVote?.userId).toBe(isVote(exchange) ? exchange.member.userId : undefined);
  }
}

/** What the checker finds of votes; the accounts of this world are no whole ones. */
function findings(world: World): string[] {
  return findingsIn(world.items() as never)
    .filter(({ at }) => /^(POSTS|VOTES|HOT)|VOTE#/.test(at))
    .map(({ at, problem }) => `${at} ${problem}`);
}

function hotness({ table, postId }: World): unknown {
  const voters = table.get({ partition: "POSTS", sort: `${postId}#VOTERS` });
  return voters && plainItem(voters.item).hot;
}

describe("A rush on one post", () => {
  it("of 500 votes and unvotes a second: no 503, p99 below a second, and each answer is exact", async () => {
    const world = await aWorld(1);
    const members = await membersOf(world, 150);
    const gone = new Set<string>();
    const exchanges = await world.rush(500, 0.3, (at, answered): Call => {
      const request = { body: { postId: world.postId } };
      const leaver = at % 6 === 0 ? answered.find((each) => isVote(each) && !gone.has(each.member.userId)) : undefined;
      if (!leaver) return { name: "votes-add", member: members[at] as Member, request };
      gone.add(leaver.member.userId);
      return { name: "votes-remove", member: leaver.member, request };
    });
    const { p99, statuses } = summaryOf(exchanges);
    expect(Object.keys(statuses).sort()).toEqual(["200", "201"]);
    expect(p99).toBeLessThan(1000);
    expect(gone.size).toBeGreaterThan(10);
    expect(hotness(world)).toBe(true);
    expectExact(exchanges);
    expect(findings(world)).toEqual([]);
  });

  it("in which the post is deleted: no vote is cast afterwards, and nothing of them is left", async () => {
    const world = await aWorld(2);
    const members = await membersOf(world, 120);
    const { postId, owner } = world;
    const exchanges = await world.rush(300, 0.4, (at): Call => {
      if (at === 75) return { name: "posts-delete", member: owner, request: { body: { id: postId } } };
      return { name: "votes-add", member: members[at] as Member, request: { body: { postId } } };
    });
    const deletion = exchanges[75] as Exchange;
    expect(deletion.reply.status).toBe(204);
    for (const { sentAt, answeredAt, reply } of exchanges.filter(isVote)) {
      if (sentAt > deletion.answeredAt) expect(reply.status).toBe(404);
      else expect([201, 404]).toContain(reply.status);
      if (answeredAt < deletion.sentAt) expect(reply.status).toBe(201);
    }
    expect(world.table.get({ partition: "DELETED", sort: postId })?.item.epoch).toEqual({ N: "1" });
    await world.complete(world.keep(recordsOf([{ pk: "DELETED", sk: postId }])));
    const left = world.items().filter(({ pk, sk }) => `${pk} ${sk}`.includes(postId) && pk !== "HOT");
    expect(left.every((item) => "closed" in item)).toBe(true);
    expect(findings(world)).toEqual([]);
  });
});

it.for([1, 9])("A burst of votes and unvotes of one account makes no post hot: seed %i", async (seed) => {
  const world = await aWorld(seed);
  const [one, ...others] = await membersOf(world, 7);
  const request = { body: { postId: world.postId } };
  const names = ["votes-add", "votes-remove"] as const;
  await world.rush(10, 0.6, (at) => ({ name: names[0], member: others[at] as Member, request }));
  const exchanges = await world.rush(100, 0.6, (at) => ({
    name: names[at % 2] as string,
    member: one as Member,
    request,
  }));
  expect(Object.keys(summaryOf(exchanges).statuses).sort()).toEqual(["200", "201", "409"]);
  expect(hotness(world)).toBeUndefined();
  expect(findings(world)).toEqual([]);
});
