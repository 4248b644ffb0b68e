import { beforeAll, describe, expect, it } from "vitest";
import { endpointNamed, invoke, type Reply, refusal, success } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";
import { aBoard, aComment, aMember, aPost, aRoadmap, aUser, aVote, strangersVote } from "../support/world/fixtures.ts";
import { aHeldPost } from "../support/world/held.ts";

// What lists have in common; the items of each list and their order: the tests of its endpoint.

let world: World;
let postId: string;
beforeAll(async () => {
  world = await aWorld();
  ({ postId } = await aPost(world.author));
  for (let n = 0; n < 7; n++) {
    const made = [aBoard(), aRoadmap(), aMember(), aPost(world.author), aComment(postId, world.author)];
    await Promise.all(made);
    const own = await aPost(world.owner);
    await aVote(own.postId, world.owner);
    await aHeldPost(world.author);
  }
  await strangersVote(postId, 7);
});

type Shape = { shape?: Record<string, unknown> } | undefined;

function rowsWith(name: string) {
  return (["query", "body"] as const).flatMap((part) =>
    endpointsWithExample
      .filter(({ endpoint }) => name in ((endpoint.definition.request.shape[part] as Shape)?.shape ?? {}))
      .map((each) => ({ ...each, part })),
  );
}

/** A list by cursor: the part of a request with its paging, the orders that `created` names, whether it has totals. */
type List = { name: string; part: "query" | "body"; orders: string[]; hasTotals: boolean };

/**
 * The lists of things. A replay is not a list, nor is what the service holds of a person (users/export.test.ts).
 * Events, merged posts and the audit log have no pages by number: events/list.test.ts, posts/merge.test.ts,
 * audit/list.test.ts.
 */
const lists: List[] = rowsWith("after").flatMap(({ name, endpoint, part }) => {
  const { request, response } = endpoint.definition;
  const answered = (response as Shape)?.shape ?? {};
  if (!("page_info" in answered)) return [];
  if (["events", "account", "merged", "records"].some((field) => field in answered)) return [];
  const isOrdered = "created" in ((request.shape[part] as Shape)?.shape ?? {});
  return [{ name, part, orders: isOrdered ? ["aSc", "DESC"] : [], hasTotals: "total_count" in answered }];
});

function listNamed(wanted: string): List {
  return lists.find(({ name }) => name === wanted) as List;
}

function ask({ name, part }: List, paging: object): Promise<Reply> {
  return invoke(name, { token: world.owner.token, params: { postId, userId: world.author.userId }, [part]: paging });
}

function idOf(item: Record<string, string>): string | undefined {
  return item.id ?? item.voteId ?? item.postId ?? item.boardId ?? item.userId;
}

/** A page as the ids of its items, with its paging fields. */
async function page(list: List, paging: object) {
  const body = success(await ask(list, paging), 200);
  const { page_info, total_count, total_pages, results, activity } = body.votes ?? body;
  return { ids: (results ?? activity).map(idOf) as string[], page_info, total_count, total_pages };
}

// A page of waiting posts can be short: posts/waiting.test.ts.
const walks = lists
  .filter(({ name }) => name !== "posts-waiting")
  .flatMap((list) =>
    (list.orders.length > 0 ? list.orders : [undefined]).map((created) => ({ name: list.name, created, list })),
  );
const encoded = (text: string | Uint8Array) => Buffer.from(text).toString("base64url");

