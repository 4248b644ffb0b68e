import { LONGEST_TEXT } from "../../support/world/worst-calls.ts";
import type { Site } from "./site.ts";

/** An attacker beside twenty people. */
export type Attacker = {
  title: string;
  /** Among which of them the calls of the service are spread, at random. */
  containers: number;
  /** Milliseconds between two attacks. */
  every: number;
  /** Among how many containers `npm test` also meets them: the others take longer. */
  containersInTests?: number;
  /** Starts calls, and does not wait for their answers. */
  attack(site: Site, round: number): void;
};

const HOME = "203.0.113.66";

const lists =
  (sourceIpOf: (round: number) => string): Attacker["attack"] =>
  ({ world }, round) => {
    void world.call("posts-list", { sourceIp: sourceIpOf(round), body: { limit: 50 } });
  };

/** An address of a home that has 256 networks of IPv6, a /56. */
function inAHome(round: number): string {
  return `2001:db8:0:${(round % 256).toString(16)}::1`;
}

function attackerOf({ attackers }: Site, round: number) {
  return attackers[round % attackers.length] as Site["attackers"][number];
}

function newTitle(round: number): string {
  return `one two three four five six seven ${round}`;
}

/** Dear reads, changed titles of long posts, and calls without a token to a route of the team. */
const everything: Attacker["attack"] = (site, round) => {
  const { post, ...attacker } = attackerOf(site, round);
  const { sourceIp } = attacker;
  void site.world.call("posts-list", { sourceIp, body: { limit: 50 } });
  void site.world.call("posts-update", { ...attacker, body: { id: post.postId, title: newTitle(round) } });
  void site.world.call("users-list", { sourceIp });
};

const talk: Attacker["attack"] = (site, round) => {
  const { post, ...attacker } = attackerOf(site, round);
  const body = { body: LONGEST_TEXT.slice(0, 5000) };
  void site.world.call("comments-create", { ...attacker, params: { postId: post.postId }, body });
  void site.world.call("posts-search", { ...attacker, body: { query: "large", first: 50 } });
};

const everywhere: Attacker["attack"] = ({ world, attackers: [attacker] }, round) => {
  if (!attacker) return;
  const { token, post } = attacker;
  const sourceIp = `192.0.2.${round % 256}`;
  void world.call("posts-update", { token, sourceIp, body: { id: post.postId, title: newTitle(round) } });
};

const listsAtOnce: Attacker["attack"] = ({ world }) => {
  for (let n = 0; n < 60; n++) void world.call("posts-list", { sourceIp: HOME, body: { limit: 50 } });
};

const fromHome = lists(() => HOME);
const fromNetworksOfAHome = lists(inAHome);

const EVERYTHING = "lists, titles, calls to the team's routes, 10 a second each";
const TALK = "long comments and searches, 10 a second each";
const TITLES = "titles of one account from 256 addresses, 10 a second";
const HOMES = "lists of 50 from the 256 networks of a home";

export const attackers: Attacker[] = [
  { title: EVERYTHING, containers: 6, every: 100, attack: everything },
  { title: EVERYTHING, containers: 60, every: 100, attack: everything },
  { title: TALK, containers: 6, every: 100, attack: talk },
  { title: TALK, containers: 60, every: 100, attack: talk },
  { title: "lists of 50, 20 a second", containers: 6, every: 50, attack: fromHome },
  { title: "lists of 50, 20 a second", containers: 60, every: 50, attack: fromHome },
  { title: "lists of 50, 5 a second", containers: 60, every: 200, containersInTests: 12, attack: fromHome },
  { title: "60 lists of 50 in parallel, each ten seconds", containers: 60, every: 10_000, attack: listsAtOnce },
  { title: TITLES, containers: 6, every: 100, attack: everywhere },
  { title: TITLES, containers: 60, every: 100, attack: everywhere },
  { title: `${HOMES}, 4 a second`, containers: 20, every: 250, attack: fromNetworksOfAHome },
  { title: `${HOMES}, 10 a second`, containers: 6, every: 100, containersInTests: 6, attack: fromNetworksOfAHome },
  { title: `${HOMES}, 20 a second`, containers: 60, every: 50, attack: fromNetworksOfAHome },
];
