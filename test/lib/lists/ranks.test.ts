import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import { derive, staleAmong } from "../../../lib/cleanup/derived-rows.ts";
import { sweep } from "../../../lib/cleanup/sweeps.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { allPosts, boardList } from "../../../lib/table/post-lists.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { type Commit, sharedCommit } from "../../../lib/table/shared-commit.ts";
import { transact } from "../../../lib/table/transactions.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { expectRanked, expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { measured, recordCalls } from "../../support/store/calls.ts";
import { connectionReset, cutAt, overtaken } from "../../support/store/faults.ts";
import { anything } from "../../support/store/items.ts";
import { castAll } from "../../support/world/bulk.ts";
import { aBoard, aMember, aPost, aRoadmap, aStranger, aVote, strangersVote } from "../../support/world/fixtures.ts";

beforeEach(async () => {
  newContainer();
  await freshTable();
});

afterEach(() => {
  vi.useRealTimers();
});

async function ranksIn(ranking: "TOP" | "TRENDING", list = allPosts): Promise<number[]> {
  return (await getRange(range.rankRows(ranking, list), anything))
    .map(({ sk }) => Number.parseInt(String(sk), 10))
    .reverse();
}

describe("derive", () => {
  it("counts each number of votes up to 63 alone, above that eight steps a doubling", async () => {
    const { postId } = await aPost(await aMember());
    for (let count = 0; count < 300; count += 49) {
      await derive(postId);
      await expectRanked();
      await castAll(postId, Array.from({ length: 49 }, aStranger));
    }
  });

  it("costs one read and no write where nothing changed, without the row of the words after a vote", async () => {
    const board = await aBoard();
    const { postId } = await aPost(await aMember(), { boardId: board.boardId });
    await derive(postId);
    for (const [inBatch, units] of [
      [undefined, 4],
      [{ votersOnly: true }, 3],
    ] as const) {
      const { calls } = await measured(() => recordCalls(() => derive(postId, { inBatch })));
      expect(calls.map(({ operation, readUnits }) => [operation, readUnits])).toEqual([["BatchGetItem", units]]);
    }
  });

  it("costs what docs/costs.md says where a rank changes within a month", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2100-01-10") });
    const board = await aBoard();
    const roadmap = await aRoadmap();
    const cost = async (postId: string): Promise<string> => {
      const { calls } = await measured(() => recordCalls(() => derive(postId, { inBatch: { votersOnly: true } })));
      const sum = (of: "readUnits" | "writeUnits") => calls.reduce((total, call) => total + call[of], 0);
      const parts = calls.find(({ operation }) => operation === "TransactWriteItems")?.touches.length;
      return `${sum("readUnits")} | ${sum("writeUnits")} | ${parts}`;
    };
    const documented = readFileSync("docs/costs.md", "utf8");
    const places = {
      "no board": {},
      "a board": { boardId: board.boardId },
      "a board and a roadmap": { boardId: board.boardId, roadmapId: roadmap.roadmapId },
    };
    for (const [name, place] of Object.entries(places)) {
      const { postId } = await aPost(await aMember(), place);
      const first = await cost(postId);
      await strangersVote(postId, 1);
      expect(documented).toContain(`| on ${name} | ${first} | ${await cost(postId)} |`);
    }
  });

  it("leaves the rows of a post that does not parse, because it may be repaired", async () => {
    const { postId } = await aPost(await aMember());
    await derive(postId);
    await transact({ broken: setFields(key.post(postId), { title: 7 }) });
    expect(await derive(postId)).toBe("done");
    expect(await ranksIn("TOP")).toEqual([0]);
  });
});

