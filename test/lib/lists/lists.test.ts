import { beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../../lib/accounts/users.ts";
import * as lists from "../../../lib/lists/lists.ts";
import type { ListQuery } from "../../../lib/lists/query.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { key } from "../../../lib/table/keys.ts";
import { boardList } from "../../../lib/table/post-lists.ts";
import { removeAlone } from "../../../lib/table/single-writes.ts";
import { freshTable } from "../../support/setup.ts";
import { type Attempt, overtaken } from "../../support/store/faults.ts";
import { addPosts, eachOf } from "../../support/world/bulk.ts";
import { aBoard, aMember, aPost, aRoadmap, type PostFields, postOf } from "../../support/world/fixtures.ts";

const DAY = 86_400_000;
const MIDNIGHT = Date.parse("2025-03-01T00:00:00.000Z");

let author: Person;
let board: string;
let other: string;
let roadmap: string;

beforeEach(async () => {
  await freshTable();
  author = await aMember();
  board = (await aBoard()).boardId;
  other = (await aBoard()).boardId;
  roadmap = (await aRoadmap()).roadmapId;
});

async function idsOf(query: Partial<Omit<ListQuery, "statusIds">>): Promise<string[]> {
  const page = await lists.read({ order: "desc", offset: 0, limit: 10, ...query });
  const postIds = page.map(({ post }) => post.postId);
  // Each post comes with its own voters.
  expect(page.map(({ voters }) => voters.postId)).toEqual(postIds);
  return postIds;
}

async function postsAt(times: number[], fields: PostFields = {}): Promise<posts.PostRecord[]> {
  const made: posts.PostRecord[] = [];
  for (const at of times) made.push(await aPost(author, { at, ...fields }));
  return made.sort((a, b) => (a.postId < b.postId ? -1 : 1));
}

function hourly(count: number, from = MIDNIGHT): number[] {
  return Array.from({ length: count }, (_, n) => from + n * 3_600_000);
}

function ids(made: posts.PostRecord[]): string[] {
  return made.map(({ postId }) => postId);
}

/** Does something right before the rows of a board are read; what the work returns. */
async function withActionBefore<T>(
  boardId: string,
  action: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const isBefore = ({ input }: Attempt): boolean => {
    const { ":pk": pk } = (input.ExpressionAttributeValues ?? {}) as Record<string, { S?: string }>;
    return pk?.S === `LIST#BOARD#${boardId}`;
  };
  return (await overtaken(work, action, isBefore)).slow;
}

describe("A page of posts while others write", () => {
  it("skips voters without their post and continues with the following days", async () => {
    const made = await postsAt([...hourly(4), ...hourly(4, MIDNIGHT + DAY)], { boardId: board, roadmapId: roadmap });
    const gone = ids([made[0], made[3], made[4]] as posts.PostRecord[]);
    for (const postId of gone) await removeAlone(key.post(postId));
    const left = ids(made).filter((postId) => !gone.includes(postId));
    const filters: Record<string, Partial<ListQuery>> = {
      "all posts": {},
      "a board": { boardIds: [board] },
      "two boards": { boardIds: [board, other] },
      "a roadmap": { roadmapId: roadmap },
      "a board and a roadmap": { boardIds: [board], roadmapId: roadmap },
    };
    for (const [name, filter] of Object.entries(filters)) {
      expect(await idsOf({ ...filter, order: "asc", limit: 4 }), name).toEqual(left.slice(0, 4));
      expect(await idsOf({ ...filter, order: "desc", limit: 4 }), name).toEqual(left.toReversed().slice(0, 4));
      expect(await idsOf({ ...filter, order: "asc", limit: 5 }), name).toEqual(left);
      expect(await idsOf({ ...filter, order: "asc", limit: 9 }), name).toEqual(left);
    }
  });

  it("continues with the next days if rows of a busy day are deleted before they are read", async () => {
    const busy = Array.from({ length: 230 }, (_, n) => postOf(author, { at: MIDNIGHT + n * 60_000, boardId: board }));
    await addPosts(busy);
    const after = ids(await postsAt(hourly(9, MIDNIGHT + DAY), { boardId: board }));
    const loseRows = () => eachOf(busy.slice(10), ({ postId }) => removeAlone(key.listRow(boardList(board), postId)));
    const page = await withActionBefore(board, loseRows, () => idsOf({ boardIds: [board], order: "asc", offset: 5 }));
    expect(page).toEqual([...ids(busy.slice(5, 10)), ...after.slice(0, 5)]);
  });

  it("shows a post once if it moves between two boards of the filter", async () => {
    const made = await postsAt(hourly(3), { boardId: board });
    const [gone, moving] = made as [posts.PostRecord, posts.PostRecord];
    // So the rows of the page are taken in two parts, each with a row of the post that moves.
    await removeAlone(key.post(gone.postId));
    await postsAt(hourly(3, MIDNIGHT + DAY), { boardId: other });
    // The rows of its old board are read before the move, the rows of its new board after it.
    const page = await withActionBefore(
      other,
      () => posts.change(moving, () => ({ boardId: other })),
      () => idsOf({ boardIds: [board, other], order: "asc", limit: 2 }),
    );
    expect(page).toEqual(ids(made.slice(1)));
  });
});
