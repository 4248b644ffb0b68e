import { describe, expect, it } from "vitest";
import * as portal from "../../support/portal.ts";
import { aMember, aPost, aVote, strangersVote } from "../../support/world/fixtures.ts";
import { avatar } from "../../support/world/resources.ts";

describe("GET /posts/{postId}/votes", () => {
  it("lists votes in the order they were cast, and the caller's own", async () => {
    const voter = await aMember("Grace");
    const post = await aPost(voter);
    const cast = [...(await strangersVote(post.postId, 7)), await aVote(post.postId, voter)];
    const { results, viewerVote } = await portal.votes(post, voter, { first: "10" });
    expect(results.map(({ voteId }: { voteId: string }) => voteId)).toEqual(cast.map(({ voteId }) => voteId));
    const { userId, username } = voter;
    expect(results.at(-1).user).toEqual({ userId, username, name: "Grace", avatar: avatar(userId) });
    expect(viewerVote.voteId).toBe(cast.at(-1)?.voteId);
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
});
