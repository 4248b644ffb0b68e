import { describe, expect, it } from "vitest";
import { handler as votesOf } from "../../../functions/posts/votes.ts";
import { handler as addVote } from "../../../functions/votes/add.ts";
import { handler as assignVote } from "../../../functions/votes/assign.ts";
import { handler as removeVote } from "../../../functions/votes/remove.ts";
import { handler as unassignVote } from "../../../functions/votes/unassign.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as renames from "../../../lib/cleanup/renames.ts";
import * as due from "../../../lib/table/due.ts";
import { createdAt, newId } from "../../../lib/values/ids.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aMember, aPost, aStranger, aUser, aVote } from "../../support/world/fixtures.ts";

function assign(token: string, postId: string, userId: string) {
  return invoke(assignVote, { token, params: { postId, userId } });
}
function unassign(token: string, postId: string, userId: string) {
  return invoke(unassignVote, { token, params: { postId, userId } });
}
async function results(postId: string, token?: string) {
  return (await invoke(votesOf, { params: { postId }, token })).body.votes.results;
}

describe("POST /posts/{postId}/votes/{userId}", () => {
  it("adds a vote of the account, and answers it with who added it", async () => {
    const [owner, voter] = [await aUser("owner"), await aMember("Grace")];
    const { postId } = await aPost(voter);
    const { vote } = success(await assign(owner.token, postId.toUpperCase(), voter.userId.toUpperCase()), 200);
    const { userId, username } = voter;
    expect(vote).toStrictEqual({
      voteId: vote.voteId,
      createdAt: createdAt(vote.voteId),
      user: { userId, name: "Grace", username, avatar: expect.stringContaining("gravatar") },
      by: owner.userId,
    });
    const { viewerVote, results: all } = (await invoke(votesOf, { params: { postId }, token: voter.token })).body.votes;
    expect([viewerVote.voteId, all.length]).toEqual([vote.voteId, 1]);
    await expectSound();
  });

  it("tells moderators and owners who added it, and nobody else", async () => {
    const [owner, voter] = [await aUser("owner"), await aMember()];
    const { postId } = await aPost(voter);
    await aVote(postId, await aMember());
    success(await assign(owner.token, postId, voter.userId), 200);
    for (const { token } of [owner, await aUser("moderator")]) {
      const [own, assigned] = await results(postId, token);
      expect([Object.keys(own), assigned.by]).toEqual([["voteId", "createdAt", "user"], owner.userId]);
    }
    for (const token of [undefined, voter.token, (await aUser("suspended")).token]) {
      expect(JSON.stringify(await results(postId, token))).not.toContain(owner.userId);
    }
  });

  it("counts once with the account's own vote, whichever comes first", async () => {
    const [owner, voter] = [await aUser("owner"), await aMember()];
    const { postId } = await aPost(owner);
    await aVote(postId, voter);
    refusal(await assign(owner.token, postId, voter.userId), "VOTE_EXISTS");
    const other = (await aPost(owner)).postId;
    success(await assign(owner.token, other, voter.userId), 200);
    refusal(await assign(owner.token, other, voter.userId), "VOTE_EXISTS");
    refusal(await invoke(addVote, { token: voter.token, body: { postId: other } }), "VOTE_EXISTS");
    const { voters } = success(await invoke(removeVote, { token: voter.token, body: { postId: other } }), 200);
    expect(voters.votesCount).toBe(0);
  });

  it("makes one vote of many calls at once, the account's own among them", async () => {
    const [owner, voter] = [await aUser("owner"), await aMember()];
    const { postId } = await aPost(owner);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 4 === 0
          ? invoke(addVote, { token: voter.token, body: { postId } })
          : assign(owner.token, postId, voter.userId),
      ),
    );
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === "VOTE_EXISTS")).toHaveLength(19);
    expect(await results(postId)).toHaveLength(1);
    await expectSound();
  });

  it("adds the votes of many accounts at once, each once", async () => {
    const owner = await aUser("owner");
    const { postId } = await aPost(owner);
    const voters = await Promise.all(Array.from({ length: 12 }, () => aMember()));
    const replies = await Promise.all(voters.map(({ userId }) => assign(owner.token, postId, userId)));
    for (const reply of replies) success(reply, 200);
    const ids = (await results(postId)).map(({ user }: { user: { userId: string } }) => user.userId);
    expect(ids.toSorted()).toEqual(voters.map(({ userId }) => userId).toSorted());
    await expectSound();
  });

  it("shows the account's name after a rename", async () => {
    const [owner, voter] = [await aUser("owner"), await aMember("Before")];
    const { postId } = await aPost(owner);
    success(await assign(owner.token, postId, voter.userId), 200);
    await users.rename(voter, "After");
    for (const job of await due.waitingIds("RENAMES")) await renames.carryOut(job);
    expect((await results(postId, owner.token))[0]).toMatchObject({ user: { name: "After" }, by: owner.userId });
  });

  it("refuses unknown posts and accounts", async () => {
    const owner = await aUser("owner");
    const { postId } = await aPost(owner);
    for (const userId of [newId(), "nobody", "%", "\u0000"]) {
      refusal(await assign(owner.token, postId, userId), "USER_NOT_FOUND");
    }
    for (const unknown of [newId(), "nothing", "%"]) {
      refusal(await assign(owner.token, unknown, owner.userId), "POST_NOT_FOUND");
    }
    expect(await results(postId)).toEqual([]);
  });
});

describe("DELETE /posts/{postId}/votes/{userId}", () => {
  it("takes back the vote of an account, whoever cast it", async () => {
    const [owner, voter] = [await aUser("owner"), await aMember()];
    const { postId } = await aPost(owner);
    const stays = await aVote(postId, await aMember());
    await aVote(postId, voter);
    expect(success(await unassign(owner.token, postId, voter.userId), 204)).toBeUndefined();
    success(await assign(owner.token, postId, voter.userId), 200);
    success(await unassign(owner.token, postId, voter.userId), 204);
    const left = (await results(postId)).map(({ voteId }: { voteId: string }) => voteId);
    expect(left).toEqual([stays.voteId]);
    await expectSound();
  });

  it("hands the seat of a vote to the next, of one of the first six on a post of more", async () => {
    const [owner, voter] = [await aUser("owner"), await aMember()];
    const { postId } = await aPost(owner);
    success(await assign(owner.token, postId, voter.userId), 200);
    for (let n = 0; n < 8; n++) await aVote(postId, aStranger());
    success(await unassign(owner.token, postId, voter.userId), 204);
    expect(await results(postId)).toHaveLength(8);
    await expectSound();
  });

  it("changes nothing without a vote, and refuses unknown posts and accounts", async () => {
    const [owner, voter] = [await aUser("owner"), await aMember()];
    const { postId } = await aPost(owner);
    const { status, calls } = await unassign(owner.token, postId, voter.userId);
    expect([status, calls.filter(({ writeUnits }) => writeUnits > 0)]).toEqual([204, []]);
    for (const userId of [newId(), "nobody"]) {
      refusal(await unassign(owner.token, postId, userId), "USER_NOT_FOUND");
    }
    for (const unknown of [newId(), "nothing"]) {
      refusal(await unassign(owner.token, unknown, owner.userId), "POST_NOT_FOUND");
    }
  });
});
