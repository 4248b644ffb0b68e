import { spawn } from "node:child_process";
import { once } from "node:events";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, describe, expect, it, vi } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import type { Person } from "../../../lib/accounts/users.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { environment } from "../../../lib/runtime/environment.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { key } from "../../../lib/table/keys.ts";
import { boardList, nameOf } from "../../../lib/table/post-lists.ts";
import { newId } from "../../../lib/values/ids.ts";
import * as votes from "../../../lib/votes/votes.ts";
import { atOnce, crowdOf, functionFor } from "../../support/http/invoke.ts";
import { expectSound } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { cutAt } from "../../support/store/faults.ts";
import { castAll } from "../../support/world/bulk.ts";
import { aBoard, aComment, aMember, aPost, aStranger, aVote } from "../../support/world/fixtures.ts";

// Many pages of a sweep, before, between and after the kills.
const MANY = crowdOf(200);

afterEach(expectSound);

function strangers(count: number): Person[] {
  return Array.from({ length: count }, aStranger);
}

async function aPopularPost(voters: Person[]): Promise<posts.PostRecord> {
  const post = await aPost(await aMember());
  await castAll(post.postId, voters);
  return post;
}

/** The items of a post but for its events, which stay until they expire. */
async function itemsOf(id: string) {
  return (await scan()).filter(({ pk, sk }) => !/^(EVENTS|NEWS)$/.test(pk) && `${pk} ${sk}`.includes(id));
}

function sweepWhole(deleted: string) {
  return recordCalls(() => sweep.carryOut(deleted, () => false), functionFor(sweep).definition);
}

/** Sweeps in a process that is killed at its n-th call. */
async function sweepUntilKilled(deleted: string, call: number): Promise<void> {
  const child = spawn(process.execPath, ["test/support/store/sweep-until-killed.ts"], {
    env: { ...process.env, DELETED: deleted, KILL_AT: String(call) },
    stdio: "inherit",
  });
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");
}

