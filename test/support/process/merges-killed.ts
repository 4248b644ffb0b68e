import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Random, random } from "../world/random.ts";
import { call, engineOf, eventually, type RunningServer } from "./server-process.ts";

// A post is merged into another one and taken out again, round after round, while people vote and take votes back and
// the processes of `npm start` are killed. After each half of a round, each person has exactly the votes of history.

/** Whether a person's vote counts for the duplicate, and whether for the other post, once they are parted. */
type Own = { here: boolean; there: boolean };

type Site = {
  folder: string;
  start: () => Promise<RunningServer>;
  server: RunningServer;
  owner: string;
  duplicate: string;
  target: string;
  people: Map<string, Own>;
  /** Chooses voters and posts at random. */
  dice: Random;
  /** Chooses which processes are killed, and when. It is not `dice`: votes and kills choose at the same time. */
  fate: Random;
};

const PEOPLE = 50;

// Longer than most slices take, shorter than a move.
const LONGEST_LIFE_MS = 1500;

// A call during a kill gets no answer, and is sent again.
const MOST_ATTEMPTS = 200;

/** Sends a request until it gets an answer below 500; the server may be killed meanwhile. */
async function ask(
  site: Site,
  method: string,
  path: string,
  { body, codes = [] }: { body?: object; codes?: string[] } = {},
) {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const answer = await call(site.server.baseUrl, method, path, { token: site.owner, body }).catch(() => undefined);
    if (answer && answer.status < 300) return answer.body;
    if (answer && answer.status < 500) {
      expect(codes, `${method} ${path}: ${answer.status}`).toContain(answer.body.code);
      return answer.body;
    }
    await sleep(100);
  }
  throw new Error(`${method} ${path} got no answer`);
}

async function kill({ folder, server, fate }: Site): Promise<void> {
  const withEngine = fate.below(10) < 7;
  if (withEngine) process.kill(engineOf(folder).pid, "SIGKILL");
  process.kill(server.pid, "SIGKILL");
  await server.ended;
}

async function votersOf(site: Site, postId: string): Promise<string[]> {
  const { votes } = await ask(site, "GET", `/posts/${postId}/votes?first=100`);
  return votes.results.map(({ user }: { user: { userId: string } }) => user.userId).sort();
}

function isMoved(site: Site, postId: string): Promise<void> {
  return eventually(async () => {
    const { votes } = await ask(site, "GET", `/posts/${postId}/merge`);
    expect(votes).toBe("moved");
  });
}

function namesOf({ people }: Site, has: (own: Own) => boolean): string[] {
  return [...people].flatMap(([userId, own]) => (has(own) ? [userId] : [])).sort();
}

/** A person votes or takes the votes back; only what has one outcome, whether or not a vote has moved already. */
async function act(site: Site, isMerged: boolean): Promise<void> {
  const [userId, own] = site.dice.oneOf([...site.people]);
  const hasNone = !own.here && !own.there;
  const postId = isMerged && site.dice.below(2) === 0 ? site.duplicate : site.target;
  if (hasNone) {
    await ask(site, "POST", `/posts/${postId}/votes/${userId}`, { codes: ["VOTE_EXISTS"] });
    site.people.set(userId, { here: false, there: true });
  } else if (isMerged) {
    await ask(site, "DELETE", `/posts/${postId}/votes/${userId}`);
    site.people.set(userId, { here: false, there: false });
  } else {
    await ask(site, "DELETE", `/posts/${site.duplicate}/votes/${userId}`);
    site.people.set(userId, { ...own, here: false });
  }
}

/** Lets people act while the processes are killed and started again. */
async function underKills(site: Site, isMerged: boolean, kills: number): Promise<void> {
  let isOver = false;
  const acting = async (): Promise<void> => {
    while (!isOver) {
      await act(site, isMerged);
      await sleep(50);
    }
  };
  const killing = async (): Promise<void> => {
    for (let n = 0; n < kills; n++) {
      await sleep(site.fate.below(LONGEST_LIFE_MS));
      await kill(site);
      site.server = await site.start();
    }
  };
  await Promise.all([
    acting(),
    killing().finally(() => {
      isOver = true;
    }),
  ]);
}

/** Some vote on the duplicate, some on the other post, some on both. */
async function voteAnew(site: Site): Promise<void> {
  for (const [userId, own] of site.people) {
    if (own.here || own.there) continue;
    const choice = site.dice.oneOf<Own>([
      { here: true, there: false },
      { here: false, there: true },
      { here: true, there: true },
    ]);
    if (choice.here) await ask(site, "POST", `/posts/${site.duplicate}/votes/${userId}`);
    if (choice.there) await ask(site, "POST", `/posts/${site.target}/votes/${userId}`);
    site.people.set(userId, choice);
  }
}

async function round(site: Site, kills: number): Promise<void> {
  const { duplicate, target } = site;
  await voteAnew(site);
  await ask(site, "POST", `/posts/${duplicate}/merge`, { body: { into: target } });
  await underKills(site, true, kills);
  await isMoved(site, target);
  expect(await votersOf(site, target)).toEqual(namesOf(site, ({ here, there }) => here || there));
  await ask(site, "DELETE", `/posts/${duplicate}/merge`);
  await underKills(site, false, kills);
  await isMoved(site, duplicate);
  expect(await votersOf(site, duplicate)).toEqual(namesOf(site, ({ here }) => here));
  expect(await votersOf(site, target)).toEqual(namesOf(site, ({ there }) => there));
}

/**
 * Merges and parts two posts under this many kills, two and two in each half of a round. SEED=<number> repeats what was
 * drawn, but a kill may meet another call. Returns the last server.
 */
export async function mergeUnderKills(
  { folder, start }: Pick<Site, "folder" | "start">,
  server: RunningServer,
  kills: number,
): Promise<RunningServer> {
  const account = { email: "olga@example.com", password: "correct horse", name: "Olga" };
  const setUp = await call(server.baseUrl, "POST", "/auth/setup", { body: account });
  const owner: string = setUp.body.user.authToken;
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  const drawn = { dice: random(seed), fate: random(seed + 1) };
  const site: Site = { folder, start, server, owner, duplicate: "", target: "", people: new Map(), ...drawn };
  const aPost = async (title: string): Promise<string> =>
    (await ask(site, "POST", "/posts", { body: { title } })).post.postId;
  site.duplicate = await aPost("Dark mode, please");
  site.target = await aPost("A dark mode");
  for (let n = 0; n < PEOPLE; n++) {
    const { user } = await ask(site, "POST", "/users", { body: { email: `voter-${n}@example.com` } });
    site.people.set(user.userId, { here: false, there: false });
  }
  for (let done = 0; done < kills; done += 4) {
    await round(site, 2).catch((cause) => {
      throw new Error(`SEED=${seed}: ${cause.message}`, { cause });
    });
    if (kills > 4) console.log(`${new Date().toISOString()} ${done + 4} kills`);
  }
  return site.server;
}
