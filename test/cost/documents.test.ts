import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { createGateway } from "../../infra/local/gateway/gateway.ts";
import type { AnswerPage } from "../../portal/build.ts";
import { listen } from "../support/http/listen.ts";
import { pagesHere } from "../support/process/built-portal.ts";
import { costOf, measured, recordCalls } from "../support/store/calls.ts";
import { addPosts } from "../support/world/bulk.ts";
import { aBoard, aMember, postOf } from "../support/world/fixtures.ts";
import { LONGEST_TEXT } from "../support/world/worst-calls.ts";

// What a feed or a sitemap reads: docs/costs.md shows the same figures.

let answerPage: AnswerPage;

beforeAll(async () => {
  answerPage = await pagesHere();
});

/** The read units of a document, once the API has answered all its calls. */
async function unitsOf(path: string): Promise<number> {
  const { calls } = await measured(() =>
    recordCalls(async () => {
      const api = `http://127.0.0.1:${await listen(createGateway(endpoints))}`;
      const { statusCode } = await answerPage(path, {}, { api, site: "https://feedback.example.com" });
      expect(statusCode, path).toBe(200);
    }),
  );
  const { readUnits, writeUnits } = costOf(calls);
  expect(writeUnits).toBe(0);
  return readUnits;
}

/** The rows of the page: a document, with its units on a site of short posts, and of the longest. */
const ROWS = [...readFileSync("docs/costs.md", "utf8").matchAll(/^\| `(\/[^`]+)` \| ([\d.]+) \| ([\d.]+) \|$/gm)].map(
  ([, path = "", short, long]) => ({ path, short: Number(short), long: Number(long) }),
);

const measuredNow = async () => {
  const units: Record<string, number> = {};
  for (const { path } of ROWS) units[path] = await unitsOf(path);
  return units;
};

describe("The documents of a site", () => {
  it("read what docs/costs.md says, with short posts and with the longest", async () => {
    expect(ROWS).toHaveLength(7);
    const author = await aMember();
    const { boardId } = await aBoard({ url: "ideas" });
    const add = (count: number, contentMarkdown: string, at: number) =>
      addPosts(Array.from({ length: count }, () => postOf(author, { contentMarkdown, boardId, at })));
    const day = Date.UTC(2026, 0, 15);
    await add(50, "x".repeat(700), day);
    expect(await measuredNow()).toEqual(Object.fromEntries(ROWS.map(({ path, short }) => [path, short])));
    // The oldest are in the first sitemap, the newest in the feeds.
    await add(50, LONGEST_TEXT, day - 86_400_000);
    await add(20, LONGEST_TEXT, day + 86_400_000);
    expect(await measuredNow()).toEqual(Object.fromEntries(ROWS.map(({ path, long }) => [path, long])));
  });
});
