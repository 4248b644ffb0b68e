import { describe, expect, it } from "vitest";
import { handler as browse } from "../../../functions/boards/browse.ts";
import { handler as deleteBoard } from "../../../functions/boards/delete.ts";
import { handler as bySlug } from "../../../functions/posts/by-slug.ts";
import { handler as list } from "../../../functions/posts/list.ts";
import { handler as update } from "../../../functions/posts/update.ts";
import { handler as deleteRoadmap } from "../../../functions/roadmaps/delete.ts";
import { newId } from "../../../lib/values/ids.ts";
import { refusal } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { aBoard, aMember, aPost, aRoadmap, aUser } from "../../support/world/fixtures.ts";

async function idsOf(filter: object): Promise<string[]> {
  return (await invoke(list, { body: filter })).body.posts.map(({ postId }: { postId: string }) => postId);
}

async function countOf(boardId: string): Promise<string> {
  const { boards } = (await invoke(browse, { query: { limit: "100" } })).body;
  return boards.find((board: { boardId: string }) => board.boardId === boardId).post_count;
}

describe("PATCH /posts", () => {
  it("lets the author change title and content; the slug changes too, and old slugs still lead to the post", async () => {
    const author = await aMember();
    const post = await aPost(author, { title: "First" });
    const change = { id: post.postId, title: "Second thought", contentMarkdown: "# Text" };
    const { status, body } = await invoke(update, { token: author.token, body: change });
    expect(status).toBe(200);
    expect(body.post).toMatchObject({ title: "Second thought", contentMarkdown: "# Text", userId: author.userId });
    expect(body.post.slug).toBe(`second-thought-${body.post.slugId}`);
    expect(body.post.updatedAt > body.post.createdAt).toBe(true);
    for (const slug of [post.slug, body.post.slug]) {
      expect((await invoke(bySlug, { body: { slug } })).body.post).toMatchObject({
        slug: body.post.slug,
        title: "Second thought",
      });
    }
  });

  it("finds a post by its last ten slugs, not by an eleventh", async () => {
    const author = await aMember();
    const { postId, slug } = await aPost(author, { title: "Zero" });
    const slugs = [slug];
    for (let n = 1; n <= 11; n++) {
      const { body } = await invoke(update, { token: author.token, body: { id: postId, title: `Title ${n}` } });
      slugs.push(body.post.slug);
    }
    const found = await Promise.all(slugs.map(async (each) => (await invoke(bySlug, { body: { slug: each } })).status));
    expect(found).toEqual([404, ...Array(11).fill(200)]);
  });

  it("removes content by null, leaves absent fields, and writes nothing if nothing changes", async () => {
    const author = await aMember();
    const { postId: id, title } = await aPost(author, { contentMarkdown: "text" });
    const same = await invoke(update, {
      token: author.token,
      body: { id, title, contentMarkdown: "text", boardId: null },
    });
    expect(same.status).toBe(200);
    expect(same.calls.filter((call) => call.inTransaction)).toEqual([]);
    const { body } = await invoke(update, { token: author.token, body: { id, contentMarkdown: null, title: null } });
    expect(body.post).toMatchObject({ title, contentMarkdown: null });
  });

  it("lets moderators move a post, with its rows and counts", async () => {
    const author = await aMember();
    const { token } = await aUser("moderator");
    const [from, to] = [await aBoard(), await aBoard()];
    const [one, two] = [await aRoadmap(), await aRoadmap()];
    const { postId: id } = await aPost(author, { boardId: from.boardId });
    const move = async (change: object) => (await invoke(update, { token, body: { id, ...change } })).body.post;
    expect(await move({ boardId: to.boardId, roadmapId: one.roadmapId })).toMatchObject({
      boardId: to.boardId,
      roadmap_id: one.roadmapId,
    });
    expect([await idsOf({ boardId: from.boardId }), await idsOf({ boardId: to.boardId })]).toEqual([[], [id]]);
    expect([await countOf(from.boardId), await countOf(to.boardId)]).toEqual(["0", "1"]);
    expect(await idsOf({ boardId: to.boardId, roadmapId: one.roadmapId })).toEqual([id]);
    await move({ boardId: from.boardId });
    expect(await idsOf({ boardId: from.boardId, roadmapId: one.roadmapId })).toEqual([id]);
    expect(await idsOf({ boardId: to.boardId, roadmapId: one.roadmapId })).toEqual([]);
    await move({ roadmapId: two.roadmapId });
    expect([await idsOf({ roadmapId: one.roadmapId }), await idsOf({ roadmapId: two.roadmapId })]).toEqual([[], [id]]);
    expect(await move({ boardId: null, roadmapId: null })).toMatchObject({ boardId: null, roadmap_id: null });
    expect([await idsOf({ boardId: from.boardId }), await idsOf({ roadmapId: two.roadmapId })]).toEqual([[], []]);
    expect([await countOf(from.boardId), await countOf(to.boardId)]).toEqual(["0", "0"]);
    expect(await idsOf({ limit: 50 })).toContain(id);
  });

  it("refuses other members, and an author who moves the post", async () => {
    const author = await aMember();
    const other = await aMember();
    const board = await aBoard();
    const roadmap = await aRoadmap();
    const { postId: id } = await aPost(author);
    const refusal = async (token: string, body: object) => {
      const answer = await invoke(update, { token, body: { id, ...body } });
      return [answer.status, answer.body.code];
    };
    expect(await refusal(other.token, { title: "Mine" })).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
    expect(await refusal(author.token, { boardId: board.boardId })).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
    expect(await refusal(author.token, { roadmapId: roadmap.roadmapId })).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
    const suspended = await aUser("suspended");
    expect(await refusal(suspended.token, { title: "x" })).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
  });

  it("refuses unknown boards, roadmaps and posts, and invalid text", async () => {
    const { token, ...moderator } = await aUser("moderator");
    const { postId: id } = await aPost(moderator);
    const refusal = async (body: object) => {
      const answer = await invoke(update, { token, body });
      return [answer.status, answer.body.code];
    };
    const none = "00000000-0000-7000-8000-000000000000";
    expect(await refusal({ id, boardId: none })).toEqual([404, "BOARD_NOT_FOUND"]);
    expect(await refusal({ id, boardId: "x" })).toEqual([404, "BOARD_NOT_FOUND"]);
    expect(await refusal({ id, roadmapId: none })).toEqual([404, "ROADMAP_ID_OR_URL_MISSING"]);
    expect(await refusal({ id: none, title: "x" })).toEqual([404, "POST_NOT_FOUND"]);
    expect(await refusal({ title: "x" })).toEqual([404, "POST_NOT_FOUND"]);
    expect(await refusal({ id, boardId: 5 })).toEqual([400, "VALIDATION_ERROR"]);
    expect(await refusal({ id, title: " " })).toEqual([400, "VALIDATION_ERROR"]);
    expect(await refusal({ id, contentMarkdown: "x".repeat(20_001) })).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("checks the input before the post", async () => {
    const { token } = await aMember();
    for (const id of ["no id", newId(), undefined]) {
      const reply = await invoke(update, { token, body: { id, title: "", contentMarkdown: 5 } });
      refusal(reply, "VALIDATION_ERROR", "body.title", "body.contentMarkdown");
      refusal(await invoke(update, { token, body: { id, title: "x" } }), "POST_NOT_FOUND");
    }
  });

  it("changes a post whose board and roadmap are deleted", async () => {
    const owner = await aUser("owner");
    const { boardId } = await aBoard();
    const { roadmapId } = await aRoadmap();
    const target = await aBoard();
    const { postId: id } = await aPost(owner, { boardId, roadmapId });
    await invoke(deleteBoard, { token: owner.token, body: { boardId } });
    await invoke(deleteRoadmap, { token: owner.token, body: { id: roadmapId } });
    const renamed = await invoke(update, { token: owner.token, body: { id, title: "Orphan", boardId } });
    expect(renamed.body.post).toMatchObject({ title: "Orphan", boardId: null, roadmap_id: null });
    const moved = await invoke(update, { token: owner.token, body: { id, boardId: target.boardId } });
    expect(moved.body.post).toMatchObject({ boardId: target.boardId, roadmap_id: null });
    expect(await idsOf({ boardId: target.boardId })).toEqual([id]);
    expect(await countOf(target.boardId)).toBe("1");
  });

  it("applies all of many moves at once", async () => {
    const owner = await aUser("owner");
    const boards = await Promise.all(Array.from({ length: 4 }, () => aBoard()));
    const { postId: id } = await aPost(owner, { boardId: boards[0]?.boardId });
    const answers = await Promise.all(
      boards.map(({ boardId }) => invoke(update, { token: owner.token, body: { id, boardId } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
    const found = (await Promise.all(boards.map(({ boardId }) => idsOf({ boardId })))).flat();
    const counts = await Promise.all(boards.map(({ boardId }) => countOf(boardId)));
    expect(found).toEqual([id]);
    expect(counts.toSorted()).toEqual(["0", "0", "0", "1"]);
  });
});
