import { describe, expect, it } from "vitest";
import { handler as listBoards } from "../../../functions/boards/list.ts";
import { handler as bySlug } from "../../../functions/posts/by-slug.ts";
import { handler as destroy } from "../../../functions/posts/delete.ts";
import { handler as list } from "../../../functions/posts/list.ts";
import { handler as addVote } from "../../../functions/votes/add.ts";
import { handler as removeVote } from "../../../functions/votes/remove.ts";
import { newId } from "../../../lib/values/ids.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { aBoard, aMember, aPost, aRoadmap, aStranger, aUser, aVote } from "../../support/world/fixtures.ts";

function call(token: string, body: unknown) {
  return invoke(destroy, { token, body });
}

describe("DELETE /posts", () => {
  it("lets an author delete the post, with an empty answer", async () => {
    const author = await aMember();
    const { postId } = await aPost(author);
    success(await call(author.token, { id: postId.toUpperCase() }), 204);
    refusal(await call(author.token, { id: postId }), "POST_NOT_FOUND");
  });

  it("removes the post and its votes for all readers at once", async () => {
    const [author, voter] = [await aMember(), await aMember()];
    const [{ boardId }, { roadmapId }] = [await aBoard(), await aRoadmap()];
    const { postId, slug } = await aPost(author, { boardId, roadmapId });
    const stays = await aPost(author, { boardId, roadmapId });
    await aVote(postId, voter);
    for (let n = 0; n < 7; n++) await aVote(postId, aStranger());
    success(await call(author.token, { id: postId }), 204);
    const { token } = voter;
    refusal(await invoke(bySlug, { body: { slug }, token }), "POST_NOT_FOUND");
    refusal(await invoke(addVote, { body: { postId }, token }), "POST_NOT_FOUND");
    refusal(await invoke(removeVote, { body: { postId }, token }), "POST_NOT_FOUND");
    for (const filter of [{}, { boardId }, { roadmapId }, { boardId, roadmapId }]) {
      const { posts } = success(await invoke(list, { body: { ...filter, limit: 50 }, token }), 200);
      const ids = posts.map((post: { postId: string }) => post.postId);
      expect(ids).toContain(stays.postId);
      expect(ids).not.toContain(postId);
    }
    const { boards } = success(await invoke(listBoards, { token }), 200);
    expect(boards.find((board: { boardId: string }) => board.boardId === boardId).post_count).toBe("1");
  });

  it("lets moderators and owners delete any post, members their own", async () => {
    const author = await aMember();
    for (const role of ["moderator", "owner"] as const) {
      const { postId } = await aPost(author);
      success(await call((await aUser(role)).token, { id: postId }), 204);
    }
    const { postId } = await aPost(author);
    refusal(await call((await aMember()).token, { id: postId }), "NOT_ENOUGH_PERMISSION");
    success(await call(author.token, { id: postId }), 204);
  });

  it("refuses a suspended author, with any id", async () => {
    const suspended = await aUser("suspended");
    const { postId } = await aPost(suspended);
    for (const id of [postId, newId(), "no id", undefined]) {
      refusal(await call(suspended.token, { id }), "NOT_ENOUGH_PERMISSION");
    }
  });

  it.each([
    undefined,
    null,
    "",
    " ",
    5,
    true,
    [],
    {},
    "no id",
    newId(),
    "x".repeat(1000),
    "\u0000",
    "\ud800",
    "__proto__",
  ])("answers POST_NOT_FOUND to the id %j", async (id) => {
    refusal(await call((await aMember()).token, { id }), "POST_NOT_FOUND");
  });

  it("answers POST_NOT_FOUND to an id in any other form", async () => {
    const author = await aMember();
    const { postId } = await aPost(author);
    for (const id of [
      ` ${postId}`,
      `${postId}\n`,
      `{${postId}}`,
      postId.replaceAll("-", ""),
      `urn:uuid:${postId}`,
      [postId],
    ]) {
      refusal(await call(author.token, { id }), "POST_NOT_FOUND");
    }
    refusal(await call(author.token, { postId }), "POST_NOT_FOUND");
  });

  it("answers POST_NOT_FOUND to no body", async () => {
    const { token } = await aMember();
    for (const body of [undefined, "", "null", {}]) refusal(await call(token, body), "POST_NOT_FOUND");
  });
});
