import { readFileSync, writeFileSync } from "node:fs";
import type { BackgroundFunction } from "../../../lib/background.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import type { PostWithVoters } from "../../../lib/posts/posts.ts";
import type { Family } from "../../../lib/table/families.ts";
import type { Request } from "../http/invoke.ts";
import { goodRequest, type World } from "./examples.ts";

// What the table "Measured" of docs/costs.md shows: an ordinary request of each endpoint on a site of 40 posts.
// test/cost/endpoints.test.ts measures units and test/bench/bench.ts processor time.

export const COSTS_PAGE = "docs/costs.md";

const TABLE = /^endpoint +steps.*\n((?:[\w-]+(?::start)? +.+\n)+)/m;
const ROW = /^([\w-]+(?::start)?) +(.+?) +(\S+)$/;

/** The time of a row that `npm run bench -- --write` has not measured yet. */
const NEW = "new";

export type CostRow = {
  /** Steps, R, W and W behind, as text. */
  units: string[];
  /** The ratio of processor time; `new` before it is measured, `–` if it cannot be. */
  time: string;
};

function tableIn(page: string): string {
  return TABLE.exec(page)?.[1] ?? "";
}

/** The rows of the table "Measured", by the name of their endpoint, or `<endpoint>:start`. */
export function costRows(page = readFileSync(COSTS_PAGE, "utf8")): Map<string, CostRow> {
  const rows = tableIn(page).trimEnd().split("\n");
  return new Map(
    rows.map((row) => {
      const [, name = "", units = "", time = NEW] = ROW.exec(row) ?? [];
      return [name, { units: units.split(/ +/), time }];
    }),
  );
}

function rowText(name: string, { units, time }: CostRow): string {
  const [steps = "", reads = "", writes = "", behind = ""] = units;
  const start = name.padEnd(29) + steps.padStart(5) + reads.padStart(5) + writes.padStart(5);
  return `${start}${behind.padStart(10)}${time.padStart(7)}\n`;
}

function pageWith(rows: ReadonlyMap<string, CostRow>): string {
  const page = readFileSync(COSTS_PAGE, "utf8");
  const table = [...rows].map(([name, row]) => rowText(name, row)).join("");
  return page.replace(tableIn(page), table);
}

/** The page with these units of the endpoints; what is known of their times stays. */
export function pageWithUnits(found: ReadonlyMap<string, number[]>): string {
  const known = costRows();
  const rows = [...found].map(([name, units]) => {
    const row = { units: units.map(String), time: known.get(name)?.time ?? NEW };
    return [name, row] as const;
  });
  const starts = [...known].filter(([name]) => name.endsWith(":start"));
  return pageWith(new Map([...rows, ...starts]));
}

/** Writes ratios of processor time into the table. */
export function writeRatios(ratios: ReadonlyMap<string, number>): void {
  const rows = [...costRows()].map(([name, { units, time }]) => {
    return [name, { units, time: String(ratios.get(name) ?? time) }] as const;
  });
  writeFileSync(COSTS_PAGE, pageWith(new Map(rows)));
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
