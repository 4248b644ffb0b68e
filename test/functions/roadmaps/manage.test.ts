import { beforeAll, describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { roadmapList } from "../../../lib/table/post-lists.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { atOnce, carryOutAll, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { writesIn } from "../../support/store/calls.ts";
import { anything } from "../../support/store/items.ts";
import { aKey, aPost, aRoadmap, aUser, type Person } from "../../support/world/fixtures.ts";

let owner: Person;
beforeAll(async () => {
  owner = await aUser("owner");
});

function createRoadmap(name: string) {
  return invoke("roadmaps-create", { token: owner.token, body: { name } });
}

function updateRoadmap(body: object) {
  return invoke("roadmaps-update", { token: owner.token, body });
}

function deleteRoadmap(id: string) {
  return invoke("roadmaps-delete", { token: owner.token, body: { id } });
}

/** Moves the roadmap `to` to the place of `from`, as LogChimp's front end calls them. */
function move(to: string, from: string) {
  return invoke("roadmaps-sort", { token: owner.token, body: { from: { id: from }, to: { id: to } } });
}

function roadmapAt(url: string) {
  return invoke("roadmaps-by-url", { params: { url } });
}

describe("POST /roadmaps", () => {
  it("creates a roadmap, hidden and last", async () => {
    await aRoadmap({ index: 41 });
    const { roadmap } = success(await createRoadmap("Next up"), 201);
    expect(roadmap).toMatchObject({ name: "Next up", url: "next-up", display: false, index: 42 });
    expect(Object.keys(roadmap).sort()).toEqual(["color", "created_at", "display", "id", "index", "name", "url"]);
    refusal(await roadmapAt("next-up"), "ROADMAP_ID_OR_URL_MISSING");
    expect((await portal.roadmaps(owner)).at(-1)?.id).toBe(roadmap.id);
  });
});

describe("PATCH /roadmaps", () => {
  it("publishes a roadmap and changes its fields", async () => {
    const { roadmapId: id, index, color } = await aRoadmap({ display: false });
    const change = { id, name: "Done & dusted", url: "done", display: true };
    expect(success(await updateRoadmap(change), 200).roadmap).toMatchObject({ ...change, index, color });
    const summary = { id, name: "Done & dusted", url: "done", color };
    expect(success(await roadmapAt("done"), 200)).toEqual({ roadmap: summary });
  });

  it("refuses the url of another roadmap, and one that cannot be called", async () => {
    const { roadmapId: id } = await aRoadmap();
    const { url } = await aRoadmap();
    refusal(await updateRoadmap({ id, url }), "ROADMAP_URL_EXISTS");
    for (const bad of ["sort", "a_b"]) refusal(await updateRoadmap({ id, url: bad }), "VALIDATION_ERROR", "body.url");
  });
});

describe("PATCH /roadmaps/sort", () => {
  it("moves `to` to the place of `from`, forwards and backwards; the others keep their order", async () => {
    for (let n = 0; n < 5; n++) await aRoadmap();
    const last = (await portal.roadmaps(owner)).length - 1;
    const steps: [number, number][] = [
      [0, last],
      [last, 0],
      [1, 3],
      [3, 2],
    ];
    for (const [from, to] of steps) {
      const before = await portal.roadmaps(owner);
      const ids = before.map(({ id }) => id);
      const moved = ids[from] as string;
      const answered = success(await move(moved, ids[to] as string), 200).roadmaps;
      const after = await portal.roadmaps(owner);
      expect(answered).toEqual(after);
      expect(after.map(({ id }) => id)).toEqual(ids.toSpliced(from, 1).toSpliced(to, 0, moved));
      expect(after.map(({ index }) => index)).toEqual(before.map(({ index }) => index));
    }
  });

  it("has one tag with the list of a key that may not see hidden roadmaps", async () => {
    const hidden = await aRoadmap({ display: false });
    const { roadmapId: id } = await aRoadmap();
    const { text: token } = await aKey(owner, ["roadmap:update"]);
    const { headers } = await invoke("roadmaps-browse", { token });
    const body = { from: { id }, to: { id } };
    const reply = await invoke("roadmaps-sort", { token, body, headers: { "If-Match": headers.etag as string } });
    const shown = success(reply, 200).roadmaps.map((each: { id: string }) => each.id);
    expect(shown).toContain(id);
    expect(shown).not.toContain(hidden.roadmapId);
  });

  it("writes nothing if `from` is `to`", async () => {
    const { roadmapId: id } = await aRoadmap();
    const reply = await move(id, id);
    success(reply, 200);
    expect(writesIn(reply)).toEqual([]);
  });

  it("loses no roadmap and repeats no index when sorts, creations and deletions meet", async () => {
    const made = (await atOnce(6, () => aRoadmap())).map(({ roadmapId }) => roadmapId);
    const id = (n: number) => made[n] as string;
    const calls = [
      move(id(4), id(0)),
      move(id(1), id(5)),
      createRoadmap("Late"),
      deleteRoadmap(id(3)),
      move(id(0), id(2)),
    ];
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 201, 204, 200]);
    const after = await portal.roadmaps(owner);
    expect(new Set(after.map(({ index }) => index)).size).toBe(after.length);
    const ids = after.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(made.toSpliced(3, 1)));
    expect(ids).not.toContain(id(3));
  });
});

describe("DELETE /roadmaps", () => {
  it("removes the roadmap for all readers immediately, and leaves its posts without a roadmap", async () => {
    const { roadmapId, url } = await aRoadmap();
    const post = await aPost(owner, { roadmapId });
    success(await deleteRoadmap(roadmapId), 204);
    refusal(await roadmapAt(url), "ROADMAP_ID_OR_URL_MISSING");
    expect(await portal.list({ roadmapId })).toEqual([]);
    expect((await portal.shownPost(post)).roadmap).toBeNull();
    expect(await carryOutAll(sweep)).toBe(true);
    expect(await getRange(range.listRows(roadmapList(roadmapId)), anything)).toEqual([]);
    expect(await getRange(range.dayCounts(roadmapList(roadmapId)), anything)).toEqual([]);
  });
});
