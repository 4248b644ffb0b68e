import { beforeEach, describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { changedItems } from "../../../infra/local/changed-items.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { postOrVotersItem } from "../../../lib/posts/posts.ts";
import type { Key } from "../../../lib/table/keys.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { newId, timeOf } from "../../../lib/values/ids.ts";
import { trendingTime } from "../../../lib/values/trend.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { carryOutAll, invoke } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectRanked, freshTable } from "../../support/setup.ts";
import { addPosts, castAll } from "../../support/world/bulk.ts";
import { aBoard, aPost, aRoadmap, aStranger, aUser, type Person, postOf } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";
import type { Random } from "../../support/world/random.ts";

beforeEach(freshTable);

describe("sort", () => {
  it("refuses the cursor of another order", async () => {
    const author = await aUser();
    for (let n = 0; n < 3; n++) await derive((await aPost(author)).postId);
    const sorts = ["newest", "oldest", "top", "trending"];
    for (const from of sorts) {
      const after = (await portal.page({ sort: from, first: 1 })).page_info.end_cursor;
      for (const sort of sorts) {
        const { status, body } = await invoke("posts-list", { body: { sort, first: 1, after } });
        expect([status, body.code]).toEqual(sort === from ? [200, undefined] : [400, "VALIDATION_ERROR"]);
      }
    }
  });

  it("sorts a page by votes that came after the last ranking", async () => {
    const author = await aUser();
    const low = await aPost(author);
    const high = await aPost(author);
    for (const { postId } of [low, high]) await derive(postId);
    await voting.cast(low.postId, aStranger(), { voters: await votes.summary(low.postId) });
    for (const sort of ["top", "trending"]) expect(await portal.ids({ sort })).toEqual([low.postId, high.postId]);
  });

  it("skips posts that were deleted, moved or given a status since they were ranked, and fills the page", async () => {
    const [author, { boardId }] = [await aUser(), await aBoard()];
    const aRankedPost = async (): Promise<posts.PostRecord> => {
      const post = await aPost(author, { boardId });
      await derive(post.postId);
      return post;
    };
    const kept = await aRankedPost();
    await posts.destroy(await aRankedPost());
    await posts.change(await aRankedPost(), () => ({ boardId: undefined }));
    await posts.setStatus(await aRankedPost(), { letter: "a" });
    const other = await aRankedPost();
    const found = await portal.ids({ sort: "top", boardId, status: "open", limit: 2 });
    expect(found).toEqual([other.postId, kept.postId]);
  });
});

type Modelled = { record: posts.PostRecord; votes: Map<string, number> };

describe("Every filter, order, limit, page and walk by cursor", () => {
  const DAY = 86_400_000;
  const WEEK = 7 * DAY;
  const statuses = ["open", "planned", "started", "completed"] as const;
  const letters: Record<string, string | undefined> = { open: undefined, planned: "a", started: "b", completed: "c" };

  /** Asks for pages while posts change, and compares each with the model, ranked as a background function would. */
  const compare = async (questions: number, seeded: Random): Promise<void> => {
    const { below, oneOf } = seeded;
    const changed = changedItems(["POSTS"]);
    const author = await aUser();
    const owner = await aUser("owner");
    const boardIds: string[] = [];
    for (let n = 1; n <= 4; n++) boardIds.push((await aBoard({ display: n < 4 })).boardId);
    const roadmapIds = [(await aRoadmap()).roadmapId, (await aRoadmap({ display: false })).roadmapId];
    const model = new Map<string, Modelled>();
    const somewhere = () => ({
      boardId: oneOf([...boardIds, undefined]),
      roadmapId: oneOf([...roadmapIds, undefined, undefined]),
    });
    const start = Date.UTC(2025, 10, 1);
    const someTime = () => start + (below(2) === 0 ? 60 * DAY + below(DAY) : below(120 * DAY));
    const records = Array.from({ length: 100 }, () =>
      postOf(author, { ...somewhere(), status: letters[oneOf([...statuses, "open", "open"])], at: someTime() }),
    );
    await addPosts(records);
    for (const record of records) model.set(record.postId, { record, votes: new Map() });
    const people = Array.from({ length: 90 }, aStranger);
    const some = (count: number) => {
      const from = below(people.length);
      return [...people, ...people].slice(from, from + count);
    };

    const cast = async ({ record: { postId }, votes: voted }: Modelled, voters: typeof people) => {
      const ballots = voters
        .filter(({ userId }) => !voted.has(userId))
        .map((person) => ({ ...person, at: timeOf(postId) + below(60 * DAY) }));
      await castAll(postId, ballots);
      // What came in bulk is not among the changes.
      await derive(postId);
      for (const { userId, at } of ballots) voted.set(userId, at);
    };
    // Half of the posts get no vote, a few get many.
    for (const post of model.values()) {
      const count = oneOf([0, 0, 0, 1, 1, 2, 3, 7, 20, 80]);
      await cast(post, some(count));
    }
    const one = () => oneOf([...model.values()]);
    const update = async (change: (record: posts.PostRecord) => ReturnType<typeof posts.change>) => {
      const post = one();
      const record = await change(post.record);
      if (typeof record === "object") post.record = record;
    };
    const writes = [
      () => cast(one(), some(1 + below(3))),
      async () => {
        const post = one();
        const userId = oneOf([...post.votes.keys(), undefined]);
        const { postId } = post.record;
        if (!userId) return;
        await voting.takeBack(postId, userId, await voting.ownVote(postId, userId));
        post.votes.delete(userId);
      },
      () => update((record) => posts.change(record, somewhere)),
      () => update((record) => posts.setStatus(record, { letter: letters[oneOf([...statuses])] })),
      async () => {
        const record = await aPost(author, { ...somewhere(), at: someTime() });
        model.set(record.postId, { record, votes: new Map() });
      },
      async () => {
        const { record } = one();
        await posts.destroy(record);
        await carryOutAll(sweep);
        model.delete(record.postId);
      },
    ];
    const keep = async (): Promise<void> => {
      await changed.take(async (keys: Key[]) => {
        for (const { sk } of keys) await derive(sk);
      });
    };

    const trendingTimes = new Map<string, number>();
    const rankOf: Record<string, (post: Modelled) => number> = {
      top: ({ votes: voted }) => voted.size,
      trending: ({ record: { postId } }) => trendingTimes.get(postId) ?? 0,
    };
    const expectedIds = async (sort: string, filter: Record<string, unknown>, by?: Person): Promise<string[]> => {
      if (sort === "trending") {
        const voters = (await getRange(range.posts(), postOrVotersItem)).filter((item) => "trend" in item);
        const trends = new Map(voters.map(({ postId, trend }) => [postId, trend]));
        for (const { record, votes: voted } of model.values()) {
          const trendingAt = trendingTime(timeOf(record.postId), trends.get(record.postId) ?? new Map());
          const times = [timeOf(record.postId), ...voted.values()];
          const latest = Math.max(...times);
          const sum = times.reduce((total, time) => total + 2 ** ((time - latest) / WEEK), 0);
          // The plain sum, in floating point: weights are rounded to a part of 2,000.
          expect(Math.abs(trendingAt - latest - WEEK * Math.log2(sum))).toBeLessThan(10 * 60_000);
          trendingTimes.set(record.postId, trendingAt);
        }
      }
      const { boardId, roadmapId, status } = filter;
      const isSeen = (id: unknown) => by === owner || (id !== boardIds[3] && id !== roadmapIds[1]);
      const matching = [...model.values()].filter(
        ({ record }) =>
          (boardId === undefined || [boardId].flat().some((id) => id === record.boardId && isSeen(id))) &&
          (roadmapId === undefined || (record.roadmapId === roadmapId && isSeen(roadmapId))) &&
          (status === undefined ||
            [status].flat().some((id) => (id as string) in letters && letters[id as string] === record.status)),
      );
      // By rank, if the order has one, and then by age.
      const sorted = matching.map((post) => ({ id: post.record.postId, rank: rankOf[sort]?.(post) ?? 0 }));
      sorted.sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
      if (sort !== "oldest") sorted.reverse();
      return sorted.map(({ id }) => id);
    };

    for (let question = 0; question < questions; question++) {
      if (below(2) === 0) await oneOf(writes)();
      await keep();
      const sort = oneOf(["newest", "oldest", "top", "top", "trending", "trending"]);
      const filter = {
        boardId: oneOf([undefined, undefined, boardIds[0], boardIds[3], [boardIds[1], newId()], boardIds]),
        roadmapId: oneOf([undefined, undefined, ...roadmapIds]),
        status: oneOf([undefined, undefined, "open", "planned", ["started", "unknown"], "unknown", [...statuses]]),
      };
      const limit = oneOf([1, 2, 3, 7, 10, 50]);
      const by = oneOf([undefined, author, owner]);
      const all = await expectedIds(sort, filter, by);
      const about = JSON.stringify({ sort, ...filter, limit });
      if (below(4) > 0) {
        const page = 1 + below(Math.ceil(all.length / limit) + 2);
        const found = await portal.ids({ sort, ...filter, limit, page }, by);
        expect(found, `${about}, page ${page}`).toEqual(all.slice((page - 1) * limit, page * limit));
        continue;
      }
      // A walk by cursor, from the beginning or from a page on.
      const walked: string[] = [];
      for (let after: string | undefined, hasNext: boolean = true; hasNext; ) {
        const { results, page_info, total_count } = await portal.page({ sort, ...filter, first: limit, after }, by);
        expect(total_count, about).toBe(all.length);
        walked.push(...results.map(({ postId }: { postId: string }) => postId));
        hasNext = page_info.has_next_page && walked.length < 3 * limit + 6;
        after = page_info.end_cursor;
      }
      expect(walked, `${about}, by cursor`).toEqual(all.slice(0, walked.length));
      if (all.length <= 3 * limit) expect(walked.length, about).toBe(all.length);
    }
    await keep();
    await expectRanked();
  };

  generated("equals the model, with writes in between", async (seeded) => {
    await compare(seeded.times(300), seeded);
  });
});
