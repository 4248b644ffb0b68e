import { beforeEach, describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { carryOutAll, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { overtaken } from "../../support/store/faults.ts";
import { aBoard, aMember, aPost, aRoadmap, aVote, type Person, strangersVote } from "../../support/world/fixtures.ts";

/** Sweeps what a deleted post left behind, and checks that no item names it. */
async function expectNothingOf({ postId }: { postId: string }): Promise<void> {
  await expectSound();
  expect(await carryOutAll(sweep)).toBe(true);
  expect((await scan()).filter(({ pk, sk }) => `${pk} ${sk}`.includes(postId))).toEqual([]);
}

describe("DELETE /posts", () => {
  let author: Person;
  beforeEach(async () => {
    author = await aMember();
  });

  it("removes the post and its votes for all readers immediately", async () => {
    const voter = await aMember();
    const [{ boardId }, { roadmapId }] = [await aBoard(), await aRoadmap()];
    const post = await aPost(author, { boardId, roadmapId });
    const stays = await aPost(author, { boardId, roadmapId });
    await aVote(post.postId, voter);
    await strangersVote(post.postId, 7);
    success(await portal.deletePost({ postId: post.postId.toUpperCase() }, author), 204);
    refusal(await portal.open(post.slug, voter), "POST_NOT_FOUND");
    refusal(await portal.vote(post, voter), "POST_NOT_FOUND");
    refusal(await portal.unvote(post, voter), "POST_NOT_FOUND");
    for (const filter of [{ boardId }, { roadmapId }, { boardId, roadmapId }]) {
      expect(await portal.ids(filter, voter)).toEqual([stays.postId]);
    }
    expect(await portal.ids({ limit: 50 })).not.toContain(post.postId);
    const board = (await portal.boards(voter)).find((each) => each.boardId === boardId);
    expect(board?.post_count).toBe("1");
  });

  it("deletes a vote that is cast between its read and its transaction", async () => {
    const [post, voter] = [await aPost(author), await aMember()];
    const remove = () => portal.deletePost(post, author);
    const { slow: removed, fast: voted } = await overtaken(remove, () => portal.vote(post, voter));
    success(removed, 204);
    success(voted, 201);
    await expectNothingOf(post);
  });

  it("leaves no vote that it overtakes", async () => {
    const [post, voter] = [await aPost(author), await aMember()];
    const vote = () => portal.vote(post, voter);
    const { slow: voted, fast: removed } = await overtaken(vote, () => portal.deletePost(post, author));
    success(removed, 204);
    refusal(voted, "POST_NOT_FOUND");
    await expectNothingOf(post);
  });

  it("answers POST_NOT_FOUND to an id in any other form", async () => {
    const { postId } = await aPost(author);
    const otherForms = [` ${postId}`, `${postId}\n`, `{${postId}}`, postId.replaceAll("-", ""), `urn:uuid:${postId}`];
    for (const id of [...otherForms, [postId]]) {
      refusal(await portal.deletePost({ postId: id }, author), "POST_NOT_FOUND");
    }
  });
});
