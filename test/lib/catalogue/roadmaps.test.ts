import { beforeEach, describe, expect, it } from "vitest";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import { newId } from "../../../lib/values/ids.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { aRoadmap } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

describe("The order of the roadmaps, of which a read may see half of another call's write", () => {
  const seen = () => roadmaps.allWithOrder();
  const without = ({ roadmaps: all, order }: roadmaps.OrderedRoadmaps, id: string): roadmaps.OrderedRoadmaps => ({
    roadmaps: all.filter(({ roadmapId }) => roadmapId !== id),
    order,
  });
  const idsOf = ({ roadmaps: all }: roadmaps.OrderedRoadmaps) => all.map(({ roadmapId }) => roadmapId);

  it("keeps the place of a new roadmap in a sort that did not see it", async () => {
    const one = await aRoadmap();
    const two = await aRoadmap();
    const made = await aRoadmap();
    const moved = await roadmaps.move(without(await seen(), made.roadmapId), two.roadmapId, one.roadmapId);
    expect(Array.isArray(moved)).toBe(true);
    expect(idsOf(await seen()).slice(-3)).toEqual([two.roadmapId, one.roadmapId, made.roadmapId]);
    await expectSound();
  });

  it("loses a deleted roadmap in a sort that still saw it", async () => {
    const one = await aRoadmap();
    const two = await aRoadmap();
    const gone = await aRoadmap();
    const before = await seen();
    await roadmaps.remove(gone, before);
    const half = { roadmaps: before.roadmaps, order: (await seen()).order };
    expect(await roadmaps.move(half, gone.roadmapId, one.roadmapId)).toBe("changed meanwhile");
    expect(Array.isArray(await roadmaps.move(half, two.roadmapId, one.roadmapId))).toBe(true);
    await expectSound();
  });

  it("gives a new roadmap a free index beside an unseen one", async () => {
    const unseen = await aRoadmap();
    const fields = { roadmapId: newId(), name: "Next", url: "next-in-order", color: "00aaff", display: true };
    const made = await roadmaps.add(fields, without(await seen(), unseen.roadmapId));
    expect(made).toMatchObject({ index: unseen.index + 1 });
  });

  it("puts a roadmap last whose place was not seen", async () => {
    const made = await aRoadmap();
    await aRoadmap();
    const { order } = await seen();
    const { [made.roadmapId]: _, ...indexes } = order.indexes;
    const entries = [...(await seen()).roadmaps, { sk: "ROADMAP_ORDER" as const, indexes, version: order.version }];
    expect(idsOf(roadmaps.ordered(entries)).at(-1)).toBe(made.roadmapId);
  });
});
