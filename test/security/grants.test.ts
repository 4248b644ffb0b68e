import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { backgroundFunctions } from "../../functions/background/index.ts";
import * as users from "../../lib/accounts/users.ts";
import * as tokens from "../../lib/auth/tokens.ts";
import { defineEndpoint, type Endpoint } from "../../lib/endpoint.ts";
import { grantsOf } from "../../lib/http/definition.ts";
import * as posts from "../../lib/posts/posts.ts";
import type { TableAccess } from "../../lib/table/access.ts";
import { functionFor } from "../support/http/background.ts";
import { invoke } from "../support/http/invoke.ts";
import type { StoreCall } from "../support/store/calls.ts";
import { endpointsWithExample } from "../support/world/examples.ts";
import { exercise, exerciseBackground, rightsIn, usesOf } from "../support/world/exercises.ts";
import { aMember, aPost } from "../support/world/fixtures.ts";

// The definition of an endpoint grants its function exactly the calls of the table that it makes.

/** Fails where calls and rights differ, with what to do about it. */
function expectExact(calls: StoreCall[], table: TableAccess, what: string): void {
  const hint = `${what}: take away the right that is not used, or add a request that uses it to "further" in test/support/world/exercises.ts`;
  expect([...usesOf(calls)].sort(), hint).toEqual([...rightsIn(table)].sort());
}

describe("a function", () => {
  it.each(endpointsWithExample)(
    "uses exactly the grants of its definition: $name",
    async ({ endpoint: { definition }, endpoint }) => {
      const { calls, own } = await exercise(endpoint);
      expectExact(own, definition.table, `"table" of ${definition.name}`);
      expectExact(calls, grantsOf(definition), `grantsOf(${definition.name})`);
    },
  );

  it.each(backgroundFunctions.flatMap(({ definition }) => definition.works))(
    "uses exactly the grants of its work in the background: $definition.name",
    async (work) => {
      const background = functionFor(work);
      const { calls, own } = await exerciseBackground(background);
      expectExact(own, work.definition.table, `"table" of ${work.definition.name}`);
      expectExact(calls, background.definition.table, `a function that carries out ${work.definition.name}`);
    },
  );
});

describe("a call outside the grants", () => {
  const mutant = (table: Endpoint["definition"]["table"], work: () => Promise<unknown>): Endpoint =>
    defineEndpoint({
      name: "mutant",
      route: "POST /mutant",
      access: "public",
      request: z.object({}),
      success: 204,
      response: z.undefined(),
      errors: [],
      table,
      handle: async () => {
        await work();
        return undefined;
      },
    });

  it("fails at the signing key, if the definition neither checks nor issues tokens", async () => {
    const author = await aMember();
    const refusal = "the definition of mutant neither issues tokens nor looks at them";
    await expect(invoke(mutant({}, () => tokens.issue(author)))).rejects.toThrow(refusal);
    // jose takes an error of WebCrypto for a wrong signature.
    const verify = async () => expect(await tokens.verify(author.token)).toBeDefined();
    await expect(invoke(mutant({}, verify))).rejects.toThrow(refusal);
    await verify();
  });

  it("fails at another family or another verb, within a transaction too", async () => {
    const author = await aMember();
    const post = await aPost(author);
    const read = () => users.find(author.userId);
    const destroy = () => posts.destroy(post);
    expect((await invoke(mutant({ USER: ["get"] }, read))).status).toBe(204);
    const refusal = "the definition of mutant does not grant USER: get";
    await expect(invoke(mutant({}, read))).rejects.toThrow(refusal);
    await expect(invoke(mutant({ POSTS: ["get"] }, read))).rejects.toThrow(refusal);
    await expect(invoke(mutant({ USER: ["query"] }, read))).rejects.toThrow(refusal);
    const table = {
      POSTS: ["delete"],
      USER: ["delete"],
      LIST: ["delete"],
      COUNTS: ["update"],
      DELETED: ["put"],
    } as const;
    const { COUNTS: _, ...tooLittle } = table;
    await expect(invoke(mutant(tooLittle, destroy))).rejects.toThrow("does not grant COUNTS: update");
    expect(await posts.find(post.postId)).toBeDefined();
    expect((await invoke(mutant(table, destroy))).status).toBe(204);
  });
});
