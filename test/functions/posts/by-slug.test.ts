import { describe, expect, it, onTestFinished } from "vitest";
import { idAt } from "../../../lib/values/ids.ts";
import { slugIdOf } from "../../../lib/values/slugs.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { newContainer } from "../../support/setup.ts";
import { overtaken } from "../../support/store/faults.ts";
import { readInPieces } from "../../support/store/partial-reads.ts";
import { aBoard, aMember, aPost, aRoadmap, aUser, aVote, strangersVote } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

describe("POST /posts/slug", () => {
  it("answers every field of the post, with its slugId", async () => {
    const author = await aMember("Ada");
    const voter = await aMember("Grace");
    const board = await aBoard();
    const roadmap = await aRoadmap();
    const at = Date.UTC(2026, 2, 1, 8, 30, 0, 7);
    const place = { boardId: board.boardId, roadmapId: roadmap.roadmapId };
    const { postId, slug } = await aPost(author, { at, ...place, title: "Größer!", contentMarkdown: "" });
    const cast = await aVote(postId, voter);
    expect(await portal.shownPost({ slug }, voter)).toStrictEqual({
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
      tags: [],
      response: null,
      commentsCount: 0,
      isLocked: false,
      isPinned: false,
      slugId: slugIdOf(postId),
      view_voters: true,
    });
  });

  it("finds a post by its exact slug only", async () => {
    const { slug, postId } = await aPost(await aMember(), { title: "Exact É" });
    expect((await portal.shownPost({ slug })).postId).toBe(postId);
    const slugId = slugIdOf(postId);
    const title = slug.slice(0, -slugId.length);
    const lastDigit = slug.endsWith("0") ? "1" : "0";
    for (const near of [
      ...[slug.toUpperCase(), ` ${slug}`, `${slug} `, slug.normalize("NFD"), slug.slice(0, -1), postId],
      ...[slugId, `-${slugId}`, `other-${slugId}`, `${slug.slice(0, -1)}${lastDigit}`, title + slugIdOf(idAt(0))],
    ]) {
      refusal(await portal.open(near), "POST_NOT_FOUND");
    }
  });

  it("shows 100 votes in the order they were cast, the exact count, and the caller's vote beyond them", async () => {
    const post = await aPost(await aMember());
    const votes = (await strangersVote(post.postId, 100)).map((cast) => resource.vote(post.postId, cast));
    const late = await aMember();
    const voters = async (by?: typeof late) => (await portal.shownPost(post, by)).voters;
    expect(await voters(late)).toStrictEqual({ votes, votesCount: 100, viewerVote: null });
    const viewerVote = resource.viewerVote(post.postId, await aVote(post.postId, late));
    expect(await voters()).toStrictEqual({ votes, votesCount: 101, viewerVote: null });
    expect(await voters(late)).toStrictEqual({ votes, votesCount: 101, viewerVote });
  });

  it("shows once a vote that is taken back and cast again between two pages", async () => {
    const post = await aPost(await aMember());
    const voter = await aMember();
    await aVote(post.postId, voter);
    await strangersVote(post.postId, 2);
    readInPieces({ batch: (keys) => keys, page: () => 1 });
    onTestFinished(() => newContainer());
    const { slow } = await overtaken(
      () => portal.shownPost(post),
      async () => {
        success(await portal.unvote(post, voter), 200);
        success(await portal.vote(post, voter), 201);
      },
      ({ input }) => input.ExclusiveStartKey !== undefined,
    );
    const userIds = slow.voters.votes.map(({ userId }) => userId);
    expect(userIds.length).toBe(3);
    expect(new Set(userIds).size).toBe(3);
  });
});

describe("GET /posts/{postId}", () => {
  it("returns the post of POST /posts/slug with the same tag, and the fields of every answer with one post", async () => {
    const owner = await aUser("owner");
    const post = await aPost(await aMember(), { boardId: (await aBoard()).boardId });
    await aVote(post.postId, owner);
    const changed = success(await portal.changePost(post, { title: "Night mode" }, owner), 200).post;
    const moved = success(await portal.setStatus(post, { status: "planned" }, owner), 200).post;
    const byId = await invoke("posts-by-id", { token: owner.token, params: { postId: post.postId } });
    const bySlug = await portal.open(changed.slug, owner);
    const { post: read } = success(byId, 200);
    expect(success(bySlug, 200)).toStrictEqual({ post: read });
    for (const { headers } of [byId, bySlug]) expect(headers.etag).toBe(`"${read.updatedAt}"`);
    expect(moved).toStrictEqual(read);
    const { userId, boardId, roadmap_id, ...same } = changed;
    expect({ ...same, status: read.status, updatedAt: read.updatedAt }).toStrictEqual(read);
    expect(userId).toEqual(post.author.userId);
    expect(boardId).toEqual(post.boardId);
    expect(roadmap_id).toBe(null);
  });
});
