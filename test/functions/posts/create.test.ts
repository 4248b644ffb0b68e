import { describe, expect, it } from "vitest";
import { handler as listBoards } from "../../../functions/boards/list.ts";
import { handler as bySlug } from "../../../functions/posts/by-slug.ts";
import { handler as create } from "../../../functions/posts/create.ts";
import { newId } from "../../../lib/values/ids.ts";
import { slugIdOf } from "../../../lib/values/slugs.ts";
import { anId, refusal, success, timeInside } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { aBoard, aMember, aRoadmap, aUser, type Person } from "../../support/world/fixtures.ts";

let made: Promise<Person> | undefined;
function member(): Promise<Person> {
  made ??= aMember();
  return made;
}

async function call(body: unknown) {
  return invoke(create, { token: (await member()).token, body });
}

describe("POST /posts", () => {
  it("creates a post and answers every field", async () => {
    const { boardId } = await aBoard();
    const { userId } = await member();
    const body = {
      title: " Dark mode, please! ",
      contentMarkdown: "  *why not*\r\n\t",
      boardId: boardId.toUpperCase(),
    };
    const { post } = success(await call(body), 201);
    const slugId = slugIdOf(post.postId);
    expect(post).toStrictEqual({
      postId: anId,
      title: "Dark mode, please!",
      slug: `dark-mode-please-${slugId}`,
      slugId,
      contentMarkdown: "  *why not*\r\n\t",
      userId,
      createdAt: timeInside(post.postId),
      updatedAt: timeInside(post.postId),
      boardId,
      roadmap_id: null,
    });
    expect(Math.abs(Date.parse(post.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  it("creates a post without votes, found by its slug and counted on its board", async () => {
    const board = await aBoard();
    const { token } = await member();
    const { post } = success(await call({ title: "Counted", boardId: board.boardId }), 201);
    const found = success(await invoke(bySlug, { body: { slug: post.slug } }), 200).post;
    expect(found.voters).toEqual({ votes: [], votesCount: 0, viewerVote: null });
    expect(found.board.boardId).toBe(board.boardId);
    const { boards } = success(await invoke(listBoards, { token, query: { limit: "100" } }), 200);
    expect(boards.find(({ boardId }: { boardId: string }) => boardId === board.boardId).post_count).toBe("1");
  });

  it.each([
    ["nothing", undefined, null],
    ["null", null, null],
    ["empty text", "", ""],
    ["20,000 characters", "y".repeat(20_000), "y".repeat(20_000)],
    ["10,000 emoji, 20,000 characters as JavaScript counts", "😀".repeat(10_000), "😀".repeat(10_000)],
    ["a script", "<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["text in decomposed form", "e\u0301 \ufb01", "e\u0301 \ufb01"],
    ["blanks, byte order marks and separators", " \ufeff\u2028\u00a0 ", " \ufeff\u2028\u00a0 "],
  ])("stores %s as content unchanged", async (_, contentMarkdown, stored) => {
    const { post } = success(await call({ title: "Content", contentMarkdown }), 201);
    expect(post.contentMarkdown).toBe(stored);
    const found = success(await invoke(bySlug, { body: { slug: post.slug } }), 200).post;
    expect(found.contentMarkdown).toBe(stored);
  });

  it.each([
    "y".repeat(20_001),
    "😀".repeat(10_001),
    5,
    true,
    [],
    {},
    "a\u0000",
    "\u001b",
    "\u0085",
    "\ud800",
    "\udc00x",
  ])("refuses the content %.20j", async (contentMarkdown) => {
    refusal(await call({ title: "x", contentMarkdown }), "VALIDATION_ERROR", "body.contentMarkdown");
  });

  it.each([
    undefined,
    null,
    "",
    "   ",
    "\n\t",
    5,
    false,
    [],
    ["title"],
    {},
    "x".repeat(256),
    "😀".repeat(128),
    "a\u0000b",
    "\u0007",
    "\u007f",
    "\ud800",
    "a\tb",
    "a\nb",
    "\u200b",
  ])("refuses the title %.20j", async (title) => {
    refusal(await call({ title }), "VALIDATION_ERROR", "body.title");
  });

  it.each(["x", "x".repeat(255), `${" ".repeat(300)}x${"\n".repeat(300)}`, `x${"😀".repeat(127)}`, "a b", "__proto__"])(
    "accepts the title %.20j",
    async (title) => {
      expect(success(await call({ title }), 201).post.title).toBe(title.trim());
    },
  );

  it("refuses a body without a title", async () => {
    for (const body of [undefined, "", "null", {}]) refusal(await call(body), "VALIDATION_ERROR", "body.title");
  });

  it.each(["", " ", "no id", newId(), "00000000-0000-0000-0000-000000000000", "x".repeat(1000)])(
    "answers BOARD_NOT_FOUND to the board %j",
    async (boardId) => {
      refusal(await call({ title: "x", boardId }), "BOARD_NOT_FOUND");
    },
  );

  it.each([5, true, [], [newId()], {}, "a\u0000", "\ud800"])("refuses the board %j", async (boardId) => {
    refusal(await call({ title: "x", boardId }), "VALIDATION_ERROR", "body.boardId");
  });

  it("puts a post on a hidden board for owners and moderators only", async () => {
    const { boardId } = await aBoard({ display: false });
    refusal(await call({ title: "x", boardId }), "BOARD_NOT_FOUND");
    for (const role of ["owner", "moderator"] as const) {
      const { token } = await aUser(role);
      const { post } = success(await invoke(create, { token, body: { title: "x", boardId } }), 201);
      expect(post.boardId).toBe(boardId);
    }
  });

  it("ignores a roadmap and unknown fields", async () => {
    const { roadmapId } = await aRoadmap();
    const extras = { roadmapId, roadmap_id: roadmapId, userId: newId(), postId: newId(), slug: "mine", votesCount: 9 };
    const { post } = success(await call({ title: "x", ...extras }), 201);
    expect(post).toMatchObject({ roadmap_id: null, userId: (await member()).userId });
    expect(post.postId).not.toBe(extras.postId);
    expect(success(await invoke(bySlug, { body: { slug: post.slug } }), 200).post.roadmap).toBeNull();
  });

  it("checks the input before the board", async () => {
    refusal(await call({ title: "", boardId: newId() }), "VALIDATION_ERROR", "body.title");
  });

  it("refuses a suspended user before it checks the input", async () => {
    const { token } = await aUser("suspended");
    for (const body of [{ title: "x" }, {}, { title: 5, boardId: 5 }]) {
      refusal(await invoke(create, { token, body }), "NOT_ENOUGH_PERMISSION");
    }
  });
});

describe("POST /posts without a board", () => {
  it("puts the post on the oldest board that the caller may see, on none if there is none", async () => {
    await freshTable();
    const author = await aMember();
    const boardOf = async (boardId: null | undefined, { token } = author) =>
      success(await invoke(create, { token, body: { title: "x", boardId } }), 201).post.boardId;
    expect(await boardOf(undefined)).toBeNull();
    const young = await aBoard({ at: Date.UTC(2026, 5, 1) });
    expect(await boardOf(null)).toBe(young.boardId);
    const old = await aBoard({ at: Date.UTC(2025, 5, 1) });
    expect(await boardOf(undefined)).toBe(old.boardId);
    const oldest = await aBoard({ at: Date.UTC(2024, 5, 1), display: false });
    expect(await boardOf(null)).toBe(old.boardId);
    expect(await boardOf(null, await aUser("owner"))).toBe(oldest.boardId);
  });
});
