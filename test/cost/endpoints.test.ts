import { beforeAll, describe, expect, it, vi } from "vitest";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { endpoints } from "../../functions/index.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import * as lists from "../../lib/lists/lists.ts";
import { endpointNamed, invoke, type Request } from "../support/http/invoke.ts";
import { freshTable, newContainer } from "../support/setup.ts";
import { costOf, measured, planOf } from "../support/store/calls.ts";
import { eachOf } from "../support/world/bulk.ts";
import { contract } from "../support/world/contract.ts";
import { aWorld, goodRequest, type World } from "../support/world/examples.ts";
import { aPost } from "../support/world/fixtures.ts";
import { COSTS_PAGE, keepUp, ordinary, pageWithUnits } from "../support/world/ordinary.ts";
import { worstOf } from "../support/world/worst-calls.ts";
import { expectWritten } from "../support/written.ts";
import { follow } from "./follow.ts";
import { EXAMPLE_PLANS_FILE } from "./plans.ts";

// The table "Measured" of docs/costs.md: what a request of each endpoint costs, and the background work behind it; and
// the plans of the endpoints that plans.test.ts does not have.

// Trending time depends on the hour (test/cost/monthly-bill.test.ts).
const NOW = Date.UTC(2026, 0, 15, 6);

const SITE = { email: "ada@example.com", password: "a password of some length", name: "Ada", siteTitle: "Site" };

let world: World;

beforeAll(async () => {
  vi.setSystemTime(NOW);
  // Before there is a site.
  await measure(endpointNamed("auth-set-up"), { body: SITE });
  await freshTable();
  world = await aWorld();
  await eachOf(Array.from({ length: 40 }), () => aPost(world.author));
  await settle();
});

async function settle(): Promise<void> {
  const posts = await lists.read({ order: "desc", offset: 0, limit: 500 });
  await keepUp(backgroundFunctions, posts);
}

const found = new Map<string, number[]>();
const plans = new Map<string, string>();
const problems: string[] = [];

async function measure(endpoint: Endpoint, request: Request): Promise<void> {
  const { name, success } = endpoint.definition;
  newContainer();
  const { status, calls } = await measured(() => invoke(endpoint, request));
  if (status !== success) problems.push(`${name} answers its example with ${status}: test/support/world/examples.ts`);
  const { steps, readUnits, writeUnits } = costOf(calls);
  const worst = worstOf(name);
  if (readUnits > worst.reads || writeUnits > worst.writes) {
    const row = `"${name}": { reads: ${readUnits}, writes: ${writeUnits} }`;
    problems.push(`${name} costs more than its worst call: at least ${row} in test/support/world/worst-calls.ts`);
  }
  const weak = calls.filter(({ isStrong, touches }) => !isStrong && touches.some(({ family }) => family !== "WORDS"));
  if (weak.length > 0) problems.push(`${name} reads weakly: all reads but those of words are strong`);
  plans.set(name, planOf(calls));
  const behind = costOf(await measured(() => follow(calls)));
  found.set(name, [steps, readUnits, writeUnits, behind.writeUnits]);
}

/** The plans of all endpoints outside the contract, whose plans are in plans.ts. */
function examplePlansText(): string {
  const others = [...plans].filter(([name]) => !contract.some(({ definition }) => definition.name === name));
  return others.map(([name, plan]) => `${name}: ${plan}\n`).join("");
}

describe("A request of each endpoint", () => {
  beforeAll(async () => {
    for (const endpoint of endpoints.filter(({ definition }) => !found.has(definition.name))) {
      const request = await ordinary(endpoint, world);
      await settle();
      await measure(endpoint, request);
    }
    for (const name of ["comments-list", "keys-list", "users-list"]) {
      const request = await goodRequest(endpointNamed(name), world);
      plans.set(`${name}, filtered`, planOf((await measured(() => invoke(name, request))).calls));
    }
  });

  it("follows its plan", () => {
    expectWritten(EXAMPLE_PLANS_FILE, examplePlansText());
  });

  it("costs as much as in docs/costs.md, with its background work", () => {
    expectWritten(COSTS_PAGE, pageWithUnits(found));
  });

  it("succeeds, reads strongly and costs no more than its worst call", () => {
    expect(problems).toEqual([]);
  });
});
