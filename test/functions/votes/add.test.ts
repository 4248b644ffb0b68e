import { beforeEach, describe, expect, it } from "vitest";
import { anId, refusal, success, timeInside } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aMember, aPost, aUser, type Person, strangersVote } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

describe("POST /votes", () => {
  let voter: Person;
  let postId: string;
  beforeEach(async () => {
    voter = await aMember("Grace Hopper");
    postId = (await aPost(await aMember())).postId;
  });

  const vote = async (by: Person) => success(await portal.vote({ postId }, by), 201).voters;

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

  it("lists the votes in the order they were cast", async () => {
    const people = [voter, await aUser("owner"), await aUser("moderator"), await aMember()];
    const userIds = people.map(({ userId }) => userId);
    for (const [n, person] of people.entries()) {
      const { votes, votesCount, viewerVote } = await vote(person);
      expect(votes.map(({ userId }: { userId: string }) => userId)).toEqual(userIds.slice(0, n + 1));
      expect(votesCount).toBe(n + 1);
      expect(viewerVote.userId).toBe(person.userId);
    }
  });

  it("refuses a second vote", async () => {
    await vote(voter);
    for (const id of [postId, postId.toUpperCase()]) {
      refusal(await portal.vote({ postId: id }, voter), "VOTE_EXISTS");
    }
  });

  it("answers 100 votes, the exact count, and the caller's vote beyond them", async () => {
    const cast = await strangersVote(postId, 99);
    const full = await vote(voter);
    expect(full.votes).toHaveLength(100);
    expect(full.votes.slice(0, 99)).toStrictEqual(cast.map((each) => resource.vote(postId, each)));
    const next = await aMember();
    const { votes, votesCount, viewerVote } = await vote(next);
    expect(votes).toStrictEqual(full.votes);
    expect(votesCount).toBe(101);
    expect(viewerVote.userId).toBe(next.userId);
  });
});
