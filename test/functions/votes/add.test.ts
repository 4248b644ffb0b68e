import { beforeEach, describe, expect, it } from "vitest";
import * as votes from "../../../lib/votes/votes.ts";
import { anId, success, timeInside } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aMember, aPost, type Person, strangersVote } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

describe("POST /votes", () => {
  let voter: Person;
  let postId: string;
  beforeEach(async () => {
    voter = await aMember("Grace Hopper");
    postId = (await aPost(await aMember())).postId;
  });

  it("adds the caller's vote and answers every field", async () => {
    const { voters } = success(await portal.vote({ postId: postId.toUpperCase() }, voter), 201);
    const { userId, username } = voter;
    const { voteId } = voters.votes[0];
    const viewerVote = { voteId, userId, postId, createdAt: timeInside(voteId) };
    expect(voters).toStrictEqual({
      votes: [{ ...viewerVote, name: "Grace Hopper", username, avatar: resource.avatar(userId) }],
      votesCount: 1,
      viewerVote,
    });
    expect(voteId).toEqual(anId);
  });

  it("answers all votes where more than the seats were cast since the post was read", async () => {
    const before = await votes.summary(postId);
    const cast = await strangersVote(postId, 7);
    const after = await votes.votersOf(postId, before);
    expect(after?.votes.map(({ userId }) => userId)).toEqual(cast.map(({ userId }) => userId));
    expect(after?.total).toBe(7);
  });
});
