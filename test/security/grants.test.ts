import { describe, expect, it } from "vitest";
import * as z from "zod";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { endpoints } from "../../functions/index.ts";
import * as posts from "../../lib/data/posts.ts";
import * as users from "../../lib/data/users.ts";
import { defineEndpoint, type Endpoint, Nothing } from "../../lib/endpoint.ts";
import { invoke } from "../support/http/invoke.ts";
import { exercise, exerciseBackground, grantsOf, usesOf } from "../support/world/exercises.ts";
import { aMember, aPost } from "../support/world/fixtures.ts";

// What a definition says of the table becomes the function's rights: no call beyond it, and nothing in it that is not needed.

describe("what a definition says of the table", () => {
  it.each(endpoints.map((endpoint) => ({ name: endpoint.definition.name, endpoint })))(
    "is all that $name does, no more and no less",
    async ({ endpoint }) => {
      // A right that is not used here: take it away, or add a request that needs it to test/support/world/exercises.ts.
      expect([...usesOf(await exercise(endpoint))].sort()).toEqual([...grantsOf(endpoint)].sort());
    },
  );
});

describe("what the definition of a background function says of the table", () => {
  it.each(backgroundFunctions.map((background) => ({ name: background.definition.name, background })))(
    "is all that $name does, no more and no less",
    async ({ background }) => {
      expect([...usesOf(await exerciseBackground(background))].sort()).toEqual([...grantsOf(background)].sort());
    },
  );
});

describe("a call beyond the definition", () => {
  const mutant = (table: Endpoint["definition"]["table"], work: () => Promise<unknown>): Endpoint =>
    defineEndpoint(
      {
        name: "mutant",
        method: "POST",
        path: "/mutant",
        access: "public",
        request: z.object({}),
        success: 204,
        response: Nothing,
        errors: [],
        table,
      },
      async () => {
        await work();
        return undefined;
      },
    );

  it("fails: of another family, by another verb, in a transaction", async () => {
    const author = await aMember();
    const post = await aPost(author);
    const read = () => users.find(author.userId);
    const destroy = () => posts.destroy(post);
    expect((await invoke(mutant({ USER: ["get"] }, read))).status).toBe(204);
    expect((await invoke(mutant({}, read))).status).toBe(500);
    expect((await invoke(mutant({ POSTS: ["get"] }, read))).status).toBe(500);
    expect((await invoke(mutant({ USER: ["query"] }, read))).status).toBe(500);
    const table = {
      POSTS: ["delete"],
      USER: ["delete"],
      LIST: ["delete"],
      COUNTS: ["update"],
      DELETED: ["put"],
    } as const;
    const { COUNTS: _, ...tooLittle } = table;
    expect((await invoke(mutant(tooLittle, destroy))).status).toBe(500);
    expect(await posts.find(post.postId)).toBeDefined();
    expect((await invoke(mutant(table, destroy))).status).toBe(204);
  });
});
