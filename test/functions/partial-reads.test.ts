import { beforeAll, describe, expect, it } from "vitest";
import type { BoardRecord } from "../../lib/catalogue/boards.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { invoke, success, unavailable } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { expectSound, newContainer } from "../support/setup.ts";
import { overtaken } from "../support/store/faults.ts";
import { readInPieces } from "../support/store/partial-reads.ts";
import { aBoard, aMember, aPost, aVote, type Person, strangersVote } from "../support/world/fixtures.ts";
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

function idsFrom(from: number, to: number): string[] {
  return newestFirst.slice(from, to).map(({ postId }) => postId);
}

describe("A read that the store answers in part", () => {
  generated(
    "gives complete and sorted pages of posts if BatchGet answers in part and Query with short pages",
    async ({ below }) => {
      const boardId = boards.map((board) => board.boardId);
      for (let round = 0; round < 3; round++) {
        newContainer();
        readInPieces({ batch: (keys) => Math.ceil(keys / 2) + below(keys), page: (limit) => 1 + below(limit), below });
        expect(await portal.ids({ limit: 50 })).toEqual(idsFrom(0, 50));
        expect(await portal.ids({ limit: 20, page: 2 })).toEqual(idsFrom(20, 40));
        expect(await portal.ids({ limit: 50, boardId })).toEqual(idsFrom(0, 50));
        expect(await portal.ids({ limit: 9, page: 3, boardId })).toEqual(idsFrom(18, 27));
        expect(await portal.ids({ limit: 50, boardId: boardId[0] })).toEqual(
          idsFrom(0, 60).filter((_, n) => n % 2 === 1),
        );
      }
    },
  );

  it("becomes a 503 rather than a short page if BatchGet never answers any key", async () => {
    newContainer();
    readInPieces({ batch: () => 0, page: (limit) => limit });
    unavailable(await invoke("posts-list", { body: { boardId: boards[0]?.boardId } }));
  });

  it("gives all boards and votes, and exact counts, with one item a page", async () => {
    const post = newestFirst[0] as PostRecord;
    newContainer();
    readInPieces({ batch: (keys) => keys, page: () => 1 });
    await strangersVote(post.postId, 9);
    expect(await portal.boards(author)).toHaveLength(2);
    expect(success(await portal.vote(post, author), 201).voters.votesCount).toBe(10);
    expect(success(await portal.unvote(post, author), 200).voters.votesCount).toBe(9);
    const { voters } = await portal.shownPost(post);
    expect(voters.votesCount).toBe(9);
    expect(voters.votes).toHaveLength(9);
    await expectSound();
  });

  it("shows once a vote that is taken back and cast again between two pages", async () => {
    const post = await aPost(author);
    const voter = await aMember();
    await aVote(post.postId, voter);
    await strangersVote(post.postId, 2);
    newContainer();
    readInPieces({ batch: (keys) => keys, page: () => 1 });
    const { slow } = await overtaken(
      () => portal.shownPost(post),
      async () => {
        success(await portal.unvote(post, voter), 200);
        success(await portal.vote(post, voter), 201);
      },
      ({ input }) => input.ExclusiveStartKey !== undefined,
    );
    const userIds = slow.voters.votes.map(({ userId }) => userId);
    expect(userIds).toHaveLength(3);
    expect(new Set(userIds).size).toBe(3);
  });
});
