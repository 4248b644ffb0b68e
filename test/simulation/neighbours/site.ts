import type { Program } from "../../simulator/scheduler/program.ts";
import type { Request } from "../../support/http/invoke.ts";
import { LONGEST_TEXT } from "../../support/world/worst-calls.ts";
import { World } from "../world/world.ts";

// A site with twenty people, each in a network of their own, and what they notice of a neighbour. The table throttles
// at the stack's maximum. Time is virtual and the seed fixed, so other load on the machine changes nothing.

const PEOPLE = 20;
const ACCOUNTS_OF_ATTACKER = 3;
/** With them each post of a list of fifty has the longest text. */
const POSTS_OF_ATTACKER = 10;
const ATTACKERS_ADDRESS = "203.0.113.66";
const PASSWORD = "correct horse battery staple";

/** How long a person's round of five calls takes. */
const ROUND_MS = 4000;

type Person = { token: string; sourceIp: string; post: { postId: string; slug: string } };

export type Site = {
  world: World;
  people: Person[];
  /** Accounts of one person, who has a long post with each. */
  attackers: Person[];
  boardId: string;
};

/** What people notice: the share of their calls that were answered, and how long an answer took, in milliseconds. */
export type Experience = { calls: number; answered: number; median: number; slowest: number; failed: string[] };

type Options = { program: Program; containers: number; limits?: "on" | "off"; seed?: number };

/** Makes a site, and hands it over once all background work of its making is done. */
export function onASite<T>(options: Options, work: (site: Site) => Promise<T>): Promise<T> {
  const { program, containers, limits = "on", seed = 1 } = options;
  const environments = Array.from({ length: containers }, () => ({ RATE_LIMITS: limits }));
  const clockErrors = environments.map(() => 0);
  const world = new World({ seed, program, environments, clockErrors, maxUnits: { read: 1500, write: 750 } });
  return world.complete(aSite(world).then(work));
}

async function aSite(world: World): Promise<Site> {
  const signUp = async (number: number, sourceIp: string) => {
    const body = { email: `user.${number}@example.com`, password: PASSWORD, name: `User ${number}` };
    const { user } = await world.must("auth-sign-up", { body, sourceIp });
    return { token: user.authToken, sourceIp };
  };
  const owner = { email: "owner@example.com", password: PASSWORD, name: "Owner", siteName: "Site" };
  const { user } = await world.must("auth-set-up", { body: owner });
  const { board } = await world.must("boards-create", { token: user.authToken, body: { name: "Small" } });
  const { boardId } = board;
  const people: Person[] = [];
  for (let n = 0; n < PEOPLE; n++) {
    const person = await signUp(n, `198.51.100.${n}`);
    const { post } = await world.must("posts-create", { ...person, body: { title: `Small ${n}`, boardId } });
    await world.must("posts-create", { ...person, body: { title: `Large ${n}`, contentMarkdown: LONGEST_TEXT } });
    await world.sleep(1000);
    people.push({ ...person, post });
  }
  const attackers: Person[] = [];
  for (let n = 0; n < ACCOUNTS_OF_ATTACKER; n++) {
    const attacker = await signUp(100 + n, ATTACKERS_ADDRESS);
    const body = { title: "Mine", contentMarkdown: LONGEST_TEXT };
    let post: Person["post"] | undefined;
    for (let made = 0; made < POSTS_OF_ATTACKER; made++) {
      ({ post } = await world.must("posts-create", { ...attacker, body }));
      await world.sleep(5000);
    }
    if (post) attackers.push({ ...attacker, post });
  }
  await world.sleep(60_000);
  return { world, people, attackers, boardId };
}

/** Makes calls of people, and keeps how they went. */
export class Calls {
  readonly #world: World;
  readonly #done: { name: string; status: number; took: number }[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  async make(name: string, request: Request): Promise<void> {
    const at = this.#world.scheduler.now;
    const { status } = await this.#world.call(name, request);
    this.#done.push({ name, status, took: this.#world.scheduler.now - at });
  }

  experience(): Experience {
    const times = this.#done.map(({ took }) => took).sort((a, b) => a - b);
    const missed = this.#done.filter(({ status }) => status >= 500 || status === 429);
    const timeAt = (share: number) => times[Math.floor(times.length * share)] ?? 0;
    return {
      calls: this.#done.length,
      answered: 1 - missed.length / this.#done.length,
      median: timeAt(0.5),
      slowest: timeAt(0.99),
      failed: [...new Set(missed.map(({ name, status }) => `${name} ${status}`))],
    };
  }
}

/** The people read, vote and take their votes back, for some rounds. */
export async function useOf({ world, people, boardId }: Site, rounds: number): Promise<Experience> {
  const calls = new Calls(world);
  const live = async ({ post, ...person }: Person, number: number) => {
    await world.sleep(number * 100);
    for (let round = 0; round < rounds; round++) {
      await calls.make("posts-list", { ...person, body: { boardId } });
      await calls.make("settings-site", person);
      await world.sleep(ROUND_MS / 2);
      await calls.make("posts-by-slug", { ...person, body: { slug: post.slug } });
      const { post: other } = people[(number + 1) % PEOPLE] as Person;
      await calls.make("votes-add", { ...person, body: { postId: other.postId } });
      await world.sleep(ROUND_MS / 2);
      await calls.make("votes-remove", { ...person, body: { postId: other.postId } });
    }
  };
  await Promise.all(people.map(live));
  return calls.experience();
}
