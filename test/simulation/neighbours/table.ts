import type { Program } from "../../simulator/scheduler/program.ts";
import { LONGEST_TEXT } from "../../support/world/worst-calls.ts";
import { type Attacker, attackers } from "./attackers.ts";
import { Calls, type Experience, onASite, type Site, useOf } from "./site.ts";

/** Six windows of a network, at least: what misses an answer does so in the first second of one. */
const ROUNDS = 6;

export type Row = { title: string; containers: number; alone: Experience; beside: Experience };

/** What people notice during an attack. */
export async function besides({ every, attack }: Attacker, site: Site, rounds: number): Promise<Experience> {
  let isOver = false;
  const attacking = (async () => {
    for (let round = 0; !isOver; round++) {
      attack(site, round);
      await site.world.sleep(every);
    }
  })();
  const experience = await useOf(site, rounds);
  isOver = true;
  await attacking;
  return experience;
}

/** What people notice alone, and then beside an attacker. */
export function rowOf(attacker: Attacker, program: Program, { seed = 1, rounds = ROUNDS } = {}): Promise<Row> {
  const { title, containers } = attacker;
  return onASite({ program, containers, seed }, async (site) => ({
    title,
    containers,
    alone: await useOf(site, 1),
    beside: await besides(attacker, site, rounds),
  }));
}

/** What visitors of 200 networks notice of a front page of long posts, as often as its route admits. */
export function frontPage(program: Program, seed = 1): Promise<Row> {
  return onASite({ program, containers: 6, seed }, async (site) => {
    const { world, attackers: authors } = site;
    const alone = await useOf(site, 1);
    const [{ token, sourceIp } = { token: "", sourceIp: "" }] = authors;
    for (let n = 0; n < 10; n++) {
      await world.must("posts-create", {
        token,
        sourceIp,
        body: { title: `Long ${n}`, contentMarkdown: LONGEST_TEXT },
      });
      await world.sleep(10_000);
    }
    const calls = new Calls(world);
    const visits: Promise<void>[] = [];
    for (let n = 0; n < 300; n++) {
      visits.push(calls.make("posts-list", { sourceIp: `192.0.2.${n % 200}`, body: {} }));
      await world.sleep(50);
    }
    await Promise.all(visits);
    return {
      title: "nobody: the front page has ten long posts, 20 views a second",
      containers: 6,
      alone,
      beside: calls.experience(),
    };
  });
}

/** Whether people hardly notice: 99 of 100 calls are answered, half of them within twice the usual time. */
export function isFair({ alone, beside }: Row): boolean {
  return beside.answered >= 0.99 && beside.median <= 2 * alone.median;
}

export async function* allRows(program: Program, seed = 1): AsyncGenerator<Row> {
  for (const attacker of attackers) yield await rowOf(attacker, program, { seed });
  yield await frontPage(program, seed);
}

/** A row of the table in docs/guarantees.md. */
export function inMarkdown({ title, containers, alone, beside }: Row): string {
  const percent = Math.floor(beside.answered * 1000) / 10;
  const times = [beside.median, alone.median, beside.slowest].map(Math.round);
  const cells = [title, containers, `${percent} %`, ...times];
  return `| ${cells.join(" | ")} |`;
}
