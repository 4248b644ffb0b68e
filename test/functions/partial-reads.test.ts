import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BoardRecord } from "../../lib/catalogue/boards.ts";
import { invoke, success, unavailable } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { newContainer } from "../support/setup.ts";
import { overtaken } from "../support/store/faults.ts";
import { readInPieces } from "../support/store/partial-reads.ts";
import { aBoard, aMember, aPost, aVote, type Person, strangersVote } from "../support/world/fixtures.ts";

// Parts of any size, with all other faults: the simulation.

let author: Person;
let boards: BoardRecord[];
beforeAll(async () => {
  author = await aMember();
  boards = [await aBoard(), await aBoard()];
});

afterEach(() => newContainer());

describe("A read that the store answers in part", () => {
  it("becomes a 503 rather than a short page if BatchGet never answers any key", async () => {
    await aPost(author, { boardId: boards[0]?.boardId });
    readInPieces({ batch: () => 0, page: (limit) => limit });
    unavailable(await invoke("posts-list", { body: { boardId: boards[0]?.boardId } }));
  });

  it("shows once a vote that is taken back and cast again between two pages", async () => {
    const post = await aPost(author);
    const voter = await aMember();
    await aVote(post.postId, voter);
    await strangersVote(post.postId, 2);
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
    expect([userIds.length, new Set(userIds).size]).toEqual([3, 3]);
  });
});
