import { beforeAll, describe, expect, it } from "vitest";
import { take } from "../../../lib/lists/list-rows.ts";
import { type Order, orders } from "../../../lib/lists/orders.ts";
import { rowsAfter, rowsFrom } from "../../../lib/lists/page-rows.ts";
import * as bucketCounts from "../../../lib/posts/bucket-counts.ts";
import type { PostRecord } from "../../../lib/posts/posts.ts";
import { boardList, type PostList, roadmapList } from "../../../lib/table/post-lists.ts";
import type { StatusLetter } from "../../../lib/values/statuses.ts";
import { measured, recordCalls } from "../../support/store/calls.ts";
import { addPosts } from "../../support/world/bulk.ts";
import { aBoard, aMember, aRoadmap, postOf } from "../../support/world/fixtures.ts";

describe("Rows from a place on", () => {
  const lists: PostList[] = [];
  const posted: PostRecord[] = [];
  // Three of five are open, one of five is planned; on the calm days others are, too.
  const statusOf = (n: number): StatusLetter => [undefined, "a", undefined, "b", undefined][n % 5];

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
    const made = times.map(({ hours, ...placed }, n) =>
      postOf(author, { at: day + hours * hour, status: statusOf(n), ...placed }),
    );
    await addPosts(made);
    posted.push(...made.sort((a, b) => (a.postId < b.postId ? -1 : 1)));
  });

  const counted = (): Promise<bucketCounts.CountedList[]> =>
    Promise.all(lists.map(async (list) => ({ list, counts: await bucketCounts.read(list, orders.asc) })));

  /** What is asked for: posts of any status, and of some. */
  const asked: (bucketCounts.Statuses | undefined)[] = [
    undefined,
    new Set(["a"]),
    new Set(["b"]),
    new Set([undefined]),
    new Set([undefined, "b"]),
  ];

  const inOrder = (order: Order, statuses: bucketCounts.Statuses | undefined): string[] => {
    const ids = posted.filter(({ status }) => !statuses || statuses.has(status)).map(({ postId }) => postId);
    return order.descending ? ids.reverse() : ids;
  };

  it("are the same as in a sorted array and take one step, from either end of a busy day", async () => {
    const read = await counted();
    for (const [order, statuses] of [orders.asc, orders.desc].flatMap((each) =>
      asked.map((some) => [each, some] as const),
    )) {
      const all = inOrder(order, statuses);
      for (let offset = 0; offset < all.length; offset += offset % 20 < 6 ? 1 : 13) {
        for (const wanted of [1, 7]) {
          const { result, calls } = await measured(() =>
            recordCalls(async () => {
              const place = bucketCounts.placeOf(read, offset, order, statuses);
              return place ? take(rowsFrom(place, order, wanted, statuses), wanted) : [];
            }),
          );
          expect(result.map(({ postId }) => postId)).toEqual(all.slice(offset, offset + wanted));
          expect(calls.length).toBeLessThanOrEqual(2 * lists.length);
          for (const { step, isStrong } of calls) expect([step, isStrong]).toEqual([1, true]);
        }
      }
    }
  });

  it("come after any row, of their statuses or not", async () => {
    const read = await counted();
    for (const order of [orders.asc, orders.desc]) {
      for (const statuses of asked.filter((some) => some !== undefined)) {
        const all = inOrder(order, statuses);
        for (const { postId } of posted.filter((_, n) => n % 9 === 0)) {
          const rows = await take(rowsAfter(read, postId, { order, limit: 7 }, statuses), 7);
          const expected = all.filter((id) => (order.descending ? id < postId : id > postId)).slice(0, 7);
          expect(rows.map((row) => row.postId)).toEqual(expected);
        }
      }
    }
  });
});
