import { describe, expect, it } from "vitest";
import { invoke, refusal } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aMember, aPost, aVote, strangersVote } from "../../support/world/fixtures.ts";
import { avatar } from "../../support/world/resources.ts";

describe("GET /posts/{postId}/votes", () => {
  it("walks through all votes once, in the order they were cast, with paging fields", async () => {
    const voter = await aMember("Grace");
    const post = await aPost(voter);
    const cast = [...(await strangersVote(post.postId, 24)), await aVote(post.postId, voter)];
    const pages = await portal.walk((cursor) => portal.votes(post, voter, { first: "10", ...cursor }));
    for (const [n, { page_info, results, total_count, total_pages, viewerVote }] of pages.entries()) {
      expect({ total_count, total_pages }).toEqual({ total_count: 25, total_pages: 3 });
      expect(page_info).toMatchObject({ current_page: n + 1, count: results.length });
      expect(viewerVote.voteId).toBe(cast.at(-1)?.voteId);
    }
    const walked = pages.flatMap(({ results }) => results);
    expect(walked.map(({ voteId }) => voteId)).toEqual(cast.map(({ voteId }) => voteId));
    const { userId, username } = voter;
    expect(walked.at(-1).user).toEqual({ userId, username, name: "Grace", avatar: avatar(userId) });
  });

  it("answers an empty page for a post without votes", async () => {
    expect(await portal.votes(await aPost(await aMember()))).toEqual({
      results: [],
      page_info: { count: 0, current_page: 1, has_next_page: false, start_cursor: null, end_cursor: null },
      total_count: 0,
      total_pages: 0,
      viewerVote: null,
    });
  });

  it.each(["", "W10"])("refuses the cursor %j", async (after) => {
    const { postId } = await aPost(await aMember());
    const reply = await invoke("posts-votes", { params: { postId }, query: { after } });
    refusal(reply, "VALIDATION_ERROR", "query.after");
  });
});
