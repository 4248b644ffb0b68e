import { describe, expect, it } from "vitest";
import * as posts from "../../../lib/posts/posts.ts";
import type { Placement } from "../../../lib/table/post-lists.ts";
import { expectSound } from "../../support/setup.ts";
import { aBoard, aMember, aPost, aRoadmap } from "../../support/world/fixtures.ts";

describe("A post", () => {
  it("keeps its rows and counts right through every move between no, one and another board, roadmap and status", async () => {
    const boards = [undefined, (await aBoard()).boardId, (await aBoard()).boardId];
    const roadmaps = [undefined, (await aRoadmap()).roadmapId, (await aRoadmap()).roadmapId];
    const placements: Placement[] = boards.flatMap((boardId) =>
      roadmaps.map((roadmapId, n) => ({
        boardId,
        roadmapId,
        status: [undefined, "a", "b"][(boards.indexOf(boardId) + n) % 3],
      })),
    );
    // From each one to itself, and to each later one and back.
    const walk = placements.flatMap((from, n) => [from, from, ...placements.slice(n + 1).flatMap((to) => [to, from])]);
    let post = await aPost(await aMember());
    for (const placement of walk) {
      const moved = await posts.change(post, () => placement);
      if (typeof moved !== "object") throw new Error(moved);
      post = moved;
      await expectSound();
    }
    expect(await posts.find(post.postId)).toEqual(post);
    expect(await posts.destroy(post)).toBe("deleted");
    await expectSound();
  });
});
