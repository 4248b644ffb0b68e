import { beforeAll, describe, expect, it } from "vitest";
import { endpointNamed, invoke, type Request } from "../support/http/invoke.ts";
import { newContainer } from "../support/setup.ts";
import { type Cost, costOf, measured, planOf } from "../support/store/calls.ts";
import { addComments, addStatusChanges } from "../support/world/bulk.ts";
import { aMember, aPost, aUser, type Person } from "../support/world/fixtures.ts";
import { worstOf } from "../support/world/worst-calls.ts";

// The cost of comments on a post with 50 of them and on one with 5,000.

const FEW = 50;
const MANY = 5_000;

let member: Person;
const posts: Record<number, string> = {};

beforeAll(async () => {
  member = await aMember();
  for (const count of [FEW, MANY]) {
    const { postId } = await aPost(member);
    const bodies = Array.from({ length: count }, (_, n) => `${n}: ${"Me too, every morning. ".repeat(8)}`);
    await addComments(postId, member, bodies);
    posts[count] = postId;
  }
});

type Activity = { id: string; comment: { body: string } };

/** Costs and answers of a page after another one, and of a comment that is written, changed and deleted. */
async function measureAll(count: number) {
  const costs: Record<string, Cost & { plan: string }> = {};
  const params = { postId: posts[count] as string };
  const measure = async (name: string, endpoint: string, request: Request) => {
    newContainer();
    const { status, body, calls } = await measured(() => invoke(endpoint, { token: member.token, ...request }));
    expect(status).toBe(endpointNamed(endpoint).definition.success);
    costs[name] = { ...costOf(calls), plan: planOf(calls) };
    return body;
  };
  const first = await measure("first page", "comments-list", { params, query: { first: "20" } });
  expect(first).toMatchObject({ total_count: count, total_pages: Math.ceil(count / 20) });
  const second = await measure("next page", "comments-list", {
    params,
    query: { first: "20", after: first.page_info.end_cursor },
  });
  const numbered = await measure("page 2", "comments-list", { params, query: { page: "2", limit: "20" } });
  const { activity } = await measure("comment", "comments-create", { params, body: { body: "Me too." } });
  const own = { ...params, commentId: activity.id };
  await measure("changed comment", "comments-update", { params: own, body: { body: "Me, too." } });
  await measure("deleted comment", "comments-delete", { params: own });
  return { costs, pages: [first.activity, second.activity, numbered.activity] as Activity[][] };
}

describe("the cost of comments", () => {
  it("stays the same from 50 to 5,000 comments on a post", async () => {
    const few = await measureAll(FEW);
    const many = await measureAll(MANY);
    expect(many.costs).toEqual(few.costs);
    expect(many.costs["first page"]).toMatchObject({ steps: 2, readUnits: 5 });
    expect(many.costs.comment?.writeUnits).toBe(10);
    const numbersOf = (page: Activity[] = []) => page.map(({ comment }) => Number.parseInt(comment.body, 10));
    const newest = Array.from({ length: 40 }, (_, n) => MANY - 1 - n);
    expect(numbersOf(many.pages[0])).toEqual(newest.slice(0, 20));
    expect(numbersOf(many.pages[1])).toEqual(newest.slice(20));
    expect(many.pages[2]).toEqual(many.pages[1]);
  });

  it("grows by 12 R to the last page by number, after 500 comments", async () => {
    const params = { postId: posts[MANY] as string };
    const page = (number: number) =>
      measured(() =>
        invoke("comments-list", { token: member.token, params, query: { page: String(number), limit: "20" } }),
      );
    const last = await page(25);
    expect(last.body.activity).toHaveLength(20);
    expect(costOf(last.calls)).toMatchObject({ steps: 2, readUnits: 16 });
    const beyond = await page(26);
    expect(beyond.body).toMatchObject({ activity: [], total_count: MANY });
    expect(planOf(beyond.calls)).toBe("BatchGetItem 2 USER POSTS");
  });

  it.each([
    ["the longest comments", "\u754c".repeat(5000)],
    ["comments of 1 KB", "x".repeat(1024)],
  ])("stays below 40 R for %s, by authors with the longest names, on every page", async (_, text) => {
    const { postId } = await aPost(member);
    const author = await aMember("\u754c".repeat(100));
    await addComments(postId, author, Array(520).fill(text));
    const queries = [{}, { limit: "50" }, { first: "50" }, { limit: "1", page: "500" }, { limit: "50", page: "10" }];
    for (const query of queries) {
      const { body, calls } = await measured(() => invoke("comments-list", { params: { postId }, query }));
      expect(body.activity.length, JSON.stringify(query)).toBeGreaterThan(0);
      expect(costOf(calls).readUnits, JSON.stringify(query)).toBeLessThanOrEqual(40);
    }
  });

  it.each(["comment", "status,comment"])("costs moderators at most 40 R, notes among %s, far down", async (type) => {
    const { postId } = await aPost(member);
    const moderator = await aUser("moderator", "\u754c".repeat(100));
    const bodies = Array(10).fill("x".repeat(1024));
    for (let n = 0; n < 20; n++) {
      await addComments(postId, moderator, bodies, "comment");
      await addComments(postId, moderator, bodies, "note");
      await addStatusChanges(postId, moderator, 10);
    }
    // The fifth page would begin after more than 150.
    for (const [page, length] of Object.entries({ 1: 49, 4: 49, 5: 0 })) {
      const query = { limit: "49", page, visibility: "public,internal", type };
      const { body, calls } = await measured(() =>
        invoke("comments-list", { token: moderator.token, params: { postId }, query }),
      );
      expect(body.activity).toHaveLength(length);
      expect(costOf(calls).readUnits).toBeLessThanOrEqual(worstOf("comments-list").reads);
    }
  });
});
