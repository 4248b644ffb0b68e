import { afterEach, describe, expect, it } from "vitest";
import * as boards from "../../../lib/catalogue/boards.ts";
import { atOnce, type Reply, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { conflicts, withFaults } from "../../support/store/faults.ts";
import { aBoard, aMember, type Person } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";

afterEach(expectSound);

function create(by: Person, boardId: string): Promise<Reply> {
  return portal.post({ title: "One of many", boardId }, by);
}

describe("POST /posts and DELETE /posts in parallel", () => {
  generated("creates 40 posts, each met by up to three conflicts, and deletes each once", async ({ below }) => {
    const author = await aMember();
    const { boardId } = await aBoard();
    const created = await withFaults(conflicts(3, below), () => atOnce(40, () => create(author, boardId)));
    expect(tally(created)).toEqual({ 201: 40 });
    expect((await boards.find(boardId))?.postCount).toBe(40);
    await expectSound();
    const ids = created.map(({ body }) => body.post.postId);
    const deleted = await withFaults(conflicts(2, below), () =>
      atOnce(80, (n) => portal.deletePost({ postId: ids[n % 40] }, author)),
    );
    expect(tally(deleted)).toEqual({ 204: 40, "404 POST_NOT_FOUND": 40 });
    expect((await boards.find(boardId))?.postCount).toBe(0);
  });

  it("puts posts on their board until it is deleted, and on no board afterwards", async () => {
    const author = await aMember();
    const board = await aBoard();
    const calls = atOnce(24, () => create(author, board.boardId));
    const [created, removed] = await Promise.all([calls, boards.remove(board)]);
    expect(removed).toBe("removed");
    for (const answer of Object.keys(tally(created))) expect(["201", "404 BOARD_NOT_FOUND"]).toContain(answer);
  });
});
