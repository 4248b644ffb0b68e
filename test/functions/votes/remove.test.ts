import { beforeEach, describe, expect, it } from "vitest";
import { success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aMember, aPost, aVote, type Person } from "../../support/world/fixtures.ts";
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
});
