import { beforeEach, describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import { carryOutAll, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { overtaken } from "../../support/store/faults.ts";
import { aBoard, aMember, aPost, aRoadmap, aVote, type Person, strangersVote } from "../../support/world/fixtures.ts";

describe("DELETE /posts", () => {
  let author: Person;
  beforeEach(async () => {
    author = await aMember();
  });

  it("removes the post and its votes for all readers immediately", async () => {
    const voter = await aMember();
    const { boardId } = await aBoard();
    const { roadmapId } = await aRoadmap();
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

  it("deletes votes that commit before it does, and lets none commit later", async () => {
    const one = await aPost(author);
    const other = await aPost(author);
    const voter = await aMember();
    // Rows by rank and by word as well.
    for (const { postId } of [one, other]) await derive(postId);
    const before = await overtaken(
      () => portal.deletePost(one, author),
      () => portal.vote(one, voter),
    );
    expect(before.slow.status).toBe(204);
    expect(before.fast.status).toBe(201);
    const after = await overtaken(
      () => portal.vote(other, voter),
      () => portal.deletePost(other, author),
    );
    success(after.fast, 204);
    refusal(after.slow, "POST_NOT_FOUND");
    await expectSound();
    expect(await carryOutAll(sweep)).toBe(true);
    // Events stay until they expire.
    const left = (await scan()).map(({ pk, sk }) => `${pk} ${sk}`).filter((key) => !/^(EVENTS|NEWS) /.test(key));
    expect(left.filter((key) => key.includes(one.postId) || key.includes(other.postId))).toEqual([]);
  });
});
