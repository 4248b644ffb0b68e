import { describe, expect, it } from "vitest";
import { handler as list } from "../../../functions/posts/list.ts";
import { handler as votesOf } from "../../../functions/posts/votes.ts";
import { invoke } from "../../support/http/invoke.ts";
import { aBoard, aMember, aPost, aRoadmap, aStranger, aVote } from "../../support/world/fixtures.ts";

describe("GET /posts/{postId}/votes", () => {
  it("pages through all votes once, in the order they were cast, with correct page info", async () => {
    const voter = await aMember("Grace");
    const { postId } = await aPost(voter);
    const cast: string[] = [];
    for (let n = 0; n < 24; n++) cast.push((await aVote(postId, aStranger())).voteId);
    cast.push((await aVote(postId, voter)).voteId);
    const walked: { voteId: string; user: unknown }[] = [];
    for (let after: string | undefined, page = 1; ; page++) {
      const query = { first: "10", ...(after ? { after } : {}) };
      const { status, body } = await invoke(votesOf, { params: { postId }, query, token: voter.token });
      expect(status).toBe(200);
      const { results, page_info, total_count, total_pages, viewerVote } = body.votes;
      expect([total_count, total_pages, page_info.current_page, page_info.count]).toEqual([
        25,
        3,
        page,
        results.length,
      ]);
      expect(viewerVote.voteId).toBe(cast.at(-1));
      walked.push(...results);
      after = page_info.end_cursor;
      if (!page_info.has_next_page) break;
    }
    expect(walked.map(({ voteId }) => voteId)).toEqual(cast);
    const { userId, username } = voter;
    expect(walked.at(-1)?.user).toEqual({
      userId,
      username,
      name: "Grace",
      avatar: expect.stringContaining("gravatar"),
    });
  });

  it("answers an empty page for a post without votes, and POST_NOT_FOUND without a post", async () => {
    const { postId } = await aPost(await aMember());
    const { body } = await invoke(votesOf, { params: { postId } });
    expect(body.votes).toEqual({
      results: [],
      page_info: { count: 0, current_page: 1, has_next_page: false, start_cursor: null, end_cursor: null },
      total_count: 0,
      total_pages: 0,
      viewerVote: null,
    });
    for (const none of ["nope", "00000000-0000-7000-8000-000000000000", "%00"]) {
      expect((await invoke(votesOf, { params: { postId: none } })).body.code).toBe("POST_NOT_FOUND");
    }
    for (const query of [{ first: "0" }, { after: "" }, { after: "W10" }, { first: "1,2" }] as Record<
      string,
      string
    >[]) {
      expect((await invoke(votesOf, { params: { postId }, query })).body.code).toBe("VALIDATION_ERROR");
    }
  });
});

describe("POST /posts/get by cursor", () => {
  it("lists the same posts as pages by number, with every filter and in both orders", async () => {
    const author = await aMember();
    const boards = [await aBoard(), await aBoard()];
    const roadmap = await aRoadmap();
    for (let n = 0; n < 23; n++) {
      const at = Date.UTC(2026, 1, 1 + (n % 3), n % 5, n);
      const board = boards[n % 2];
      await aPost(author, { at, boardId: board?.boardId, ...(n % 4 === 0 ? { roadmapId: roadmap.roadmapId } : {}) });
    }
    const ids = boards.map(({ boardId }) => boardId);
    const { roadmapId } = roadmap;
    const filters = [{}, { boardId: ids[0] }, { boardId: ids }, { roadmapId }, { roadmapId, boardId: ids[0] }];
    for (const filter of filters) {
      for (const created of ["asc", "desc"]) {
        const all = (await invoke(list, { body: { ...filter, created, limit: 50 } })).body.posts;
        const walked: unknown[] = [];
        for (let after: string | undefined, page = 1; ; page++) {
          const { body } = await invoke(list, { body: { ...filter, created, first: 4, after } });
          expect(body.posts).toEqual(body.results);
          const { count, current_page, has_next_page, end_cursor } = body.page_info;
          expect([count, current_page, body.total_count]).toEqual([body.results.length, page, all.length]);
          expect(body.total_pages).toBe(Math.ceil(all.length / 4));
          walked.push(...body.results);
          after = end_cursor;
          if (!has_next_page) break;
        }
        expect(walked).toEqual(all);
      }
    }
  });

  it("has no paging fields without `first` and `after`, and refuses invalid ones", async () => {
    expect(Object.keys((await invoke(list, { body: { page: 1 } })).body)).toEqual(["posts"]);
    for (const body of [{ first: 0 }, { first: "x" }, { after: "" }, { after: 5 }, { after: "bm8" }]) {
      expect((await invoke(list, { body })).body.code).toBe("VALIDATION_ERROR");
    }
  });
});
