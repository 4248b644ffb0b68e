import { beforeAll, describe, expect, it } from "vitest";
import type { Program } from "../simulator/scheduler/program.ts";
import type { Request } from "../support/http/invoke.ts";
import { LONGEST_TEXT } from "../support/world/worst-calls.ts";
import { bundleService } from "./program.ts";
import { World } from "./world/world.ts";

// One network does its worst for some seconds, beside twenty people with networks of their own. The table throttles at
// the stack's maximum. Time is virtual and the seed fixed, so other load on the machine changes nothing.

const PEOPLE = 20;
const SECONDS = 4;
// Three windows of a network: what misses an answer does so in the first second of one.
const ROUNDS = 6;
const PASSWORD = "correct horse battery staple";

let program: Program;
beforeAll(async () => {
  program = await bundleService();
});

function aWorld(limits: "on" | "off"): World {
  const environments = Array.from({ length: 6 }, () => ({ RATE_LIMITS: limits }));
  const clockErrors = environments.map(() => 0);
  return new World({ seed: 1, program, environments, clockErrors, maxUnits: { read: 1500, write: 750 } });
}

async function aSite(world: World) {
  const signUp = async (number: number, sourceIp: string) => {
    const body = { email: `user.${number}@example.com`, password: PASSWORD, name: `User ${number}` };
    const { user } = await world.must("auth-sign-up", { body, sourceIp });
    return { token: user?.authToken ?? "", sourceIp };
  };
  const owner = { email: "owner@example.com", password: PASSWORD, name: "Owner", siteName: "Site" };
  const { user } = await world.must("auth-set-up", { body: owner });
  const { board } = await world.must("boards-create", { token: user?.authToken, body: { name: "Small" } });
  const boardId = board?.boardId;
  const people: { token: string; sourceIp: string; post: Record<string, string> }[] = [];
  for (let n = 0; n < PEOPLE; n++) {
    const person = await signUp(n, `198.51.100.${n}`);
    const { post = {} } = await world.must("posts-create", { ...person, body: { title: `Small ${n}`, boardId } });
    await world.must("posts-create", { ...person, body: { title: `Large ${n}`, contentMarkdown: LONGEST_TEXT } });
    await world.sleep(1000);
    people.push({ ...person, post });
  }
  const attackers: { token: string; sourceIp: string; id: string | undefined }[] = [];
  for (let n = 0; n < 3; n++) {
    const attacker = await signUp(100 + n, "203.0.113.66");
    const { post } = await world.must("posts-create", {
      ...attacker,
      body: { title: "Mine", contentMarkdown: LONGEST_TEXT },
    });
    attackers.push({ ...attacker, id: post?.postId });
    await world.sleep(1000);
  }
  await world.sleep(60_000);
  return { world, people, attackers, boardId };
}

type Site = Awaited<ReturnType<typeof aSite>>;

/** The people's result: the share of answered calls, and the median time of an answer. */
async function useOf({ world, people, boardId }: Site, rounds = 1): Promise<{ answered: number; median: number }> {
  const calls: { status: number; took: number }[] = [];
  const call = async (name: string, request: Request) => {
    const at = world.scheduler.now;
    const { status } = await world.call(name, request);
    calls.push({ status, took: world.scheduler.now - at });
  };
  const live = async ({ post, ...person }: Site["people"][number], number: number) => {
    await world.sleep(number * 100);
    for (let round = 0; round < rounds; round++) {
      await call("posts-list", { ...person, body: { boardId } });
      await call("settings-site", person);
      await world.sleep((SECONDS / 2) * 1000);
      await call("posts-by-slug", { ...person, body: { slug: post.slug } });
      const { post: other } = people[(number + 1) % PEOPLE] as Site["people"][number];
      await call("votes-add", { ...person, body: { postId: other.postId } });
      await world.sleep((SECONDS / 2) * 1000);
      await call("votes-remove", { ...person, body: { postId: other.postId } });
    }
  };
  await Promise.all(people.map(live));
  const times = calls.map(({ took }) => took).sort((a, b) => a - b);
  const answered = calls.filter(({ status }) => status < 500 && status !== 429).length / calls.length;
  return { answered, median: times[Math.floor(times.length / 2)] ?? 0 };
}

/** Dear reads, changed titles of large posts, and calls without a token to routes of the team, while others work. */
async function attack({ world, attackers }: Site, isOver: () => boolean): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    const { id, ...attacker } = attackers[round % 3] as Site["attackers"][number];
    void world.call("posts-list", { sourceIp: attacker.sourceIp, body: { limit: 50 } });
    void world.call("posts-update", { ...attacker, body: { id, title: `one two three four five six seven ${round}` } });
    void world.call("users-list", { sourceIp: attacker.sourceIp });
    await world.sleep(50);
  }
}

/** The people's result during the attack. */
async function underAttack(site: Site, rounds = 1) {
  let isOver = false;
  const attacking = attack(site, () => isOver);
  const use = await useOf(site, rounds);
  isOver = true;
  await attacking;
  return use;
}

function onASite<T>(limits: "on" | "off", work: (site: Site) => Promise<T>): Promise<T> {
  const world = aWorld(limits);
  return world.complete(aSite(world).then(work));
}

describe("Twenty people beside one network that does what it can", () => {
  it("get their answers, within twice the time", async () => {
    const { alone, beside } = await onASite("on", async (site) => ({
      alone: await useOf(site),
      beside: await underAttack(site, ROUNDS),
    }));
    expect(alone.answered).toBe(1);
    expect(beside.answered).toBeGreaterThanOrEqual(0.99);
    expect(beside.median).toBeLessThanOrEqual(2 * alone.median);
  });

  it("would miss many answers without limits", async () => {
    expect((await onASite("off", underAttack)).answered).toBeLessThan(0.9);
  });
});
