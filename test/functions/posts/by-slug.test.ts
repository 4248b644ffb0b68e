import { describe, expect, it } from "vitest";
import { handler as bySlug } from "../../../functions/posts/by-slug.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { idAt, newId } from "../../../lib/values/ids.ts";
import { slugIdOf } from "../../../lib/values/slugs.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { aBoard, aMember, aPost, aRoadmap, aStranger, aUser, aVote } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";
import { badTokens } from "../../support/world/tokens.ts";

function call(slug: unknown, token?: string) {
  return invoke(bySlug, { body: { slug }, token });
}

describe("POST /posts/slug", () => {
  it("answers every field of the post, with its slugId", async () => {
    const [author, voter] = [await aMember("Ada"), await aMember("Grace")];
    const [board, roadmap] = [await aBoard(), await aRoadmap()];
    const at = Date.UTC(2026, 2, 1, 8, 30, 0, 7);
    const { boardId } = board;
    const { roadmapId } = roadmap;
    const post = await aPost(author, { at, boardId, roadmapId, title: "Größer!", contentMarkdown: "" });
    const { postId } = post;
    const cast = await aVote(postId, voter);
    expect(success(await call(post.slug, voter.token), 200)).toStrictEqual({
      post: {
        postId,
        title: "Größer!",
        slug: `größer-${slugIdOf(postId)}`,
        contentMarkdown: "",
        createdAt: "2026-03-01T08:30:00.007Z",
        updatedAt: "2026-03-01T08:30:00.007Z",
        board: resource.board(board),
        author: resource.author(author),
        roadmap: resource.roadmap(roadmap),
        voters: {
          votes: [resource.vote(postId, cast)],
          votesCount: 1,
          viewerVote: resource.viewerVote(postId, cast),
        },
        status: resource.open,
        response: null,
        commentsCount: 0,
        slugId: slugIdOf(postId),
      },
    });
  });

  it("answers null for fields without a value", async () => {
    const { slug } = await aPost(await aMember());
    const { post } = success(await call(slug), 200);
    expect(post).toMatchObject({
      contentMarkdown: null,
      board: null,
      roadmap: null,
      voters: { votes: [], votesCount: 0, viewerVote: null },
    });
  });

  it("finds a post by its exact slug only", async () => {
    const { slug, postId } = await aPost(await aMember(), { title: "Exact É" });
    success(await call(slug), 200);
    const slugId = slugIdOf(postId);
    for (const near of [
      slug.toUpperCase(),
      ` ${slug}`,
      `${slug} `,
      slug.normalize("NFD"),
      slugId,
      `-${slugId}`,
      `other-${slugId}`,
      `${slug.slice(0, -1)}${slug.endsWith("0") ? "1" : "0"}`,
      slug.slice(0, -1),
      postId,
    ]) {
      refusal(await call(near), "POST_NOT_FOUND");
    }
  });

  it.each([
    undefined,
    null,
    "",
    " ",
    5,
    true,
    {},
    [],
    ["a"],
    "nothing",
    "z".repeat(25),
    slugIdOf(newId()),
    "x".repeat(100_000),
    "\u0000",
    "a\u0000b",
    "\ud800",
    "__proto__",
    "constructor",
  ])("answers POST_NOT_FOUND to the slug %j", async (slug) => {
    refusal(await call(slug), "POST_NOT_FOUND");
  });

  it("answers POST_NOT_FOUND to no body", async () => {
    for (const body of [undefined, "", "null", "{}"]) refusal(await invoke(bySlug, { body }), "POST_NOT_FOUND");
  });

  it("answers POST_NOT_FOUND once the post is deleted", async () => {
    const post = await aPost(await aMember());
    expect(await posts.destroy(post)).toBe("deleted");
    refusal(await call(post.slug), "POST_NOT_FOUND");
  });

  it("shows a hidden board and roadmap to owners and moderators only", async () => {
    const [board, roadmap] = [await aBoard({ display: false }), await aRoadmap({ display: false })];
    const { slug } = await aPost(await aMember(), { boardId: board.boardId, roadmapId: roadmap.roadmapId });
    for (const role of ["owner", "moderator"] as const) {
      const { post } = success(await call(slug, (await aUser(role)).token), 200);
      expect([post.board, post.roadmap]).toEqual([resource.board(board), resource.roadmap(roadmap)]);
    }
    for (const token of [undefined, (await aMember()).token, (await aUser("suspended")).token]) {
      const { post } = success(await call(slug, token), 200);
      expect([post.board, post.roadmap]).toEqual([null, null]);
    }
  });

  it("shows 100 votes in the order they were cast, the exact count, and the caller's vote beyond them", async () => {
    const { slug, postId } = await aPost(await aMember(), { at: Date.UTC(2026, 0, 1) });
    const cast = [];
    for (let n = 0; n < 100; n++) cast.push(await aVote(postId, aStranger()));
    const late = await aMember();
    const voters = async (token?: string) => success(await call(slug, token), 200).post.voters;
    const votes = cast.map((each) => resource.vote(postId, each));
    expect(await voters(late.token)).toStrictEqual({ votes, votesCount: 100, viewerVote: null });
    const own = await aVote(postId, late);
    expect(await voters()).toStrictEqual({ votes, votesCount: 101, viewerVote: null });
    const viewerVote = resource.viewerVote(postId, own);
    expect(await voters(late.token)).toStrictEqual({ votes, votesCount: 101, viewerVote });
  });

  it("answers a bad token like none", async () => {
    const owner = await aUser("owner");
    const { boardId } = await aBoard({ display: false });
    const { slug, postId } = await aPost(owner, { boardId });
    await aVote(postId, owner);
    const anonymous = success(await call(slug), 200);
    expect(anonymous.post).toMatchObject({ board: null, voters: { votesCount: 1, viewerVote: null } });
    for (const { what, authorization } of await badTokens(owner)) {
      const reply = await invoke(bySlug, { body: { slug }, headers: { authorization } });
      expect([what, success(reply, 200)]).toEqual([what, anonymous]);
    }
  });

  it("does not find a post by its title with another slugId", async () => {
    const { slug } = await aPost(await aMember());
    refusal(await call(slug.slice(0, -25) + slugIdOf(idAt(0))), "POST_NOT_FOUND");
  });
});
