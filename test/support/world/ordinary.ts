import { readFileSync } from "node:fs";
import { type BackgroundFunction, findWaiting } from "../../../lib/background.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import type { PostWithVoters } from "../../../lib/posts/posts.ts";
import type { Request } from "../http/invoke.ts";
import { goodRequest, type World } from "./examples.ts";

// What the table "Measured" of docs/costs.md shows: the units of an ordinary request of each endpoint, on a site of 40
// posts. test/cost/endpoints.test.ts measures them.

export const COSTS_PAGE = "docs/costs.md";

const TABLE = /^endpoint +steps.*\n((?:[\w-]+ +.+\n)+)/m;

function rowText(name: string, units: number[]): string {
  const [steps = "", reads = "", writes = "", behind = ""] = units.map(String);
  return `${name.padEnd(29)}${steps.padStart(5)}${reads.padStart(5)}${writes.padStart(5)}${behind.padStart(10)}\n`;
}

/** The page with these units of the endpoints. */
export function pageWithUnits(found: ReadonlyMap<string, number[]>): string {
  const page = readFileSync(COSTS_PAGE, "utf8");
  const [, table = ""] = TABLE.exec(page) ?? [];
  return page.replace(table, [...found].map(([name, units]) => rowText(name, units)).join(""));
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
export async function keepUp(functions: readonly BackgroundFunction[], posts: PostWithVoters[]) {
  for (const work of functions.flatMap((each) => each.definition.works)) {
    const ids = (await work.followUp?.staleAmong(posts)) ?? (await findWaiting(work)).ids;
    for (const id of ids) await work.carryOut(id, () => false);
  }
}
