import { beforeAll, describe, expect, it } from "vitest";
import type { BoardRecord } from "../../../lib/catalogue/boards.ts";
import type { RoadmapRecord } from "../../../lib/catalogue/roadmaps.ts";
import type { PostRecord } from "../../../lib/posts/posts.ts";
import { newId } from "../../../lib/values/ids.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { freshTable } from "../../support/setup.ts";
import * as world from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

describe("POST /posts/get", () => {
  let member: world.Person;
  let board: BoardRecord;
  let other: BoardRecord;
  let roadmap: RoadmapRecord;
  const posts: PostRecord[] = [];

  const ids = (items: { postId: string }[]): string[] => items.map(({ postId }) => postId);
  const bad = async (boardId: unknown) =>
    refusal(await invoke("posts-list", { body: { boardId } }), "VALIDATION_ERROR", "body.boardId");
  const newest = (): string[] => ids(posts).reverse();

  // 60 posts over 60 days: by turns on a board, another one, none and none; every tenth on a roadmap.
  beforeAll(async () => {
    await freshTable();
    member = await world.aMember("Ada");
    [board, other, roadmap] = [await world.aBoard(), await world.aBoard(), await world.aRoadmap()];
    for (let n = 0; n < 60; n++) {
      posts.push(
        await world.aPost(member, {
          at: Date.UTC(2026, 0, 1 + n, 12),
          boardId: [board, other][n % 4]?.boardId,
          roadmapId: n % 10 === 0 ? roadmap.roadmapId : undefined,
          ...(n === 40 && { title: "Ünï ☕", contentMarkdown: "# hi\n<b>\t\u2028" }),
        }),
      );
    }
  });

  const on = (...boards: BoardRecord[]): string[] =>
    ids(posts.filter(({ boardId }) => boards.some((each) => each.boardId === boardId))).reverse();

  it("answers every field of each post", async () => {
    const post = posts[40] as PostRecord;
    const voter = await world.aMember("Grace");
    const cast = await world.aVote(post.postId, voter);
    const [item] = await portal.list({ roadmapId: roadmap.roadmapId, page: 2, limit: 1 }, voter);
    expect(item).toStrictEqual({
      postId: post.postId,
      title: "Ünï ☕",
      slug: expect.stringMatching(/^ünï-[0-9a-z]{25}$/),
      contentMarkdown: "# hi\n<b>\t\u2028",
      createdAt: "2026-02-10T12:00:00.000Z",
      updatedAt: "2026-02-10T12:00:00.000Z",
      board: resource.board(board),
      author: resource.author(member),
      roadmap: resource.roadmap(roadmap),
      voters: {
        votes: [resource.vote(post.postId, cast)],
        votesCount: 1,
        viewerVote: resource.viewerVote(post.postId, cast),
      },
      status: resource.open,
      tags: [],
      response: null,
      commentsCount: 0,
      isLocked: false,
      isPinned: false,
    });
  });

  it.each([
    ["no body", undefined],
    ["nulls", { page: null, created: null, limit: null, boardId: null, roadmapId: null }],
    ["an empty array of boards", { boardId: [] }],
  ])("lists the ten newest, and nothing else, for %s", async (_, body) => {
    const { posts, ...rest } = success(await invoke("posts-list", { body }), 200);
    expect(ids(posts)).toEqual(newest().slice(0, 10));
    expect(rest).toEqual({});
  });

  it("accepts page and limit as numbers or decimal strings", async () => {
    for (const page of [2, "2", "02"]) {
      for (const limit of [7, "7"]) expect(await portal.ids({ page, limit })).toEqual(newest().slice(7, 14));
    }
    for (const page of [2 ** 53, 1e300]) expect(await portal.list({ page })).toEqual([]);
    expect(await portal.list({ limit: 1e300 })).toHaveLength(50);
  });

  // All filters and their combinations: sort.test.ts.
  it("reads the ids of boards and roadmaps in any case", async () => {
    expect(await portal.ids({ boardId: board.boardId.toUpperCase(), limit: 50 })).toEqual(on(board));
    const two = [board.boardId, other.boardId, board.boardId, other.boardId.toUpperCase()];
    expect(await portal.ids({ boardId: two, limit: 50 })).toEqual(on(board, other));
    const roadmapId = roadmap.roadmapId.toUpperCase();
    const boardId = board.boardId;
    const both = posts.filter((post) => post.roadmapId === roadmap.roadmapId && post.boardId === boardId);
    expect(await portal.ids({ roadmapId, boardId })).toEqual(ids(both).reverse());
  });

  it.each(["", " ", "no id", newId(), "00000000-0000-0000-0000-000000000000", "x".repeat(10_000), "__proto__"])(
    "finds nothing with the filter %j",
    async (id) => {
      expect(await portal.list({ boardId: id })).toEqual([]);
      expect(await portal.list({ boardId: [id] })).toEqual([]);
      expect(await portal.list({ roadmapId: id })).toEqual([]);
      expect(await portal.list({ roadmapId: id, boardId: board.boardId })).toEqual([]);
      expect(await portal.list({ roadmapId: roadmap.roadmapId, boardId: id })).toEqual([]);
      expect(await portal.ids({ boardId: [id, board.boardId], limit: 50 })).toEqual(on(board));
    },
  );

  it("accepts twenty different boards and no more", async () => {
    const strangers = Array.from({ length: 19 }, () => newId());
    const twenty = [...strangers, board.boardId];
    expect(await portal.ids({ boardId: twenty, limit: 50 })).toEqual(on(board));
    const repeated = [...twenty, ...twenty.map((id) => id.toUpperCase())];
    expect(await portal.ids({ boardId: repeated, limit: 50 })).toEqual(on(board));
    expect(await portal.ids({ boardId: Array(500).fill(board.boardId), limit: 50 })).toEqual(on(board));
    await bad([...twenty, newId()]);
  });

  it.each([[[null]], [[5]], [[[]]], [["a\u0000"]], [["\udfff"]]])("refuses the boards %j", async (boardId) => {
    await bad(boardId);
    await bad([newId(), ...boardId]);
  });
});
