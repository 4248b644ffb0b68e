import { beforeEach, describe, expect, it } from "vitest";
import * as votes from "../../../lib/votes/votes.ts";
import { anId, success, timeInside } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aMember, aPost, aVote, type Person, strangersVote } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

const nobody = { votes: [], votesCount: 0, viewerVote: null };

let voter: Person;
let other: Person;
let postId: string;
beforeEach(async () => {
  [voter, other] = [await aMember("Grace Hopper"), await aMember()];
  postId = (await aPost(other)).postId;
});

async function vote(by: Person, id = postId) {
  return success(await portal.vote({ postId: id }, by), 201).voters;
}

async function unvote(by: Person, id = postId) {
  return success(await portal.unvote({ postId: id }, by), 200).voters;
}

describe("POST /votes", () => {
  it("adds the caller's vote and answers every field", async () => {
    const voters = await vote(voter, postId.toUpperCase());
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

describe("DELETE /votes", () => {
  it("removes the caller's vote, if there is one, and answers the others", async () => {
    await aVote(postId, voter);
    const votes = [resource.vote(postId, await aVote(postId, other))];
    for (const id of [postId.toUpperCase(), postId]) {
      expect(await unvote(voter, id)).toStrictEqual({ votes, votesCount: 1, viewerVote: null });
    }
    expect(await unvote(other)).toStrictEqual(nobody);
  });
});

describe("GET /posts/{postId}/votes", () => {
  it("lists votes in the order they were cast, and the caller's own", async () => {
    const cast = [...(await strangersVote(postId, 7)), await aVote(postId, voter)];
    const { results, viewerVote } = await portal.votes({ postId }, voter, { first: "10" });
    expect(results.map(({ voteId }: { voteId: string }) => voteId)).toEqual(cast.map(({ voteId }) => voteId));
    const { userId, username, name } = voter;
    expect(results.at(-1).user).toEqual({ userId, username, name, avatar: resource.avatar(userId) });
    expect(viewerVote.voteId).toBe(cast.at(-1)?.voteId);
  });
});
