import { readFileSync, writeFileSync } from "node:fs";
import type { BackgroundFunction } from "../../../lib/background.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import type { PostWithVoters } from "../../../lib/posts/posts.ts";
import type { Family } from "../../../lib/table/keys.ts";
import type { Request } from "../http/invoke.ts";
import { goodRequest, type World } from "./examples.ts";

// What the table "Measured" of docs/costs.md shows: an ordinary request of each endpoint on a site of 40 posts.
// test/cost/endpoints.test.ts measures units and test/bench/bench.ts processor time.

const PAGE = "docs/costs.md";
const ROW = /^([\w-]+(?::start)?) +(.+) +([\d.]+|–)$/gm;

/** The rows of the table "Measured": steps, R, W and W behind, and the ratio of processor time; NaN for none. */
export function costRows(): Map<string, { units: number[]; ratio: number }> {
  const [, section = ""] = /^### Measured$[\s\S]*?```\n([\s\S]*?)^```/m.exec(readFileSync(PAGE, "utf8")) ?? [];
  return new Map(
    [...section.matchAll(ROW)].map(([, name = "", units = "", ratio]) => [
      name,
      { units: units.trim().split(/ +/).map(Number), ratio: Number(ratio) },
    ]),
  );
}

/** Writes ratios into the table. */
export function writeRatios(ratios: ReadonlyMap<string, number>): void {
  const text = readFileSync(PAGE, "utf8").replace(ROW, (row, name: string) =>
    ratios.has(name) ? row.slice(0, -7) + String(ratios.get(name)).padStart(7) : row,
  );
  writeFileSync(PAGE, text);
}

/** The example of an endpoint; of a list the first page without filters. */
export async function ordinary(endpoint: Endpoint, world: World, make = goodRequest): Promise<Request> {
  const { name } = endpoint.definition;
  const { params = {}, token, ...asked } = await make(endpoint, world);
  const withoutFilters = name === "posts-list" ? { body: {} } : {};
  return {
    ...(/-(?:list|browse|votes)$/.test(name) ? withoutFilters : asked),
    params,
    token: name === "votes-remove" ? world.author.token : token,
  };
}

/** Does the background work that follows from what tests wrote: the follow-ups of posts, and waiting items. */
export async function keepUp(
  functions: readonly BackgroundFunction[],
  posts: PostWithVoters[],
  waitingIds: (family: Family) => Promise<string[]>,
) {
  for (const { definition, followUp, carryOut } of functions.flatMap((each) => each.definition.works)) {
    const ids = (await followUp?.behind(posts)) ?? (await waitingIds(definition.takes));
    for (const id of ids) await carryOut(id, () => false);
  }
}