describe("A list", () => {
  it("is found by the shapes of its request and answer", () => {
    const found = lists.map(({ name }) => name);
    expect(found).toEqual(expect.arrayContaining(["boards-list", "comments-list", "posts-list", "posts-votes"]));
  });

  it.each(walks)("gives each item once by cursor, with paging fields: $name $created", async ({ list, created }) => {
    const order = created && { created };
    const pages = await portal.walk((cursor) => page(list, { ...order, first: "3", ...cursor }));
    const ids = pages.flatMap((each) => each.ids);
    expect(ids.length).toBeGreaterThan(6);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual((await page(list, { ...order, first: "50" })).ids);
    if (created) expect(ids).toEqual(created === "aSc" ? ids.toSorted() : ids.toSorted().reverse());
    const totals = list.hasTotals ? { total_count: ids.length, total_pages: pages.length } : {};
    for (const [n, each] of pages.entries()) {
      expect(each.ids).toEqual(ids.slice(3 * n, 3 * n + 3));
      expect(each).toMatchObject({ page_info: { count: each.ids.length, current_page: n + 1 }, ...totals });
    }
    const beyond = await page(list, { ...order, first: "3", after: pages.at(-1)?.page_info.end_cursor });
    expect(beyond).toMatchObject({ ids: [], ...totals });
    const nothing = { count: 0, has_next_page: false, start_cursor: null, end_cursor: null };
    expect(beyond.page_info).toMatchObject(nothing);
  });

  it.each(lists)("refuses a cursor that it did not make, or made in another order: $name", async (list) => {
    const good = (await page(list, { first: "1" })).page_info.end_cursor;
    const texts = [
      ...["null", "{}", "[]", "[1]", "[1,5]", '[1,"no id"]', "[1"],
      ...[`["1","${postId}"]`, `[1e999,"${postId}"]`],
    ];
    const bad = ["", " ", "nonsense", "%", "=", "\u0000", "x".repeat(5000), `${good}=`, `${good} `];
    for (const after of [...bad, ...texts.map(encoded), encoded(Uint8Array.of(0xff, 0xfe))]) {
      refusal(await ask(list, { first: "1", after }), "VALIDATION_ERROR", `${list.part}.after`);
    }
    if (list.orders.length === 0) return;
    success(await ask(list, { created: "desc", after: good }), 200);
    refusal(await ask(list, { created: "asc", after: good }), "VALIDATION_ERROR", `${list.part}.after`);
  });

  const numbers = ["page", "limit", "first"].flatMap((field) => rowsWith(field).map((row) => ({ ...row, field })));

  it.each(numbers)("refuses anything but a whole number above zero as $field: $name", async (row) => {
    const { endpoint, part, field } = row;
    const example = { token: world.owner.token, ...(await exampleOf(endpoint).make(world)) };
    const { first: _, after: __, ...own } = (example[part] ?? {}) as Record<string, unknown>;
    for (const value of ["", "0", "-1", "1.5", "1.0", "1e1", " 1", "+1", "0x1", "1,2", "ten", "NaN", "\u0661"]) {
      const request = { ...example, [part]: { ...own, [field]: value } };
      refusal(await invoke(endpoint, request), "VALIDATION_ERROR", `${part}.${field}`);
    }
  });

  // A search has pages by number only.
  const pagedTwice = rowsWith("page").flatMap((row) => {
    const list = lists.find(({ name }) => name === row.name);
    return list ? [{ ...row, list }] : [];
  });

  it.each(pagedTwice)("refuses a page number beside a cursor: $name", async ({ endpoint, part }) => {
    const example = { token: world.owner.token, ...(await exampleOf(endpoint).make(world)) };
    const paged = { ...example, [part]: { ...(example[part] as object), page: "2" } };
    refusal(await invoke(endpoint, paged), "VALIDATION_ERROR", `${part}.page`);
  });

  it.each(pagedTwice)("shows pages by number, empty ones beyond the end: $name", async ({ list }) => {
    const { ids } = await page(list, { first: "50" });
    const shown = async (number: string) => Object.values(success(await ask(list, { page: number, limit: "5" }), 200));
    const items = async (number: string) => (await shown(number)).find(Array.isArray) as Record<string, string>[];
    expect((await items("2")).map(idOf)).toEqual(ids.slice(5, 10));
    for (const number of ["100", "9".repeat(15), "9".repeat(400)]) expect(await items(number)).toEqual([]);
  });

  // Comments, and posts that are found by words, are not answered twice.
  const named = {
    "keys-list": "keys",
    "statuses-list": "statuses",
    "boards-list": "boards",
    "boards-browse": "boards",
    "boards-search": "boards",
    "posts-list": "posts",
    "roadmaps-list": "roadmaps",
    "users-list": "users",
  };

  it.each(Object.entries(named))("names its items results too: %s", async (name, field) => {
    const endpoint = endpointNamed(name);
    const request = { token: world.owner.token, ...(await exampleOf(endpoint).make(world)) };
    const body = success(await invoke(endpoint, request), 200);
    expect(body.results).toEqual(expect.any(Array));
    expect(body.results).toEqual(body[field]);
  });

  it("names the votes of a post results, as other items", async () => {
    const { votes, ...list } = success(await ask(listNamed("posts-votes"), {}), 200);
    expect(list).toEqual(votes);
  });

  it.each(["users-list", "boards-browse", "posts-list"])(
    "sorts by newest and oldest, whatever created says: %s",
    async (name) => {
      const list = listNamed(name);
      const { ids: oldest } = await page(list, { sort: "oldest", created: "desc", first: "50" });
      expect(oldest).toEqual(oldest.toSorted());
      expect((await page(list, { sort: "Newest", created: "asc", first: "50" })).ids).toEqual(oldest.toReversed());
    },
  );

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
