import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as users from "../../../lib/accounts/users.ts";
import { createdAt } from "../../../lib/values/ids.ts";
import { atOnce, invoke, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { writesIn } from "../../support/store/calls.ts";
import { aMember, aPost, aUser, aVote, type Person, strangersVote } from "../../support/world/fixtures.ts";
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

  it("tells moderators and owners who added it, and nobody else", async () => {
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

  it("refuses a vote where the account voted itself", async () => {
    await aVote(post.postId, voter);
    refusal(await assign(voter), "VOTE_EXISTS");
  });

  it("counts as the account's own vote, which it can take back", async () => {
    success(await assign(voter), 200);
    refusal(await assign(voter), "VOTE_EXISTS");
    refusal(await portal.vote(post, voter), "VOTE_EXISTS");
    expect(success(await portal.unvote(post, voter), 200).voters.votesCount).toBe(0);
  });

  it("makes one vote of 20 calls in parallel, the account's own among them", async () => {
    const replies = await atOnce(20, (n) => (n % 4 === 0 ? portal.vote(post, voter) : assign(voter)));
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(tally(replies)["409 VOTE_EXISTS"]).toBe(19);
    expect(await shown()).toHaveLength(1);
    await expectSound();
  });

  it("adds the votes of twelve accounts in parallel, each once", async () => {
    const voters = await atOnce(12, () => aMember());
    expect(tally(await Promise.all(voters.map((each) => assign(each))))).toEqual({ 200: 12 });
    const userIds = (await shown()).map(({ user }: { user: Person }) => user.userId);
    expect(userIds.toSorted()).toEqual(voters.map(({ userId }) => userId).toSorted());
    await expectSound();
  });

  it("shows the account's name after a rename", async () => {
    success(await assign(voter), 200);
    await users.rename(voter, "After");
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
    await expectSound();
  });

  it("hands the seat of a vote to the next voter", async () => {
    success(await assign(voter), 200);
    await strangersVote(post.postId, 8);
    success(await unassign(voter), 204);
    expect(await shown()).toHaveLength(8);
    await expectSound();
  });

  it("writes nothing without a vote", async () => {
    const reply = await unassign(voter);
    success(reply, 204);
    expect(writesIn(reply)).toEqual([]);
  });
});
