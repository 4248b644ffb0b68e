import { beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../../lib/accounts/users.ts";
import { visibleFilter } from "../../../lib/lists/filter.ts";
import * as lists from "../../../lib/lists/lists.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { key } from "../../../lib/table/keys.ts";
import { boardList } from "../../../lib/table/post-lists.ts";
import { removeAlone } from "../../../lib/table/single-writes.ts";
import { freshTable } from "../../support/setup.ts";
import { type Attempt, overtaken } from "../../support/store/faults.ts";
import { addPosts, eachOf } from "../../support/world/bulk.ts";
import { aBoard, aMember, aPost, aRoadmap, aVote, type PostFields, postOf } from "../../support/world/fixtures.ts";

const DAY = 86_400_000;
const MIDNIGHT = Date.parse("2025-03-01T00:00:00.000Z");

let author: Person;
let board: string;
let other: string;
let roadmap: string;
let visible: Set<string>;

beforeEach(async () => {
  await freshTable();
  author = await aMember();
  board = (await aBoard()).boardId;
  other = (await aBoard()).boardId;
  roadmap = (await aRoadmap()).roadmapId;
  visible = new Set([board, other, roadmap]);
});

function pageOf(query: Partial<lists.ListQuery>): Promise<posts.PostWithVoters[]> {
  return lists.read({ order: "desc", offset: 0, limit: 10, ...query }, visibleFilter(query, visible));
}

async function idsOf(query: Partial<lists.ListQuery>): Promise<string[]> {
  const page = await pageOf(query);
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

/** Every way to ask for posts that are all on the board and the roadmap. */
function filters(): Record<string, Partial<lists.ListQuery>> {
  return {
    "all posts": {},
    "a board": { boardIds: [board] },
    "two boards": { boardIds: [board, other] },
    "a roadmap": { roadmapId: roadmap },
    "a board and a roadmap": { boardIds: [board], roadmapId: roadmap },
  };
}

/** Does something right before a call, `<operation> <partition>` of a query; what the work returns. */
async function withActionBefore<T>(before: string, action: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const isBefore = ({ operation, input }: Attempt): boolean => {
    const { ":pk": pk } = (input.ExpressionAttributeValues ?? {}) as Record<string, { S?: string }>;
    return `${operation} ${pk?.S ?? ""}`.trim() === before;
  };
  return (await overtaken(work, action, isBefore)).slow;
}

const NO_VOTES = { count: 0, first: [], comments: 0, notes: 0, statuses: 0, trend: new Map() };

describe("A page of posts while others write", () => {
  it("shows a post without its voters item as not voted on", async () => {
    const made = await postsAt(hourly(3), { boardId: board, roadmapId: roadmap });
    const half = made[1] as posts.PostRecord;
    await aVote(half.postId, author);
    await removeAlone(key.voters(half.postId));
    for (const [name, filter] of Object.entries(filters())) {
      for (const order of ["asc", "desc"] as const) {
        const page = await pageOf({ ...filter, order, limit: 3 });
        expect(page.map(({ post }) => post.postId).sort(), name).toEqual(ids(made));
        expect(page[1]?.voters, name).toEqual({ postId: half.postId, ...NO_VOTES });
        expect(
          page.map(({ voters }) => voters.postId),
          name,
        ).toEqual(page.map(({ post }) => post.postId));
      }
    }
  });

  it.each([
    ["voters without their post", (postId: string) => removeAlone(key.post(postId))],
    [
      "a row whose post is gone",
      async (postId: string) => {
        await removeAlone(key.post(postId));
        await removeAlone(key.voters(postId));
      },
    ],
  ])("skips %s and continues with the following days", async (_, vanish) => {
    const made = await postsAt([...hourly(4), ...hourly(4, MIDNIGHT + DAY)], { boardId: board, roadmapId: roadmap });
    const gone = ids([made[0], made[3], made[4]] as posts.PostRecord[]);
    for (const postId of gone) await vanish(postId);
    const left = ids(made).filter((postId) => !gone.includes(postId));
    for (const [name, filter] of Object.entries(filters())) {
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
    const page = await withActionBefore(`Query LIST#BOARD#${board}`, loseRows, () =>
      idsOf({ boardIds: [board], order: "asc", offset: 5 }),
    );
    expect(page).toEqual([...ids(busy.slice(5, 10)), ...after.slice(0, 5)]);
  });

  it("skips posts that are deleted between the reads of rows and posts", async () => {
    const made = await postsAt([...hourly(5), ...hourly(5, MIDNIGHT + DAY)], { boardId: board, roadmapId: roadmap });
    for (const [name, filter] of Object.entries(filters())) {
      const gone = (await posts.find(made.shift()?.postId ?? "")) as posts.PostRecord;
      const page = await withActionBefore(
        name === "all posts" ? "Query POSTS" : "BatchGetItem",
        () => posts.destroy(gone),
        () => idsOf({ ...filter, order: "asc", limit: 4 }),
      );
      expect(page, name).toEqual(ids(made).slice(0, 4));
    }
  });

  it("shows a post once if it moves between two boards of the filter", async () => {
    const made = await postsAt(hourly(3), { boardId: board });
    const moving = made[1] as posts.PostRecord;
    await postsAt(hourly(3, MIDNIGHT + DAY), { boardId: other });
    // The rows of its old board are read before the move, the rows of its new board after it.
    const page = await withActionBefore(
      `Query LIST#BOARD#${other}`,
      () => posts.change(moving, () => ({ boardId: other })),
      () => idsOf({ boardIds: [board, other], order: "asc", limit: 4 }),
    );
    expect(page.slice(0, 3)).toEqual(ids(made));
    expect(new Set(page).size).toBe(4);
  });

  it("leaves out a post that moves away after its row was read", async () => {
    const made = await postsAt(hourly(4), { boardId: board, roadmapId: roadmap });
    const [moving, leaving] = made as [posts.PostRecord, posts.PostRecord];
    const fromBoard = await withActionBefore(
      "BatchGetItem",
      () => posts.change(moving, () => ({ boardId: other })),
      () => idsOf({ boardIds: [board], order: "asc", limit: 2 }),
    );
    expect(fromBoard).toEqual(ids(made.slice(1, 3)));
    const fromRoadmap = await withActionBefore(
      "BatchGetItem",
      () => posts.change(leaving, () => ({ roadmapId: undefined })),
      () => idsOf({ roadmapId: roadmap, order: "asc", limit: 2 }),
    );
    expect(fromRoadmap).toEqual(ids([moving, ...made.slice(2, 3)]));
  });
});
