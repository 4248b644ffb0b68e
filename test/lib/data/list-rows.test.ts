import { beforeAll, describe, expect, it } from "vitest";
import * as dayCounts from "../../../lib/data/day-counts.ts";
import { merge, type Rows, rowsFrom, skip, take } from "../../../lib/data/list-rows.ts";
import { orders } from "../../../lib/data/orders.ts";
import { boardList, type PostList, roadmapList } from "../../../lib/data/post-lists.ts";
import { measured, recordCalls } from "../../support/store/calls.ts";
import { addPosts } from "../../support/world/bulk.ts";
import { aBoard, aMember, aRoadmap, postOf } from "../../support/world/fixtures.ts";

const rows = async function* (...postIds: string[]): Rows {
  for (const postId of postIds) yield { postId, boardId: undefined };
};

const idsOf = async (some: Rows, count = 100): Promise<string> =>
  (await take(some, count)).map(({ postId }) => postId).join("");

describe("Rows of lists", () => {
  it("are merged in their order, with each post once", async () => {
    expect(await idsOf(merge([rows("a", "d", "e"), rows(), rows("b", "d", "f"), rows("c")], orders.asc))).toBe(
      "abcdef",
    );
    expect(await idsOf(merge([rows("f", "d", "a"), rows("e", "d", "c", "b")], orders.desc))).toBe("fedcba");
    expect(await idsOf(merge([], orders.asc))).toBe("");
  });

  it("can be skipped, and taken a few at a time", async () => {
    const rest = skip(rows("a", "b", "c", "d", "e"), 1);
    expect([await idsOf(rest, 2), await idsOf(rest, 0), await idsOf(rest, 3), await idsOf(rest, 1)]).toEqual([
      "bc",
      "",
      "de",
      "",
    ]);
    expect(await idsOf(skip(rows("a"), 5))).toBe("");
  });
});

describe("Rows from a place on", () => {
  const lists: PostList[] = [];
  const posted: string[] = [];

  beforeAll(async () => {
    const author = await aMember();
    const { boardId: busy } = await aBoard();
    const { boardId: calm } = await aBoard();
    const { roadmapId } = await aRoadmap();
    lists.push(boardList(busy), boardList(calm), roadmapList(roadmapId));
    const day = Date.parse("2025-03-04T00:00:00.000Z");
    const hour = 3_600_000;
    // On the second day the busy board has more than are passed over, the others few; they have some before and after.
    const times = [
      ...[0, 23.999, 47.999, 72, 95].map((hours) => ({ hours, boardId: calm, roadmapId: undefined })),
      ...Array.from({ length: 240 }, (_, n) => ({ hours: 24 + n * 0.09, boardId: busy, roadmapId: undefined })),
      ...[5, 30, 40, 50, 60].map((hours) => ({ hours, boardId: undefined, roadmapId })),
    ];
    const made = times.map(({ hours, ...placed }) => postOf(author, { at: day + hours * hour, ...placed }));
    await addPosts(made);
    posted.push(...made.map(({ postId }) => postId));
    posted.sort();
  });

  it("are the same as in a sorted array and take one step, from either end of a busy day", async () => {
    const counted = await Promise.all(lists.map(async (list) => ({ list, counts: await dayCounts.read(list) })));
    for (const order of Object.values(orders)) {
      const all = order.descending ? posted.toReversed() : posted;
      for (let offset = 0; offset < all.length; offset += offset % 20 < 12 ? 1 : 7) {
        for (const wanted of [1, 7]) {
          const { result, calls } = await measured(() =>
            recordCalls(async () => {
              const place = dayCounts.placeOf(counted, offset, order);
              return place ? take(rowsFrom(place, order, wanted), wanted) : [];
            }),
          );
          expect(result.map(({ postId }) => postId)).toEqual(all.slice(offset, offset + wanted));
          expect(calls.length).toBeLessThanOrEqual(2 * lists.length);
          for (const { step, isStrong } of calls) expect([step, isStrong]).toEqual([1, true]);
        }
      }
    }
  });
});
