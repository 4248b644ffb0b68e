import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { invoke } from "../support/http/invoke.ts";
import { measured, planOf } from "../support/store/calls.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";
import { examplePlans as plans } from "./plans.ts";

// The plan of the example request of every endpoint that plans.test.ts does not have.

let world: World;

beforeAll(async () => {
  world = await aWorld();
});

describe("The example request", () => {
  const withExample = endpointsWithExample.filter(({ endpoint }) => !endpoint.definition.contract);

  it.each(withExample)("follows its plan: $name", async ({ name, endpoint }) => {
    const { access } = endpoint.definition;
    const { make } = exampleOf(endpoint);
    const request = await make(world);
    const token = access === "public" ? undefined : (request.token ?? world.owner.token);
    const { status, calls } = await measured(() => invoke(endpoint, { ...request, token }));
    expect(status).toBe(endpoint.definition.success);
    expect(planOf(calls)).toBe(plans[name] ?? "a plan in test/cost/plans.ts");
    const ofWords = calls.filter(({ touches }) => touches.some(({ family }) => family === "WORDS"));
    expect(calls.filter(({ isStrong }) => !isStrong)).toEqual(ofWords);
  });

  it("lists a plan for every such endpoint, and for no other", () => {
    expect(Object.keys(plans).sort()).toEqual(
      endpoints
        .filter(({ definition }) => !definition.contract)
        .map(({ definition }) => definition.name)
        .sort(),
    );
  });

  it("reads the posts and votes of each account on a page of users in one query", async () => {
    const { body, calls } = await measured(() =>
      invoke("users-list", { token: world.owner.token, query: { first: "3" } }),
    );
    expect(body.results).toHaveLength(3);
    expect(planOf(calls)).toBe("GetItem USER | Query USERS | Query USER_COUNT ; Query USER | Query USER | Query USER");
  });
});
