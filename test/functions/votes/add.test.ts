import { describe, expect, it } from "vitest";
import { handler as addVote } from "../../../functions/votes/add.ts";
import { newId } from "../../../lib/values/ids.ts";
import { anId, refusal, success, timeInside } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { aMember, aPost, aStranger, aUser, aVote } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

function call(token: string, postId: unknown) {
  return invoke(addVote, { token, body: { postId } });
}

describe("POST /votes", () => {
  it("adds the caller's vote and answers every field", async () => {
    const [author, voter] = [await aMember(), await aMember("Grace Hopper")];
    const { postId } = await aPost(author);
    const { voters } = success(await call(voter.token, postId.toUpperCase()), 201);
    const [vote] = voters.votes;
    const { userId, username } = voter;
    const own = { voteId: anId, userId, postId, createdAt: timeInside(vote.voteId) };
    expect(voters).toStrictEqual({
      votes: [{ ...own, name: "Grace Hopper", username, avatar: resource.avatar(userId) }],
      votesCount: 1,
      viewerVote: { ...own, voteId: vote.voteId },
    });
  });

  it("lists the votes in the order they were cast, the author's included", async () => {
    const author = await aMember();
    const { postId } = await aPost(author);
    const people = [author, await aUser("owner"), await aUser("moderator"), await aMember()];
    for (const [n, { token, userId }] of people.entries()) {
      const { voters } = success(await call(token, postId), 201);
      expect(voters.votesCount).toBe(n + 1);
      expect(voters.votes.map((each: { userId: string }) => each.userId)).toEqual(
        people.slice(0, n + 1).map((each) => each.userId),
      );
      expect(voters.viewerVote.userId).toBe(userId);
    }
  });

  it("refuses a second vote", async () => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    success(await call(voter.token, postId), 201);
    refusal(await call(voter.token, postId), "VOTE_EXISTS");
    refusal(await call(voter.token, postId.toUpperCase()), "VOTE_EXISTS");
  });

  it("answers 100 votes, the exact count, and the caller's vote beyond them", async () => {
    const { postId } = await aPost(await aMember());
    const cast = [];
    for (let n = 0; n < 99; n++) cast.push(await aVote(postId, aStranger()));
    const [hundredth, next] = [await aMember(), await aMember()];
    const full = success(await call(hundredth.token, postId), 201).voters;
    expect([full.votes.length, full.votesCount]).toEqual([100, 100]);
    expect(full.votes.slice(0, 99)).toStrictEqual(cast.map((each) => resource.vote(postId, each)));
    const { voters } = success(await call(next.token, postId), 201);
    expect(voters.votes).toStrictEqual(full.votes);
    expect([voters.votesCount, voters.viewerVote.userId]).toEqual([101, next.userId]);
  });

  it.each([undefined, null, "", 5, true, [], {}, "no id", newId(), "x".repeat(1000), "\u0000", "\ud800", "__proto__"])(
    "answers POST_NOT_FOUND to the id %j",
    async (postId) => {
      refusal(await call((await aMember()).token, postId), "POST_NOT_FOUND");
    },
  );

  it("answers POST_NOT_FOUND to no body", async () => {
    const { token } = await aMember();
    for (const body of [undefined, "", "null", {}]) refusal(await invoke(addVote, { token, body }), "POST_NOT_FOUND");
  });

  it("refuses a suspended user, with any id", async () => {
    const suspended = await aUser("suspended");
    const { postId } = await aPost(suspended);
    for (const id of [postId, newId(), 5, undefined]) refusal(await call(suspended.token, id), "NOT_ENOUGH_PERMISSION");
  });
});
