import { describe, expect, it } from "vitest";
import { handler as addVote } from "../../../functions/votes/add.ts";
import { aMember, aPost } from "../../support/fixtures.ts";
import { invoke } from "../../support/invoke.ts";

describe("4.5 POST /votes", () => {
  it("adds the caller's vote and answers the voters", async () => {
    const author = await aMember();
    const voter = await aMember("Grace");
    const post = await aPost(author);
    const { status, body } = await invoke(addVote, { token: voter.token, body: { postId: post.postId } });
    expect(status).toBe(201);
    expect(body.voters.votesCount).toBe(1);
    expect(body.voters.votes).toMatchObject([{ userId: voter.userId, postId: post.postId, name: "Grace" }]);
    expect(body.voters.viewerVote.voteId).toBe(body.voters.votes[0].voteId);
  });

  it("refuses a second vote", async () => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    await invoke(addVote, { token: voter.token, body: { postId } });
    const { status, body } = await invoke(addVote, { token: voter.token, body: { postId: postId.toUpperCase() } });
    expect([status, body.code]).toEqual([409, "VOTE_EXISTS"]);
  });
});
