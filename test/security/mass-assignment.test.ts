import { inspect } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { handler as setUp } from "../../functions/auth/set-up.ts";
import { scan } from "../../infra/operator/check-table/check.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { invoke, type Reply, type Request, success } from "../support/http/invoke.ts";
import { expectSound, freshTable } from "../support/setup.ts";
import {
  aWorld,
  endpointsWithExample,
  exampleOf,
  expectAnswer,
  goodRequest,
  type World,
} from "../support/world/examples.ts";
import { exercise } from "../support/world/exercises.ts";

// docs/guarantees.md#promises: the name of every stored attribute is sent to every endpoint with a body, and never
// stored.

/** Names that a careless handler would store. */
const guesses = "role roles isAdmin admin permissions passwordHash password_hash isVerified id _id".split(" ");

const CANARIES = ["canary-3f9a", 918_273_645, { canary: "canary-3f9a" }, ["canary-3f9a"]] as const;
const isCanary = /canary|918273645/;

let stored: string[];
let world: World;

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...namesIn(each)]);
}

beforeAll(async () => {
  // All endpoints at work, so that every kind of item is there.
  const names = new Set(guesses);
  for (const { endpoint } of endpointsWithExample) {
    if (endpoint.definition.method === "GET") continue;
    await exercise(endpoint);
    for (const name of namesIn(await scan())) names.add(name);
  }
  // An id is a key of a map, not a name.
  stored = [...names].filter((name) => !/^[0-9a-f-]{36}$/.test(name)).sort();
  await freshTable();
  world = await aWorld();
});

function fieldsOf({ definition }: Endpoint): string[] {
  return Object.keys((definition.request.shape.body as z.ZodMiniObject | undefined)?.shape ?? {});
}

/** The request with every stored name beside its own fields. */
function withExtras(endpoint: Endpoint, { body, ...rest }: Request, value: unknown): Request {
  const own = fieldsOf(endpoint);
  const extras = stored.filter((name) => !own.includes(name)).map((name) => [name, value]);
  return { ...rest, body: { ...Object.fromEntries(extras), ...(body as object) } };
}

function expectNoneIn(reply: Reply): void {
  expect(JSON.stringify(reply.body ?? null)).not.toMatch(isCanary);
}

async function expectNoneStored(): Promise<void> {
  expect(inspect(await scan(), { depth: null, maxArrayLength: null })).not.toMatch(isCanary);
}

describe("an extra field", () => {
  it("carries the name of any stored attribute", () => {
    for (const name of ["pk", "sk", "role", "tokenVersion", "passwordHash", "count", "first", "postCount", "author"]) {
      expect(stored).toContain(name);
    }
  });

  it.each(endpointsWithExample.filter(({ endpoint }) => fieldsOf(endpoint).length > 0))(
    "stays out of the table and the answers of $name",
    async ({ endpoint }) => {
      for (const value of CANARIES) {
        const reply = await invoke(endpoint, withExtras(endpoint, await goodRequest(endpoint, world), value));
        expectAnswer(endpoint, reply);
        expectNoneIn(reply);
      }
      await expectNoneStored();
    },
  );

  it("leaves the table sound", expectSound);

  it("stays out of the table in a setup that succeeds", async () => {
    for (const value of CANARIES) {
      await freshTable();
      const reply = await invoke(setUp, withExtras(setUp, await exampleOf(setUp).make(world), value));
      success(reply, 201);
      expectNoneIn(reply);
      await expectNoneStored();
    }
  });
});
