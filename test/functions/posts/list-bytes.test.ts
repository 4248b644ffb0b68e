import { beforeAll, describe, expect, it } from "vitest";
import { handler as list } from "../../../functions/posts/list.ts";
import type { BoardRecord } from "../../../lib/catalogue/boards.ts";
import { eventOf, lambdaContext } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { addPosts } from "../../support/world/bulk.ts";
import { aBoard, aMember, aVote, postOf } from "../../support/world/fixtures.ts";

// What a function answers is a text in the JSON that Lambda gets: a quote in a post takes four bytes there. Lambda
// takes 6,291,556.

const PAGE = 50;
const FIRST = 12;
const CURSOR_BYTES = 512 * 1024;

let board: BoardRecord;
const expected: string[] = [];

type Page = {
  posts: { postId: string; contentMarkdown: string }[];
  results?: { postId: string }[];
  page_info: { count: number; has_next_page: boolean; end_cursor: string };
  total_count: number;
};

async function ask(body: object): Promise<{ payload: number; text: string; page: Page }> {
  const answer = await list(eventOf(list, { body }), lambdaContext());
  expect(answer.statusCode).toBe(200);
  const text = answer.body ?? "";
  return { payload: Buffer.byteLength(JSON.stringify(answer)), text, page: JSON.parse(text) };
}

function idsOf(posts: { postId: string }[] = []) {
  return posts.map(({ postId }) => postId);
}

beforeAll(async () => {
  const quotes = (count: number) => '"'.repeat(count);
  const author = await aMember(quotes(60));
  board = await aBoard({ name: quotes(60) });
  const texts = [quotes(20_000), "\\".repeat(20_000), "\n".repeat(20_000), "漢".repeat(6666)];
  const posts = Array.from({ length: 74 }, (_, n) =>
    postOf(author, {
      title: quotes(255),
      contentMarkdown: n < 50 ? texts[n < 46 ? 0 : n % 4] : "short",
      boardId: board.boardId,
      at: Date.UTC(2026, 0, 1) + n * 3_600_000,
    }),
  );
  await addPosts(posts);
  const voters = await Promise.all(Array.from({ length: 6 }, () => aMember(quotes(60))));
  for (const { postId } of posts.slice(0, PAGE)) for (const voter of voters) await aVote(postId, voter);
  expected.push(...idsOf(posts));
});

describe("A numbered page of the largest posts", () => {
  it.each([
    ["all posts", () => ({})],
    ["a board", () => ({ boardId: board.boardId })],
  ])("holds each text once, and all posts in less than 4.5 MB: %s", async (_, filter) => {
    const { payload, text, page } = await ask({ limit: PAGE, created: "asc", ...filter() });
    expect(idsOf(page.posts)).toEqual(expected.slice(0, PAGE));
    const longest = JSON.stringify(page.posts[0]?.contentMarkdown);
    const holding = page.posts.filter(({ contentMarkdown }) => JSON.stringify(contentMarkdown) === longest);
    expect(text.split(longest).length - 1).toBe(47);
    expect(holding.length).toBe(47);
    expect(payload).toBeLessThan(4_500_000);
  });
});

describe("A page of large posts by cursor", () => {
  it.each([
    ["asc", "all posts", () => ({})],
    ["desc", "a board", () => ({ boardId: board.boardId })],
  ])("stops early, says so, and skips nothing: %s, %s", async (created, _, filter) => {
    const pages = await portal.walk(async (cursor) => {
      const { payload, page } = await ask({ first: FIRST, created, ...cursor, ...filter() });
      // The bound is on the posts; around them is little.
      expect(payload).toBeLessThan(CURSOR_BYTES + 2000);
      expect(idsOf(page.results)).toEqual(idsOf(page.posts));
      expect(page.page_info.count).toEqual(page.posts.length);
      expect(page.total_count).toEqual(expected.length);
      return page;
    });
    const seen = pages.flatMap(({ posts }) => idsOf(posts));
    expect(seen).toEqual(created === "asc" ? expected : expected.toReversed());
    // Full where posts are short, and never empty.
    const counts = pages.map(({ posts }) => posts.length);
    expect(Math.max(...counts)).toEqual(FIRST);
    expect(Math.min(...counts) > 0).toBe(true);
    expect(Math.min(...counts)).toBeLessThan(5);
  });
});
