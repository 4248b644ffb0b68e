import { beforeAll, describe, expect, it } from "vitest";
import { invoke, refusal, success } from "../support/http/invoke.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";
import { aUser } from "../support/world/fixtures.ts";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});

function partWith(name: string) {
  return (["query", "body"] as const).flatMap((part) =>
    endpointsWithExample
      .filter(({ endpoint }) => {
        const schema = endpoint.definition.request.shape[part] as { shape?: object } | undefined;
        return name in (schema?.shape ?? {});
      })
      .map((each) => ({ ...each, part })),
  );
}

describe("A list", () => {
  it.each(partWith("page"))("refuses a page number beside a cursor: $name", async ({ endpoint, part }) => {
    const example = { token: world.owner.token, ...(await exampleOf(endpoint).make(world)) };
    const paged = { ...example, [part]: { ...(example[part] as object), page: "2" } };
    refusal(await invoke(endpoint, paged), "VALIDATION_ERROR", `${part}.page`);
  });

  it.each(partWith("page"))("shows an empty page at the largest number: $name", async ({ endpoint, part }) => {
    const { params = {} } = await exampleOf(endpoint).make(world);
    const body = success(
      await invoke(endpoint, { token: world.owner.token, params, [part]: { page: "9".repeat(15) } }),
      200,
    );
    expect(Object.values(body).find(Array.isArray)).toEqual([]);
  });

  // Comments, and a few suggestions while a title is typed, are not answered twice.
  const named = {
    "keys-list": "keys",
    "statuses-list": "statuses",
    "boards-list": "boards",
    "boards-browse": "boards",
    "boards-search": "boards",
    "posts-list": "posts",
    "posts-search": "posts",
    "roadmaps-list": "roadmaps",
    "users-list": "users",
  };

  it.each(Object.entries(named))("names its items results too: %s", async (name, field) => {
    const endpoint = endpointsWithExample.find((each) => each.name === name)?.endpoint;
    if (!endpoint) throw new Error(`no endpoint ${name}`);
    const request = { token: world.owner.token, ...(await exampleOf(endpoint).make(world)) };
    const body = success(await invoke(endpoint, request), 200);
    expect(body.results).toEqual(expect.any(Array));
    expect(body.results).toEqual(body[field]);
  });

  it("names the votes of a post results, as other items", async () => {
    const { endpoint } = endpointsWithExample.find(({ name }) => name === "posts-votes") ?? {};
    if (!endpoint) throw new Error("no endpoint posts-votes");
    const { votes, ...list } = success(await invoke(endpoint, await exampleOf(endpoint).make(world)), 200);
    expect(list).toEqual(votes);
  });

  it.each([
    ["users-list", "userId"],
    ["boards-browse", "boardId"],
  ])("sorts by newest and oldest, whatever created says: %s", async (name, id) => {
    const endpoint = endpointsWithExample.find((each) => each.name === name)?.endpoint;
    if (!endpoint) throw new Error(`no endpoint ${name}`);
    const ids = async (sort: string): Promise<string[]> => {
      const query = { sort, created: "desc", first: "100" };
      const { results } = success(await invoke(endpoint, { token: world.owner.token, query }), 200);
      return results.map((each: Record<string, string>) => each[id]);
    };
    const oldest = await ids("oldest");
    expect(oldest).toEqual(oldest.toSorted());
    expect(await ids("Newest")).toEqual(oldest.toReversed());
  });

  it("finds the one account with an address in any case", async () => {
    const { userId, email } = await aUser("moderator");
    const find = async (address: string) =>
      invoke("users-list", { token: world.owner.token, query: { email: address } });
    const { results, total_count } = success(await find(email.toUpperCase()), 200);
    expect(results).toMatchObject([{ userId, postsCount: 0, votesCount: 0 }]);
    expect(total_count).toBe(1);
    expect(success(await find("nobody@example.com"), 200)).toMatchObject({ results: [], total_count: 0 });
    refusal(await find("no address"), "EMAIL_INVALID");
  });
});
