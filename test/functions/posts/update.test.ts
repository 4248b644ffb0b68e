import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../lib/values/ids.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { aBoard, aMember, aPost, aRoadmap, aUser, type Person } from "../../support/world/fixtures.ts";

describe("PATCH /posts", () => {
  let author: Person;
  let moderator: Person;
  beforeEach(async () => {
    author = await aMember();
    moderator = await aUser("moderator");
  });

  it("changes title and content for the author, and the slug with it", async () => {
    const post = await aPost(author, { title: "First" });
    const change = { title: "Second thought", contentMarkdown: "# Text" };
    const changed = success(await portal.changePost(post, change, author), 200).post;
    expect(changed).toMatchObject({ ...change, userId: author.userId, slug: `second-thought-${changed.slugId}` });
    expect(changed.updatedAt > changed.createdAt).toBe(true);
  });

  it("finds a post by its last ten slugs, not by an eleventh", async () => {
    const post = await aPost(author, { title: "Zero" });
    const slugs = [post.slug];
    for (let n = 1; n <= 11; n++) {
      slugs.push(success(await portal.changePost(post, { title: `Title ${n}` }, author), 200).post.slug);
    }
    const [first, ...lastTen] = slugs;
    refusal(await portal.open(first), "POST_NOT_FOUND");
    for (const slug of lastTen) expect(await portal.shownPost({ slug })).toMatchObject({ slug: slugs.at(-1) });
  });

  it("removes content by null, and leaves absent fields", async () => {
    const post = await aPost(author, { contentMarkdown: "text" });
    const change = { contentMarkdown: null, title: null };
    const changed = success(await portal.changePost(post, change, author), 200).post;
    expect(changed).toMatchObject({ title: post.title, contentMarkdown: null });
  });

  it("moves a post between boards, roadmaps and none for a moderator, with its rows and counts", async () => {
    const boards = [(await aBoard()).boardId, (await aBoard()).boardId] as const;
    const roadmaps = [(await aRoadmap()).roadmapId, (await aRoadmap()).roadmapId] as const;
    let place: Record<string, string | null> = { boardId: boards[0], roadmapId: roadmaps[0] };
    const post = await aPost(author, { boardId: boards[0], roadmapId: roadmaps[0] });
    for (const move of [{ boardId: boards[1] }, { roadmapId: roadmaps[1] }, { boardId: null, roadmapId: null }]) {
      place = { ...place, ...move };
      const moved = success(await portal.changePost(post, move, moderator), 200).post;
      expect(moved).toMatchObject({ boardId: place.boardId, roadmap_id: place.roadmapId });
      await expectSound();
    }
    expect(await portal.ids({ limit: 50 })).toContain(post.postId);
  });

  it("refuses other members, and an author who moves the post", async () => {
    const post = await aPost(author);
    const { boardId } = await aBoard();
    const { roadmapId } = await aRoadmap();
    refusal(await portal.changePost(post, { title: "Mine" }, await aMember()), "NOT_ENOUGH_PERMISSION");
    for (const place of [{ boardId }, { roadmapId }]) {
      refusal(await portal.changePost(post, place, author), "NOT_ENOUGH_PERMISSION");
    }
  });

  it("locks and unlocks a post for moderators, once, and says so in every answer with one post", async () => {
    const post = await aPost(author);
    for (const isLocked of [true, true, false]) {
      const changed = success(await portal.changePost(post, { isLocked }, moderator), 200).post;
      expect(changed.isLocked).toBe(isLocked);
      expect(success(await portal.changePost(post, { isLocked }, moderator), 200).post).toEqual(changed);
      expect((await portal.shownPost(post)).isLocked).toBe(isLocked);
      const byId = await invoke("posts-by-id", { params: { postId: post.postId } });
      expect(success(byId, 200).post).toMatchObject({ isLocked, updatedAt: changed.updatedAt });
      await expectSound();
    }
  });

  it("leaves the lock to moderators, also while it is on", async () => {
    const post = await aPost(author);
    refusal(await portal.changePost(post, { isLocked: true }, author), "NOT_ENOUGH_PERMISSION");
    refusal(await portal.changePost(post, { isLocked: "yes" }, moderator), "VALIDATION_ERROR", "body.isLocked");
    success(await portal.changePost(post, { isLocked: true }, moderator), 200);
    refusal(await portal.changePost(post, { isLocked: false }, author), "NOT_ENOUGH_PERMISSION");
    // A client may send back what it has read.
    const changed = success(await portal.changePost(post, { title: "Mine", isLocked: true }, author), 200).post;
    expect(changed).toMatchObject({ title: "Mine", isLocked: true });
  });

  it("refuses unknown boards and roadmaps", async () => {
    const post = await aPost(moderator);
    for (const boardId of [newId(), "x"]) {
      refusal(await portal.changePost(post, { boardId }, moderator), "BOARD_NOT_FOUND");
    }
    refusal(await portal.changePost(post, { roadmapId: newId() }, moderator), "ROADMAP_ID_OR_URL_MISSING");
  });

  it.each(["no id", newId(), undefined])("checks the input before the post %j", async (postId) => {
    const bad = { title: "", contentMarkdown: "x".repeat(20_001) };
    const reply = await portal.changePost({ postId }, bad, author);
    refusal(reply, "VALIDATION_ERROR", "body.title", "body.contentMarkdown");
    refusal(await portal.changePost({ postId }, { title: "x" }, author), "POST_NOT_FOUND");
  });

  it("changes a post whose board and roadmap are deleted", async () => {
    const owner = await aUser("owner");
    const { boardId } = await aBoard();
    const { roadmapId } = await aRoadmap();
    const target = await aBoard();
    const post = await aPost(owner, { boardId, roadmapId });
    await invoke("boards-delete", { token: owner.token, body: { boardId } });
    await invoke("roadmaps-delete", { token: owner.token, body: { id: roadmapId } });
    const retitled = success(await portal.changePost(post, { title: "Orphan", boardId }, owner), 200).post;
    expect(retitled).toMatchObject({ title: "Orphan", boardId: null, roadmap_id: null });
    const moved = success(await portal.changePost(post, { boardId: target.boardId }, owner), 200).post;
    expect(moved).toMatchObject({ boardId: target.boardId, roadmap_id: null });
    expect(await portal.ids({ boardId: target.boardId })).toEqual([post.postId]);
    await expectSound();
  });
});
