import { afterEach, describe, expect } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { atOnce, carryOutAll, handOver, type Reply, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { conflicts, withFaults } from "../../support/store/faults.ts";
import { aBoard, aMember, aPost, aRoadmap, aUser, type Person } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";
import type { Random } from "../../support/world/random.ts";

afterEach(expectSound);

function create(by: Person, boardId: string): Promise<Reply> {
  return portal.post({ title: "One of many", boardId }, by);
}

describe("POST /posts and DELETE /posts in parallel", () => {
  generated("creates 40 posts, each met by up to three conflicts, and deletes each once", async ({ below }) => {
    const [author, { boardId }] = [await aMember(), await aBoard()];
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

  /** Who does what to which post, at random, while boards and roadmaps go and the sweeper comes after them. */
  const turmoil = async ({ below, oneOf }: Random): Promise<void> => {
    const owner = await aUser("owner");
    const someBoards = await atOnce(4, () => aBoard());
    const someRoadmaps = [await aRoadmap(), await aRoadmap(), await aRoadmap()];
    const boardIds = someBoards.map(({ boardId }) => boardId);
    const roadmapIds = someRoadmaps.map(({ roadmapId }) => roadmapId);
    const ids = (await atOnce(12, () => aPost(owner, { boardId: oneOf(boardIds), roadmapId: oneOf(roadmapIds) }))).map(
      ({ postId }) => postId,
    );
    const move = (postId: string, place: object) => portal.changePost({ postId }, place, owner);
    const actions: (() => Promise<unknown>)[] = [
      () => create(owner, oneOf(boardIds)),
      () => move(oneOf(ids), { boardId: oneOf([...boardIds, null]) }),
      () => move(oneOf(ids), { roadmapId: oneOf([...roadmapIds, null]) }),
      () => move(oneOf(ids), { boardId: oneOf(boardIds), roadmapId: oneOf(roadmapIds), title: "Moved" }),
      () => portal.deletePost({ postId: oneOf(ids) }, owner),
    ];
    const removals = [
      () => boards.remove(someBoards[0] as boards.BoardRecord),
      async () => roadmaps.remove(someRoadmaps[0] as roadmaps.RoadmapRecord, await roadmaps.allWithOrder()),
      async () => handOver(sweep, ...(await due.waitingIds("DELETED")).map(key.tombstone)),
    ];
    const client = async (n: number): Promise<void> => {
      for (let step = 0; step < 6; step++) {
        const outcome = await (n < removals.length && step === 2 + n ? removals[n] : oneOf(actions))?.();
        const status = (outcome as Partial<Reply>).status ?? 200;
        expect([200, 201, 204, 404]).toContain(status);
      }
    };
    await withFaults(conflicts(1, below), () => atOnce(10, client));
    await expectSound();
    expect(await carryOutAll(sweep)).toBe(true);
    await expectSound();
  };

  generated(
    "keeps rows, counts and claims right while posts, boards and roadmaps come, move and go",
    async (seeded) => {
      for (let round = 0; round < seeded.times(4); round++) await turmoil(seeded);
      const gone = (await scan()).filter(({ pk }) => pk === "DELETED");
      expect(gone).toEqual([]);
    },
  );
});
