import { beforeEach, describe, expect, it } from "vitest";
import { handler as removeVote } from "../../../functions/votes/remove.ts";
import { newId } from "../../../lib/values/ids.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aMember, aPost, aVote, type Person, strangersVote } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

describe("DELETE /votes", () => {
  const nobody = { votes: [], votesCount: 0, viewerVote: null };
  let voter: Person;
  let other: Person;
  let postId: string;
  beforeEach(async () => {
    voter = await aMember();
    other = await aMember();
    postId = (await aPost(voter)).postId;
  });

  const unvote = async (by: Person, id = postId) => success(await portal.unvote({ postId: id }, by), 200).voters;

  it("removes the caller's vote and answers the others", async () => {
    await aVote(postId, voter);
    const votes = [resource.vote(postId, await aVote(postId, other))];
    expect(await unvote(voter, postId.toUpperCase())).toStrictEqual({ votes, votesCount: 1, viewerVote: null });
    expect(await unvote(other)).toStrictEqual(nobody);
  });

  it("answers the unchanged voters if the caller has not voted", async () => {
    expect(await unvote(voter)).toStrictEqual(nobody);
    const votes = [resource.vote(postId, await aVote(postId, other))];
    for (const _ of [1, 2]) expect(await unvote(voter)).toStrictEqual({ votes, votesCount: 1, viewerVote: null });
  });

  it("allows a user to vote again, then as the last one", async () => {
    await aVote(postId, voter);
    await aVote(postId, other);
    await unvote(voter);
    const { voters } = success(await portal.vote({ postId }, voter), 201);
    expect(voters.votes.map(({ userId }: Person) => userId)).toEqual([other.userId, voter.userId]);
  });

  it("answers 100 of the remaining votes and the exact count", async () => {
    await aVote(postId, voter);
    const cast = await strangersVote(postId, 101);
    const votes = cast.slice(0, 100).map((each) => resource.vote(postId, each));
    expect(await unvote(voter)).toStrictEqual({ votes, votesCount: 101, viewerVote: null });
  });

  it.each([null, "", 5, [], "no id", newId(), "x".repeat(1000), "\u0000", "\ud800", "constructor"])(
    "answers POST_NOT_FOUND to the id %.40j",
    async (id) => {
      refusal(await portal.unvote({ postId: id }, voter), "POST_NOT_FOUND");
    },
  );

  it("answers POST_NOT_FOUND to no body", async () => {
    for (const body of [undefined, "", "null", {}]) {
      refusal(await invoke(removeVote, { token: voter.token, body }), "POST_NOT_FOUND");
    }
  });
});
