import { describe, expect, it } from "vitest";
import { handler as addVote } from "../../../functions/votes/add.ts";
import { handler as removeVote } from "../../../functions/votes/remove.ts";
import { newId } from "../../../lib/values/ids.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { aMember, aPost, aStranger, aUser, aVote } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

function call(token: string, postId: unknown) {
  return invoke(removeVote, { token, body: { postId } });
}

describe("DELETE /votes", () => {
  it("removes the caller's vote and answers the others", async () => {
    const [voter, other] = [await aMember(), await aMember()];
    const { postId } = await aPost(voter);
    await aVote(postId, voter);
    const stays = await aVote(postId, other);
    expect(success(await call(voter.token, postId.toUpperCase()), 200)).toStrictEqual({
      voters: { votes: [resource.vote(postId, stays)], votesCount: 1, viewerVote: null },
    });
    expect(success(await call(other.token, postId), 200)).toStrictEqual({
      voters: { votes: [], votesCount: 0, viewerVote: null },
    });
  });

  it("answers the unchanged voters if the caller has not voted", async () => {
    const [voter, other] = [await aMember(), await aMember()];
    const { postId } = await aPost(voter);
    const nobody = { voters: { votes: [], votesCount: 0, viewerVote: null } };
    expect(success(await call(voter.token, postId), 200)).toStrictEqual(nobody);
    const cast = await aVote(postId, other);
    const one = { voters: { votes: [resource.vote(postId, cast)], votesCount: 1, viewerVote: null } };
    for (const _ of [1, 2]) expect(success(await call(voter.token, postId), 200)).toStrictEqual(one);
  });

  it("lets a user vote again, then as the last one", async () => {
    const [voter, other] = [await aMember(), await aMember()];
    const { postId } = await aPost(voter);
    await aVote(postId, voter);
    await aVote(postId, other);
    success(await call(voter.token, postId), 200);
    const { voters } = success(await invoke(addVote, { token: voter.token, body: { postId } }), 201);
    expect(voters.votes.map(({ userId }: { userId: string }) => userId)).toEqual([other.userId, voter.userId]);
  });

  it("answers 100 of the remaining votes and the exact count", async () => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    await aVote(postId, voter);
    const cast = [];
    for (let n = 0; n < 101; n++) cast.push(await aVote(postId, aStranger()));
    const { voters } = success(await call(voter.token, postId), 200);
    const votes = cast.slice(0, 100).map((each) => resource.vote(postId, each));
    expect(voters).toStrictEqual({ votes, votesCount: 101, viewerVote: null });
  });

  it.each([
    undefined,
    null,
    "",
    5,
    true,
    [],
    {},
    "no id",
    newId(),
    "x".repeat(1000),
    "\u0000",
    "\ud800",
    "constructor",
  ])("answers POST_NOT_FOUND to the id %j", async (postId) => {
    refusal(await call((await aMember()).token, postId), "POST_NOT_FOUND");
  });

  it("answers POST_NOT_FOUND to no body", async () => {
    const { token } = await aMember();
    for (const body of [undefined, "", "null", {}])
      refusal(await invoke(removeVote, { token, body }), "POST_NOT_FOUND");
  });

  it("refuses a suspended user, with any id", async () => {
    const suspended = await aUser("suspended");
    const { postId } = await aPost(suspended);
    await aVote(postId, suspended);
    for (const id of [postId, newId(), 5, undefined]) refusal(await call(suspended.token, id), "NOT_ENOUGH_PERMISSION");
  });
});