describe("The sweep of a deleted post", () => {
  it(`deletes ${MANY} votes, though it is killed twice and repeated`, async () => {
    const voters = strangers(MANY);
    const other = await aPopularPost(voters.slice(0, 20));
    const post = await aPopularPost(voters);
    await posts.destroy(post);
    await sweepUntilKilled(post.postId, MANY * 0.3);
    const left = (await itemsOf(post.postId)).length;
    await sweepUntilKilled(post.postId, MANY * 0.6);
    await expectSound();
    expect(left).toBeGreaterThan(MANY * 1.6);
    expect((await itemsOf(post.postId)).length).toBeLessThan(left);
    expect((await sweepWhole(post.postId)).result).toBe("done");
    expect(await itemsOf(post.postId)).toEqual([]);
    expect((await votes.votersOf(other.postId))?.total).toBe(20);
  });

  it("deletes everything, at whichever call the first sweep is cut off", async () => {
    for (let call = 1, isCut = true; isCut; call++) {
      const post = await aPopularPost(strangers(4));
      await posts.destroy(post);
      isCut = await cutAt(call, () => sweepWhole(post.postId));
      // The first page of votes, two deletes a vote, the end of the votes or not, the tombstone.
      expect(isCut || call > 10).toBe(true);
      await expectSound();
      expect((await sweepWhole(post.postId)).result).toBe("done");
      expect(await itemsOf(post.postId)).toEqual([]);
    }
  });

  it("looks for votes and comments only if the post had any", async () => {
    const author = await aMember();
    const deletedAsRead = async (postId: string) => {
      const { post, voters } = (await posts.findToDelete(postId)) ?? {};
      return post && (await posts.destroy(post, author.userId, voters));
    };
    const queriesOfSweep = async (postId: string) => {
      const { calls } = await sweepWhole(postId);
      expect(await itemsOf(postId)).toEqual([]);
      return calls.filter(({ operation }) => operation === "Query").flatMap(({ touches }) => touches[0]?.family);
    };
    const bare = await aPost(author);
    expect(await deletedAsRead(bare.postId)).toBe("deleted");
    expect(await queriesOfSweep(bare.postId)).toEqual(["SUBSCRIPTIONS", "MERGED"]);
    const contributions: ((post: posts.PostRecord) => Promise<unknown>)[] = [
      ({ postId }) => aVote(postId, author),
      ({ postId }) => aComment(postId, author),
      ({ postId }) => aComment(postId, author, { isInternal: true }),
      (post) => posts.setStatus(post, { letter: "a" }),
    ];
    for (const contribute of contributions) {
      const post = await aPost(author);
      await contribute(post);
      expect(await deletedAsRead(post.postId)).toBe("deleted");
      expect(await queriesOfSweep(post.postId)).toContain("VOTES");
    }
  });

  it("finds a vote that came between the reading and the deletion of a post", async () => {
    const author = await aMember();
    const { postId } = await aPost(author);
    const { post, voters } = (await posts.findToDelete(postId)) ?? {};
    await aVote(postId, author);
    expect(post && (await posts.destroy(post, author.userId, voters))).toBe("deleted");
    await sweepWhole(postId);
    expect(await itemsOf(postId)).toEqual([]);
  });

  it("deletes votes that do not parse", async () => {
    const post = await aPopularPost(strangers(3));
    await posts.destroy(post);
    const Item = { ...key.vote(post.postId, newId()), userId: 7 };
    await documentClient().send(new PutCommand({ TableName: environment().TABLE_NAME, Item }));
    await sweepWhole(post.postId);
    expect(await itemsOf(post.postId)).toEqual([]);
  });

  it("deletes the rows and counts of a deleted board twice, at whichever call the first sweep is cut off", async () => {
    const author = await aMember();
    for (let call = 1, isCut = true; isCut; call++) {
      const board = await aBoard();
      const written = await atOnce(2, () => aPost(author, { boardId: board.boardId }));
      for (const { postId } of written) await derive(postId);
      await boards.remove(board);
      isCut = await cutAt(call, () => sweepWhole(nameOf(boardList(board.boardId))));
      expect(isCut || call > 7).toBe(true);
      await expectSound();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 60_000 });
      await sweepWhole(nameOf(boardList(board.boardId)));
      vi.useRealTimers();
      // Only the posts and their rows still name it.
      const left = (await itemsOf(board.boardId)).filter(({ pk }) => pk !== "POSTS" && !pk.startsWith("DERIVED"));
      expect(left).toEqual([]);
      for (const post of written) expect(await posts.destroy(post)).toBe("deleted");
    }
  });

  it("moves the posts of a deleted board to another one, at whichever call the first sweep is cut off", async () => {
    const author = await aMember();
    for (let call = 1, isCut = true; isCut; call++) {
      const board = await aBoard();
      const { boardId: moveTo } = await aBoard();
      const written = await atOnce(2, () => aPost(author, { boardId: board.boardId }));
      await boards.remove(board, { moveTo, by: author.userId });
      isCut = await cutAt(call, () => sweepWhole(nameOf(boardList(board.boardId))));
      expect(isCut || call > 8).toBe(true);
      await expectSound();
      await sweepWhole(nameOf(boardList(board.boardId)));
      expect((await boards.find(moveTo))?.postCount).toBe(2);
      for (const { postId } of written) expect((await posts.find(postId))?.boardId).toBe(moveTo);
    }
  });

  it("knows which board takes the posts of a deleted one until the last has come there", async () => {
    const author = await aMember();
    const board = await aBoard();
    const next = await aBoard();
    const last = await aBoard();
    const { postId } = await aPost(author, { boardId: board.boardId });
    await boards.remove(board, { moveTo: next.boardId, by: author.userId });
    await boards.remove(next, { moveTo: last.boardId, by: author.userId });
    // The sweep of the first one has to wait; the second one's could end.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 60_000 });
    expect((await sweepWhole(nameOf(boardList(next.boardId)))).result).toEqual({ notBefore: Date.now() + 2 * 60_000 });
    expect((await sweepWhole(nameOf(boardList(board.boardId)))).result).toBe("done");
    expect((await posts.find(postId))?.boardId).toBe(last.boardId);
    expect((await sweepWhole(nameOf(boardList(next.boardId)))).result).toBe("done");
    vi.useRealTimers();
  });
});
