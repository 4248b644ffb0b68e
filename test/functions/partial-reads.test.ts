import { beforeAll, describe, expect, it } from "vitest";
import { handler as listBoards } from "../../functions/boards/list.ts";
import { handler as bySlug } from "../../functions/posts/by-slug.ts";
import { handler as listPosts } from "../../functions/posts/list.ts";
import { handler as addVote } from "../../functions/votes/add.ts";
import { handler as removeVote } from "../../functions/votes/remove.ts";
import type { BoardRecord } from "../../lib/catalogue/boards.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { newContainer } from "../support/container.ts";
import { invoke } from "../support/http/invoke.ts";
import { holdFirst, withFaults } from "../support/store/faults.ts";
import { readInPieces } from "../support/store/partial-reads.ts";
import { expectSound } from "../support/store/sound.ts";
import { aBoard, aMember, aPost, aStranger, aVote, type Person } from "../support/world/fixtures.ts";
import { generated } from "../support/world/generated.ts";

const POSTS = 60;
let author: Person;
let boards: BoardRecord[];
let newestFirst: PostRecord[];

beforeAll(async () => {
  author = await aMember();
  boards = [await aBoard(), await aBoard()];
  const written: PostRecord[] = [];
  for (let n = 0; n < POSTS; n++)
    written.push(await aPost(author, { boardId: (boards[n % 2] as BoardRecord).boardId }));
  newestFirst = written.reverse();
});

async function idsOf(body: object): Promise<string[]> {
  return (await invoke(listPosts, { body })).body.posts.map(({ postId }: { postId: string }) => postId);
}

function idsFrom(from: number, to: number): string[] {
  return newestFirst.slice(from, to).map(({ postId }) => postId);
}

describe("Reads that the store answers in part are completed", () => {
  generated(
    "a page of posts is complete and sorted if BatchGet answers in part and Query with short pages",
    async ({ below }) => {
      const boardId = boards.map((board) => board.boardId);
      for (let round = 0; round < 3; round++) {
        newContainer();
        readInPieces({ batch: (keys) => Math.ceil(keys / 2) + below(keys), page: (limit) => 1 + below(limit), below });
        expect(await idsOf({ limit: 50 })).toEqual(idsFrom(0, 50));
        expect(await idsOf({ limit: 20, page: 2 })).toEqual(idsFrom(20, 40));
        expect(await idsOf({ limit: 50, boardId })).toEqual(idsFrom(0, 50));
        expect(await idsOf({ limit: 9, page: 3, boardId })).toEqual(idsFrom(18, 27));
        expect(await idsOf({ limit: 50, boardId: boardId[0] })).toEqual(idsFrom(0, 60).filter((_, n) => n % 2 === 1));
      }
    },
  );

  it("a page is never short: if BatchGet never answers any key, the answer is 503", async () => {
    newContainer();
    readInPieces({ batch: () => 0, page: (limit) => limit });
    const { status, headers, body } = await invoke(listPosts, { body: { boardId: boards[0]?.boardId } });
    expect([status, body.code, headers["retry-after"]]).toEqual([503, "SERVER_ERROR", "1"]);
  });

  it("boards and votes are complete, vote and unvote exact, with one item a page", async () => {
    const { postId, slug } = newestFirst[0] as PostRecord;
    const voters = Array.from({ length: 9 }, aStranger);
    newContainer();
    readInPieces({ batch: (keys) => keys, page: () => 1 });
    for (const voter of voters) await aVote(postId, voter);
    expect((await invoke(listBoards, { token: author.token, query: {} })).body.boards).toHaveLength(2);
    const token = author.token;
    expect((await invoke(addVote, { token, body: { postId } })).body.voters.votesCount).toBe(10);
    expect((await invoke(removeVote, { token, body: { postId } })).body.voters.votesCount).toBe(9);
    const { voters: shown } = (await invoke(bySlug, { body: { slug } })).body.post;
    expect([shown.votesCount, shown.votes.length]).toEqual([9, 9]);
    await expectSound();
  });

  it("a vote that is taken back and cast again while votes are read is shown once", async () => {
    const { postId, slug } = await aPost(author);
    const voter = await aMember();
    for (const each of [voter, await aMember(), await aMember()]) await aVote(postId, each);
    newContainer();
    readInPieces({ batch: (keys) => keys, page: () => 1 });
    const { decide, reached, release } = holdFirst(({ input }) => input.ExclusiveStartKey !== undefined);
    const read = await withFaults(decide, async () => {
      const answer = invoke(bySlug, { body: { slug } });
      await reached;
      const { token } = voter;
      for (const handler of [removeVote, addVote]) await invoke(handler, { token, body: { postId } });
      release();
      return answer;
    });
    const userIds = read.body.post.voters.votes.map(({ userId }: { userId: string }) => userId);
    expect(userIds).toHaveLength(3);
    expect(new Set(userIds).size).toBe(3);
  });
});
