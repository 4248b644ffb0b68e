import { beforeAll, describe, expect, it } from "vitest";
import { handler as searchPosts } from "../../functions/posts/search.ts";
import { handler as similarPosts } from "../../functions/posts/similar.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { invoke, type Request } from "../support/http/invoke.ts";
import { type Cost, costOf, measured, planOf } from "../support/store/calls.ts";
import { addPosts, addWords } from "../support/world/bulk.ts";
import { aMember, type Person, postOf } from "../support/world/fixtures.ts";

// The dearest reads that need no account: each is bounded, whatever the table holds.

let member: Person;

beforeAll(async () => {
  member = await aMember();
});

async function measure(endpoint: Endpoint, request: Request) {
  const { status, body, calls } = await measured(() => invoke(endpoint, request));
  expect(status).toBe(endpoint.definition.success);
  return { body, plan: planOf(calls), ...(costOf(calls) satisfies Cost) };
}

describe("a search for six common words", () => {
  const words = "export every calendar comment dashboard spreadsheet";

  beforeAll(async () => {
    const posts = Array.from({ length: 300 }, () =>
      postOf(member, { title: `${words} please because everybody needs this feature` }),
    );
    await addPosts(posts);
    await addWords(posts);
  });

  it("costs at most 36 R, and finds ten posts", async () => {
    const { body, plan, readUnits } = await measure(searchPosts, { body: { query: words, first: 50 } });
    expect(body.posts).toHaveLength(10);
    expect(plan).toBe(`Query CATALOGUE${" | Query WORDS".repeat(7)} ; BatchGetItem 20 POSTS`);
    expect(readUnits).toBeLessThanOrEqual(36);
  });

  it("costs at most 36 R for similar posts, too", async () => {
    const { body, readUnits } = await measure(similarPosts, { body: { title: words } });
    expect(body.posts).toHaveLength(5);
    expect(readUnits).toBeLessThanOrEqual(36);
  });

  it("costs no more with fewer words, which have more rows each", async () => {
    for (const query of ["export", "export every", "export every calendar", "every calendar comment dashboard"]) {
      const { readUnits } = await measure(searchPosts, { body: { query } });
      expect(readUnits, query).toBeLessThanOrEqual(36);
    }
  });
});