describe("derive, run twice in parallel for a post,", () => {
  it("writes the last rank, even if the post has had it before", async () => {
    const { postId } = await aPost(await aMember());
    await derive(postId);
    const { userId } = await aVote(postId, aStranger());
    // The first has read a vote. It is taken back, and the second finds nothing to change.
    const again = () => derive(postId);
    const takeBack = async () => voting.takeBack(postId, userId, await voting.ownVote(postId, userId));
    await overtaken(again, () => takeBack().then(again));
    await expectRanked();
  });

  it("counts a post once where the other run has written another rank", async () => {
    const { postId } = await aPost(await aMember());
    await derive(postId);
    await strangersVote(postId, 1);
    await overtaken(
      () => derive(postId),
      () => strangersVote(postId, 1).then(() => derive(postId)),
    );
    await expectRanked();
  });

  it("writes the words of the last title", async () => {
    const post = await aPost(await aMember());
    await derive(post.postId);
    const rename = (title: string) => posts.change(post, () => ({ title }));
    await rename("Bright mode");
    const again = () => rename("Light mode").then(() => derive(post.postId));
    await overtaken(() => derive(post.postId, { inBatch: { votersOnly: false } }), again);
    await expectRanked();
  });

  it("leaves nothing in the list of a board that is deleted in between", async () => {
    const board = await aBoard();
    const { postId } = await aPost(await aMember(), { boardId: board.boardId });
    const list = `BOARD#${board.boardId}`;
    const now = Date.now();
    const removeBoard = async () => {
      await boards.remove(board);
      return (await sweep(list)) as { notBefore: number };
    };
    const { notBefore } = (await overtaken(() => derive(postId), removeBoard)).fast;
    expect(notBefore - now).toBeGreaterThanOrEqual(2 * 60_000);
    expect(await ranksIn("TOP", boardList(board.boardId))).toEqual([0]);
    await expectSound();
    expect(await sweep(list, undefined, notBefore)).toBe("done");
    await expectRanked();
    expect(await ranksIn("TRENDING", boardList(board.boardId))).toEqual([]);
    // Later changes keep to the lists that exist.
    await strangersVote(postId, 1);
    await derive(postId);
    await expectRanked();
  });

  it("leaves a post for the next slice if its turn comes too late", async () => {
    const { postId } = await aPost(await aMember());
    const tooLate = sharedCommit(() => true);
    expect(await derive(postId, { inBatch: { votersOnly: false }, commit: tooLate })).toBe("more");
    expect(await derive(postId)).toBe("done");
    await expectRanked();
  });

  it.each(["rows", "rows of words"])(
    "leaves nothing of a post without %s that is deleted and swept in between",
    async (missing) => {
      const post = await aPost(await aMember());
      if (missing === "rows of words") await derive(post.postId, { inBatch: { votersOnly: true } });
      const remove = () => posts.destroy(post).then(() => sweep(post.postId));
      await overtaken(() => derive(post.postId, { inBatch: { votersOnly: false } }), remove);
      await expectRanked();
      expect((await scan()).filter(({ pk }) => pk.startsWith("DERIVED#"))).toEqual([]);
    },
  );

  it("leaves nothing of a deleted post whose rank is written right before the sweep removes it", async () => {
    const post = await aPost(await aMember());
    await derive(post.postId);
    await strangersVote(post.postId, 1);
    const commit: Commit = async (rank) => {
      let written: { done: boolean } | undefined;
      await posts.destroy(post);
      await sweep(post.postId, undefined, undefined, async (removal) => {
        written ??= await transact(rank);
        return transact(removal);
      });
      return written ?? "is over";
    };
    await derive(post.postId, { inBatch: { votersOnly: true }, commit });
    await expectRanked();
  });
});

describe("derive, cut off at any call,", () => {
  /** A post on a board and a roadmap that moved, got a title, a vote and a status since its rows were written. */
  const aChangedPost = async (): Promise<string> => {
    const from = await aBoard();
    const to = await aBoard();
    const roadmap = await aRoadmap();
    const post = await aPost(await aMember(), { boardId: from.boardId });
    await derive(post.postId);
    await strangersVote(post.postId, 1);
    const moved = { boardId: to.boardId, roadmapId: roadmap.roadmapId, title: "Bright mode" };
    const after = await posts.change(post, () => moved);
    await posts.setStatus(after as posts.PostRecord, { letter: "a" });
    return post.postId;
  };

  it.each([
    ["the call fails", () => connectionReset()],
    ["the answer is lost", () => "lose the answer" as const],
  ])("leaves a sound table, and the next run finishes: %s", async (_, fault) => {
    for (let call = 1, isCut = true; isCut; call++) {
      await freshTable();
      const postId = await aChangedPost();
      isCut = (await cutAt(call, () => derive(postId), fault)) && call < 30;
      await expectSound();
      await derive(postId);
      await expectRanked();
      expect(await staleAmong(await posts.findAllWithVoters([postId]))).toEqual([]);
    }
  });
});
