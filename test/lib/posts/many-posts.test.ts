import { afterEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import * as catalogue from "../../../lib/catalogue/catalogue.ts";
import { sweep } from "../../../lib/cleanup/sweeps.ts";
import * as lists from "../../../lib/lists/lists.ts";
import * as posts from "../../../lib/posts/posts.ts";
import {
  type Attempt,
  type Fault,
  holdFirst,
  isTransaction,
  transactionConflict,
  withFaults,
} from "../../support/store/faults.ts";
import { expectSound } from "../../support/store/sound.ts";
import { eachOf } from "../../support/world/bulk.ts";
import { aBoard, aMember, aPost, postOf } from "../../support/world/fixtures.ts";

const AT_ONCE = 16;

/** Adds a post whose first three transactions conflict, as in a rush. */
async function addInARush(author: Awaited<ReturnType<typeof aMember>>, board: boards.BoardRecord) {
  const post = postOf(author, { boardId: board.boardId });
  const met = new Map<string | undefined, number>();
  let isFirst: string | undefined;
  const decide = ({ clientRequestToken: token, ...attempt }: Attempt): Fault => {
    if (!isTransaction({ ...attempt, clientRequestToken: token })) return "none";
    isFirst ??= token;
    met.set(token, (met.get(token) ?? 0) + 1);
    return token === isFirst && (met.get(token) ?? 0) <= 3 ? transactionConflict() : "none";
  };
  expect(await withFaults(decide, () => posts.add(post, undefined, board))).toBe("added");
  return post;
}

async function postCountsOf(boardId: string): Promise<(number | undefined)[]> {
  return [
    (await catalogue.read()).boards.find((board) => board.boardId === boardId)?.postCount,
    (await boards.all()).find((board) => board.boardId === boardId)?.postCount,
    (await boards.find(boardId))?.postCount,
  ];
}

function pageOf(boardId: string, offset: number, limit: number) {
  return lists.open({ boardIds: [boardId], order: "asc", offset, limit, counted: true });
}

afterEach(expectSound);

describe("New posts in a rush", () => {
  it("are counted by board and by day, and each page of them is found", async () => {
    const [author, board] = [await aMember(), await aBoard()];
    const made: string[] = [];
    for (let n = 0; n < 30; n++) made.push((await addInARush(author, board)).postId);
    for (let n = 0; n < 5; n++) made.push((await aPost(author, { boardId: board.boardId })).postId);
    expect(await boards.find(board.boardId)).toMatchObject({ spread: true });
    expect(await postCountsOf(board.boardId)).toEqual([35, 35, 35]);
    const list = pageOf(board.boardId, 20, 10);
    const page = await list.page(new Set([board.boardId]));
    expect(page.map(({ post }) => post.postId)).toEqual(made.slice(20, 30));
    expect(await list.total(new Set([board.boardId]))).toBe(35);
    const items = (await scan()).filter(({ pk }) => pk === `COUNTS#BOARD#${board.boardId}`);
    expect(items.length).toBeGreaterThan(2);
  });

  it("stay counted when they are moved, deleted and given a status", async () => {
    const [author, board, other] = [await aMember(), await aBoard(), await aBoard()];
    const made: posts.PostRecord[] = [];
    for (let n = 0; n < 6; n++) made.push(await addInARush(author, board));
    const [first, second, third] = made as [posts.PostRecord, posts.PostRecord, posts.PostRecord];
    await posts.destroy(first);
    await posts.change(second, () => ({ boardId: other.boardId }));
    await posts.setStatus(third, "a", undefined);
    expect(await postCountsOf(board.boardId)).toEqual([4, 4, 4]);
    expect(await postCountsOf(other.boardId)).toEqual([1, 1, 1]);
  });

  it("do not get onto a board that is deleted meanwhile", async () => {
    const [author, board] = [await aMember(), await aBoard()];
    await addInARush(author, board);
    const spread = (await boards.find(board.boardId)) ?? board;
    const { decide, reached, release } = holdFirst(isTransaction);
    const outcome = await withFaults(decide, async () => {
      const running = posts.add(postOf(author, { boardId: board.boardId }), undefined, spread);
      await reached;
      expect(await boards.remove(spread)).toBe("removed");
      await sweep(`BOARD#${board.boardId}`);
      release();
      return running;
    });
    expect(outcome).toBe("no such board");
  });

  it("make a removal of the board plan again that did not know of them", async () => {
    const [author, board] = [await aMember(), await aBoard()];
    await addInARush(author, board);
    expect(await boards.remove(board)).toBe("changed meanwhile");
    expect(await boards.remove((await boards.find(board.boardId)) ?? board)).toBe("removed");
    await sweep(`BOARD#${board.boardId}`);
  });

  it("are all there when many are made at once", async () => {
    const [author, board] = [await aMember(), await aBoard()];
    await boards.spread(board.boardId);
    const read = await boards.find(board.boardId);
    const add = () => posts.add(postOf(author, { boardId: board.boardId }), undefined, read);
    await eachOf(Array.from({ length: 60 }), async () => expect(await add()).toBe("added"), AT_ONCE);
    expect(await postCountsOf(board.boardId)).toEqual([60, 60, 60]);
  });
});
