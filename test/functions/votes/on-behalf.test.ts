import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as users from "../../../lib/accounts/users.ts";
import { createdAt } from "../../../lib/values/ids.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { writesIn } from "../../support/store/calls.ts";
import { aMember, aPost, aUser, aVote, type Person } from "../../support/world/fixtures.ts";
import { avatar } from "../../support/world/resources.ts";

let owner: Person;
let voter: Person;
let post: { postId: string };

beforeAll(async () => {
  owner = await aUser("owner");
});

beforeEach(async () => {
  voter = await aMember("Grace");
  post = await aPost(owner);
});

function assign({ userId }: { userId: string }, { postId } = post) {
  return invoke("votes-assign", { token: owner.token, params: { postId, userId } });
}

function unassign({ userId }: { userId: string }, { postId } = post) {
  return invoke("votes-unassign", { token: owner.token, params: { postId, userId } });
}

async function shown(by?: Person) {
  return (await portal.votes(post, by)).results;
}

describe("POST /posts/{postId}/votes/{userId}", () => {
  it("adds a vote of the account, and answers it with who added it", async () => {
    const { userId, username } = voter;
    const reply = await assign({ userId: userId.toUpperCase() }, { postId: post.postId.toUpperCase() });
    const { vote } = success(reply, 200);
    expect(vote).toStrictEqual({
      voteId: vote.voteId,
      createdAt: createdAt(vote.voteId),
      user: { userId, name: "Grace", username, avatar: avatar(userId) },
      by: owner.userId,
    });
    expect(await portal.votes(post, voter)).toMatchObject({ viewerVote: { voteId: vote.voteId }, total_count: 1 });
    await expectSound();
  });

  it("shows who added it to moderators and owners only", async () => {
    await aVote(post.postId, await aMember());
    success(await assign(voter), 200);
    for (const caller of [owner, await aUser("moderator")]) {
      const [own, assigned] = await shown(caller);
      expect(own).not.toHaveProperty("by");
      expect(assigned.by).toBe(owner.userId);
    }
    for (const caller of [undefined, voter, await aUser("suspended")]) {
      expect(JSON.stringify(await shown(caller))).not.toContain(owner.userId);
    }
  });

  it("counts as the account's own vote, which it can take back", async () => {
    success(await assign(voter), 200);
    refusal(await assign(voter), "VOTE_EXISTS");
    refusal(await portal.vote(post, voter), "VOTE_EXISTS");
    expect(success(await portal.unvote(post, voter), 200).voters.votesCount).toBe(0);
  });

  it("shows the account's name after a rename", async () => {
    success(await assign(voter), 200);
    await users.changeProfile(voter, { name: "After" });
    await portal.finishRenames();
    expect((await shown(owner))[0]).toMatchObject({ user: { name: "After" }, by: owner.userId });
  });
});

describe("DELETE /posts/{postId}/votes/{userId}", () => {
  it("removes the vote of an account, its own or an assigned one", async () => {
    const stays = await aVote(post.postId, await aMember());
    await aVote(post.postId, voter);
    success(await unassign(voter), 204);
    success(await assign(voter), 200);
    success(await unassign(voter), 204);
    expect(await shown()).toMatchObject([{ voteId: stays.voteId }]);
    const again = await unassign(voter);
    success(again, 204);
    expect(writesIn(again)).toEqual([]);
    await expectSound();
  });
});
