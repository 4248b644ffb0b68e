import { beforeAll, describe, expect, it } from "vitest";
import { rowsByCounts } from "../../../lib/lists/bucket-rows.ts";
import { type CountedList, readCounts } from "../../../lib/lists/counts.ts";
import type { Filter } from "../../../lib/lists/filter.ts";
import { orders } from "../../../lib/lists/orders.ts";
import { take } from "../../../lib/lists/rows.ts";
import type { PostRecord } from "../../../lib/posts/posts.ts";
import { boardList, type PostList, roadmapList } from "../../../lib/table/post-lists.ts";
import { letterOf, OPEN_LETTER } from "../../../lib/values/statuses.ts";
import { measured, recordCalls } from "../../support/store/calls.ts";
import { addPosts } from "../../support/world/bulk.ts";
import { aBoard, aMember, aRoadmap, postOf } from "../../support/world/fixtures.ts";

const lists: PostList[] = [];
let counted: CountedList[];
const posted: PostRecord[] = [];

/** Three of five posts are open, one of five is planned; on the calm days others are, too. */
function statusOf(n: number): string | undefined {
  return [undefined, "a", undefined, "b", undefined][n % 5];
}

beforeAll(async () => {
  const author = await aMember();
  const { boardId: busy } = await aBoard();
  const { boardId: calm } = await aBoard();
  const { roadmapId } = await aRoadmap();
  lists.push(boardList(busy), boardList(calm), roadmapList(roadmapId));
  const day = Date.parse("2025-03-04T00:00:00.000Z");
  const hour = 3_600_000;
  // On the second day the busy board has 480 posts, the other lists few; they have some before and after.
  const times = [
    ...[0, 23.999, 47.999, 72, 95].map((hours) => ({ hours, boardId: calm, roadmapId: undefined })),
    ...Array.from({ length: 480 }, (_, n) => ({ hours: 24 + n * 0.045, boardId: busy, roadmapId: undefined })),
    ...[5, 30, 40, 50, 60].map((hours) => ({ hours, boardId: undefined, roadmapId })),
  ];
  const made = times.map(({ hours, ...placed }, n) =>
    postOf(author, { at: day + hours * hour, status: statusOf(n), ...placed }),
  );
  await addPosts(made);
  posted.push(...made.sort((a, b) => (a.postId < b.postId ? -1 : 1)));
  counted = await Promise.all(lists.map(async (list) => ({ list, counts: await readCounts(list, orders.asc) })));
});

const statusFilters: [name: string, statuses: Filter["statuses"]][] = [
  ["any status", undefined],
  ["planned", new Set(["a"])],
  ["started", new Set(["b"])],
  ["open", new Set([OPEN_LETTER])],
  ["open or started", new Set([OPEN_LETTER, "b"])],
];
const cases = (["asc", "desc"] as const).flatMap((name) =>
  statusFilters.map(([filter, statuses]) => ({ name, order: orders[name], filter, statuses })),
);
type Case = (typeof cases)[number];

function idsInOrder({ order, statuses }: Case): string[] {
  const ids = posted.filter(({ status }) => !statuses || statuses.has(letterOf(status))).map(({ postId }) => postId);
  return order.descending ? ids.reverse() : ids;
}

describe("rowsByCounts from an offset on", () => {
  it.each(cases)("gives the rows of a sorted array in one step: $name, $filter", async (each) => {
    const { order, statuses } = each;
    const all = idsInOrder(each);
    for (let offset = 0; offset < all.length; offset += offset % 60 < 6 ? 1 : 13) {
      for (const limit of [1, 7]) {
        const { result, calls } = await measured(() =>
          recordCalls(() => take(rowsByCounts({ lists: counted, order, filter: { statuses }, offset, limit }), limit)),
        );
        expect(result.map(({ postId }) => postId)).toEqual(all.slice(offset, offset + limit));
        expect(calls.length).toBeLessThanOrEqual(2 * lists.length);
        for (const { step, isStrong } of calls) expect({ step, isStrong }).toEqual({ step: 1, isStrong: true });
      }
    }
  });
});
