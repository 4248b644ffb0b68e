import { afterEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { derive, staleAmong } from "../../../lib/cleanup/derived-rows.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { WordRowItem } from "../../../lib/search/word-rows.ts";
import { numberOf } from "../../../lib/values/words.ts";
import { expectSound } from "../../support/setup.ts";
import { measured, recordCalls } from "../../support/store/calls.ts";
import { overtaken } from "../../support/store/faults.ts";
import { aBoard, aMember, aPost, aVote } from "../../support/world/fixtures.ts";
import { LONGEST_TEXT } from "../../support/world/worst-calls.ts";

afterEach(expectSound);

async function storedOf(postId: string) {
  return (await scan()).filter(({ pk, sk }) => pk.startsWith("WORDS#") && sk.endsWith(postId));
}

async function rowsOf(postId: string) {
  return (await storedOf(postId)).map((item) => WordRowItem.parse(item)).sort((a, b) => (a.word < b.word ? -1 : 1));
}

async function wordsOfRows(postId: string) {
  return (await rowsOf(postId)).map(({ word }) => word);
}

async function aPostWithWords(title: string, fields = {}) {
  const post = await aPost(await aMember(), { title, ...fields });
  await derive(post.postId);
  return post;
}

async function change(post: posts.PostRecord, fields: Partial<posts.PostRecord>): Promise<posts.PostRecord> {
  const changed = await posts.change(post, () => fields);
  if (typeof changed !== "object") throw new Error(changed);
  return changed;
}

describe("derive", () => {
  it("writes the read units of a post of more than 4 KB, and follows them", async () => {
    const post = await aPostWithWords("Marmalade", { contentMarkdown: LONGEST_TEXT });
    const units = async () => (await rowsOf(post.postId)).map((row) => row.units);
    expect(await units()).toEqual([5]);
    await change(post, { contentMarkdown: "Short" });
    await derive(post.postId);
    expect(await units()).toEqual([1]);
  });

  it("follows the title, the place and the status", async () => {
    const board = await aBoard();
    let post = await aPostWithWords("Dark mode");
    post = await change(post, { title: "Bright mode" });
    await derive(post.postId);
    expect(await wordsOfRows(post.postId)).toEqual(["bright", "mode"]);
    post = await change(post, { boardId: board.boardId, status: "b" });
    await derive(post.postId);
    const placed = async () => (await rowsOf(post.postId)).map(({ facets }) => [facets.boardId, facets.status]);
    expect(await placed()).toEqual(Array(2).fill([numberOf(board.boardId), "b"]));
    post = await change(post, { boardId: undefined, status: undefined });
    await derive(post.postId);
    expect(await placed()).toEqual(Array(2).fill([undefined, undefined]));
  });

  it("rewrites rows at most once a minute in the background, and removes them immediately", async () => {
    const MINUTE = 60_000;
    let post = await aPostWithWords("Dark mode");
    const retitle = async (title: string) => {
      post = await change(post, { title });
      return derive(post.postId, { pause: MINUTE, inBatch: { votersOnly: false } });
    };
    expect(await retitle("Bright mode")).toBe("done");
    expect(await retitle("Grey mode")).toEqual({ notBefore: expect.any(Number) });
    const { calls } = await measured(() => recordCalls(() => retitle("Blue mode")));
    expect(calls.filter(({ operation }) => operation === "TransactWriteItems")).toHaveLength(1);
    expect(await wordsOfRows(post.postId)).toEqual(["bright", "mode"]);
    await posts.destroy(post);
    expect(await derive(post.postId, { pause: MINUTE, inBatch: { votersOnly: false } })).toBe("done");
    expect(await storedOf(post.postId)).toEqual([]);
  });
});

describe("staleAmong", () => {
  it("names the posts whose change was lost", async () => {
    const right = await aPostWithWords("Dark mode");
    const retitled = await change(await aPostWithWords("Bright mode"), { title: "Brighter mode" });
    const moved = await change(await aPostWithWords("Loud mode"), { status: "a" });
    const voted = await aPostWithWords("Voted mode");
    const fresh = await aPost(await aMember(), { title: "Quiet mode" });
    await aVote(voted.postId, await aMember());
    const lost = [retitled, moved, voted, fresh].map(({ postId }) => postId);
    const all = () => posts.findAllWithVoters([right.postId, ...lost]);
    expect((await staleAmong(await all())).sort()).toEqual(lost.toSorted());
    for (const postId of lost) await derive(postId);
    expect(await staleAmong(await all())).toEqual([]);
  });
});

describe("derive, run twice in parallel for a post,", () => {
  it.each([
    { title: "reads again where it read an older title", last: "Third title", words: ["third", "title"] },
    { title: "keeps a title that came back in between", last: "First title", words: ["first", "title"] },
  ])("$title", async ({ last, words }) => {
    const post = await aPostWithWords("First title");
    const second = await change(post, { title: "Second title" });
    const write = () => derive(post.postId);
    await overtaken(write, () => change(second, { title: last }).then(write));
    expect(await wordsOfRows(post.postId)).toEqual(words);
  });
});
