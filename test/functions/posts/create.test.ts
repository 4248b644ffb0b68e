import { beforeAll, describe, expect, it } from "vitest";
import * as posts from "../../../lib/posts/posts.ts";
import { newId } from "../../../lib/values/ids.ts";
import { slugIdOf } from "../../../lib/values/slugs.ts";
import { anId, refusal, success, timeInside } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { aBoard, aMember, aUser, type Person } from "../../support/world/fixtures.ts";
import { worldTitles } from "../../support/world/texts.ts";

describe("POST /posts", () => {
  let member: Person;
  beforeAll(async () => {
    member = await aMember();
  });

  const create = (body: unknown) => portal.post(body, member);

  it("creates a post and answers every field", async () => {
    const { boardId } = await aBoard();
    const contentMarkdown = "  *why not*\r\n\t";
    const title = " Dark mode, please! ";
    const { post } = success(await create({ title, contentMarkdown, boardId: boardId.toUpperCase() }), 201);
    const slugId = slugIdOf(post.postId);
    expect(post).toStrictEqual({
      postId: anId,
      title: "Dark mode, please!",
      slug: `dark-mode-please-${slugId}`,
      slugId,
      contentMarkdown,
      userId: member.userId,
      createdAt: timeInside(post.postId),
      updatedAt: timeInside(post.postId),
      boardId,
      roadmap_id: null,
    });
    expect(Math.abs(Date.parse(post.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  it.each(worldTitles)("keeps the title and the text $title", async ({ title }) => {
    const { post } = success(await create({ title, contentMarkdown: `${title}\n` }), 201);
    expect(post).toMatchObject({ title, contentMarkdown: `${title}\n` });
    expect(await portal.shownPost(post)).toMatchObject({ postId: post.postId, title, contentMarkdown: `${title}\n` });
  });

  it("shows a title without what nobody sees", async () => {
    const { post } = success(await create({ title: "\ufeffDark\tmo\u00adde\u200b\u200f" }), 201);
    expect((await portal.shownPost(post)).title).toBe("Dark mode");
    const reply = await create({ title: "Dark\u202emode" });
    refusal(reply, "VALIDATION_ERROR", "body.title");
    expect(reply.body.errors[0].message).toBe("Must not contain U+202E (character 5)");
  });

  it.each([
    ["nothing", undefined, null],
    ["null", null, null],
    ["empty text", "", ""],
    ["20,000 letters of a byte", "x".repeat(20_000), "x".repeat(20_000)],
    ["5,000 emoji of four bytes", "😀".repeat(5000), "😀".repeat(5000)],
    ["a script", "<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["text in decomposed form", "e\u0301 \ufb01", "e\u0301 \ufb01"],
    ["blanks, byte order marks and separators", " \ufeff\u2028\u00a0 ", " \ufeff\u2028\u00a0 "],
  ])("stores %s as content unchanged", async (_, contentMarkdown, stored) => {
    const { post } = success(await create({ title: "Content", contentMarkdown }), 201);
    expect(post.contentMarkdown).toBe(stored);
    expect((await portal.shownPost(post)).contentMarkdown).toBe(stored);
  });

  it.each([
    ["letters of a byte", "x".repeat(20_001), "20,001"],
    ["letters of two bytes", "ä".repeat(10_001), "20,002"],
    ["letters of three bytes", "漢".repeat(6667), "20,001"],
    ["emoji", "😀".repeat(5001), "20,004"],
  ])("refuses content of more than 20,000 bytes, and says how many it has: %s", async (_, contentMarkdown, bytes) => {
    const reply = await create({ title: "x", contentMarkdown });
    refusal(reply, "VALIDATION_ERROR", "body.contentMarkdown");
    const message = `Must be at most 20,000 bytes in UTF-8, and has ${bytes}`;
    expect(reply.body.errors).toEqual([{ path: "body.contentMarkdown", code: "too_big", message }]);
  });

  it.each(["", " ", "no id", newId(), "00000000-0000-0000-0000-000000000000", "x".repeat(1000)])(
    "answers BOARD_NOT_FOUND to the board %.40j",
    async (boardId) => {
      refusal(await create({ title: "x", boardId }), "BOARD_NOT_FOUND");
    },
  );

  it("puts a post on a hidden board for owners and moderators only", async () => {
    const { boardId } = await aBoard({ display: false });
    refusal(await create({ title: "x", boardId }), "BOARD_NOT_FOUND");
    for (const role of ["owner", "moderator"] as const) {
      const { post } = success(await portal.post({ title: "x", boardId }, await aUser(role)), 201);
      expect(post.boardId).toBe(boardId);
    }
  });
});

describe("POST /posts without a board", () => {
  it("puts the post on the oldest board that the caller may see, on none if there is none", async () => {
    await freshTable();
    const author = await aMember();
    const boardOf = async (boardId: null | undefined, by: Person) =>
      success(await portal.post({ title: "x", boardId }, by), 201).post.boardId;
    expect(await boardOf(undefined, author)).toBeNull();
    const young = await aBoard({ at: Date.UTC(2026, 5, 1) });
    expect(await boardOf(null, author)).toBe(young.boardId);
    const old = await aBoard({ at: Date.UTC(2025, 5, 1) });
    expect(await boardOf(undefined, author)).toBe(old.boardId);
    const oldest = await aBoard({ at: Date.UTC(2024, 5, 1), display: false });
    expect(await boardOf(null, author)).toBe(old.boardId);
    expect(await boardOf(null, await aUser("owner"))).toBe(oldest.boardId);
  });
});

describe("POST /posts with authorId", () => {
  let owner: Person;
  let author: Person;
  beforeAll(async () => {
    owner = await aUser("owner");
    author = await aMember("Grace");
  });

  const postFor = ({ userId }: Person, by: Person) => portal.post({ title: "By mail", authorId: userId }, by);

  it("makes the account the author, who may change the post", async () => {
    const { post } = success(await postFor({ ...author, userId: author.userId.toUpperCase() }, owner), 201);
    expect(post.userId).toBe(author.userId);
    expect((await portal.shownPost(post)).author).toMatchObject({ userId: author.userId, name: "Grace" });
    success(await portal.changePost(post, { title: "Said otherwise" }, author), 200);
    await expectSound();
  });

  it("shows who wrote it to moderators and owners only", async () => {
    const { post } = success(await postFor(author, owner), 201);
    for (const caller of [owner, await aUser("moderator")]) {
      expect(await portal.shownPost(post, caller)).toMatchObject({ by: owner.userId });
    }
    for (const caller of [undefined, author]) {
      expect(JSON.stringify(await portal.shownPost(post, caller))).not.toContain(owner.userId);
    }
    expect(JSON.stringify(await portal.list())).not.toContain(owner.userId);
  });

  it("refuses every caller but the owner, and those who name themselves", async () => {
    for (const role of ["moderator", "member", "suspended"] as const) {
      refusal(await postFor(author, await aUser(role)), "NOT_ENOUGH_PERMISSION");
    }
    const { post } = success(await postFor(author, author), 201);
    expect(await posts.find(post.postId)).not.toHaveProperty("by");
  });
});
