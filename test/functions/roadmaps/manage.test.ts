import { describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { handler as bySlug } from "../../../functions/posts/by-slug.ts";
import { handler as listPosts } from "../../../functions/posts/list.ts";
import { handler as byUrl } from "../../../functions/roadmaps/by-url.ts";
import { handler as create } from "../../../functions/roadmaps/create.ts";
import { handler as destroy } from "../../../functions/roadmaps/delete.ts";
import { handler as list } from "../../../functions/roadmaps/list.ts";
import { handler as sort } from "../../../functions/roadmaps/sort.ts";
import { handler as update } from "../../../functions/roadmaps/update.ts";
import { range } from "../../../lib/table/keys.ts";
import { roadmapList } from "../../../lib/table/post-lists.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { carryOutAll, invoke } from "../../support/http/invoke.ts";
import { anything } from "../../support/store/items.ts";
import { aPost, aRoadmap, aUser } from "../../support/world/fixtures.ts";

type Item = { id: string; index: number; name: string };

async function all(token: string): Promise<Item[]> {
  return (await invoke(list, { token, query: { first: "100", visibility: "public,private" } })).body.results;
}

async function refusal(endpoint: Parameters<typeof invoke>[0], token: string, body: object) {
  const answer = await invoke(endpoint, { token, body });
  return [answer.status, answer.body?.code];
}

describe("POST /roadmaps", () => {
  it("creates a roadmap, hidden and last", async () => {
    const { token } = await aUser("owner");
    await aRoadmap({ index: 41 });
    const { status, body } = await invoke(create, { token, body: { name: "Next up" } });
    expect(status).toBe(201);
    expect(body.roadmap).toMatchObject({ name: "Next up", url: "next-up", display: false, index: 42 });
    expect(Object.keys(body.roadmap).sort()).toEqual(["color", "created_at", "display", "id", "index", "name", "url"]);
    expect((await invoke(byUrl, { params: { url: "next-up" } })).status).toBe(404);
    expect((await all(token)).at(-1)?.id).toBe(body.roadmap.id);
  });

  it("gives each of many roadmaps created at once its own index and url", async () => {
    const { token } = await aUser("owner");
    const made = await Promise.all(Array.from({ length: 8 }, () => invoke(create, { token, body: { name: "Same" } })));
    expect(made.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const roadmaps = made.map(({ body }) => body.roadmap);
    expect(new Set(roadmaps.map(({ index }) => index)).size).toBe(8);
    expect(new Set(roadmaps.map(({ url }) => url)).size).toBe(8);
  });

  it("is for owners only, like every change of roadmaps", async () => {
    const { token } = await aUser("moderator");
    for (const endpoint of [create, update, destroy, sort]) {
      expect(await refusal(endpoint, token, {})).toEqual([403, "NOT_ENOUGH_PERMISSION"]);
    }
  });
});

describe("PATCH /roadmaps", () => {
  it("publishes a roadmap and changes its fields", async () => {
    const { token } = await aUser("owner");
    const { roadmapId: id, index, color } = await aRoadmap({ display: false });
    const change = { id, name: "Done & dusted", url: "done", display: true };
    const { status, body } = await invoke(update, { token, body: change });
    expect(status).toBe(200);
    expect(body.roadmap).toMatchObject({ ...change, index, color });
    const summary = { id, name: "Done & dusted", url: "done", color };
    expect((await invoke(byUrl, { params: { url: "done" } })).body).toEqual({ roadmap: summary });
  });

  it("refuses the url of another roadmap, invalid input and unknown roadmaps", async () => {
    const { token } = await aUser("owner");
    const [one, two] = [await aRoadmap(), await aRoadmap()];
    expect(await refusal(update, token, { id: one.roadmapId, url: two.url })).toEqual([409, "ROADMAP_URL_EXISTS"]);
    expect(await refusal(update, token, { id: one.roadmapId, url: "sort" })).toEqual([400, "VALIDATION_ERROR"]);
    expect(await refusal(update, token, { id: one.roadmapId, url: "a_b" })).toEqual([400, "VALIDATION_ERROR"]);
    expect(await refusal(update, token, { id: one.roadmapId, display: "yes" })).toEqual([400, "VALIDATION_ERROR"]);
    expect(await refusal(update, token, { id: "nope" })).toEqual([404, "ROADMAP_ID_OR_URL_MISSING"]);
    expect(await refusal(update, token, {})).toEqual([404, "ROADMAP_ID_OR_URL_MISSING"]);
  });
});

describe("PATCH /roadmaps/sort", () => {
  it("moves `to` to the place of `from`, forwards and backwards; the others keep their order", async () => {
    const { token } = await aUser("owner");
    const made = await Promise.all(Array.from({ length: 5 }, () => aRoadmap()));
    const before = await all(token);
    const move = async (from: number, to: number) => {
      const list = await all(token);
      const place = (at: number) => ({ id: (list[at] as Item).id, index: (list[at] as Item).index });
      const { status, body } = await invoke(sort, { token, body: { from: place(to), to: place(from) } });
      expect(status).toBe(200);
      const expected = list.toSpliced(from, 1).toSpliced(to, 0, list[from] as Item);
      const after = await all(token);
      expect(after.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      expect(after.map(({ index }) => index)).toEqual(list.map(({ index }) => index));
      expect(body.roadmaps).toEqual(after);
    };
    const last = before.length - 1;
    await move(0, last);
    await move(last, 0);
    await move(1, 3);
    await move(3, 2);
    expect(made).toHaveLength(5);
  });

  it("changes nothing if `from` is `to`, and refuses unknown roadmaps", async () => {
    const { token } = await aUser("owner");
    const { roadmapId: id } = await aRoadmap();
    const { calls } = await invoke(sort, { token, body: { from: { id }, to: { id } } });
    expect(calls.filter((call) => call.inTransaction)).toEqual([]);
    const none = { id: "00000000-0000-7000-8000-000000000000" };
    expect(await refusal(sort, token, { from: none, to: { id } })).toEqual([404, "ROADMAP_ID_OR_URL_MISSING"]);
    expect(await refusal(sort, token, { from: { id }, to: none })).toEqual([404, "ROADMAP_ID_OR_URL_MISSING"]);
    expect(await refusal(sort, token, { from: { id } })).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("loses no roadmap and repeats no index when sorts, creations and deletions meet", async () => {
    const { token } = await aUser("owner");
    const made = await Promise.all(Array.from({ length: 6 }, () => aRoadmap()));
    const id = (n: number) => made[n]?.roadmapId;
    const answers = await Promise.all([
      invoke(sort, { token, body: { from: { id: id(0) }, to: { id: id(4) } } }),
      invoke(sort, { token, body: { from: { id: id(5) }, to: { id: id(1) } } }),
      invoke(create, { token, body: { name: "Late" } }),
      invoke(destroy, { token, body: { id: id(3) } }),
      invoke(sort, { token, body: { from: { id: id(2) }, to: { id: id(0) } } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 204, 200]);
    const after = await all(token);
    expect(new Set(after.map(({ index }) => index)).size).toBe(after.length);
    const left = made.map(({ roadmapId }) => roadmapId).filter((each) => each !== id(3));
    expect(after.map((each) => each.id)).toEqual(expect.arrayContaining(left));
    expect(after.map((each) => each.id)).not.toContain(id(3));
  });
});

describe("DELETE /roadmaps", () => {
  it("removes the roadmap for all readers at once; its posts stay, and cursors go on", async () => {
    const owner = await aUser("owner");
    const { token } = owner;
    const roadmap = await aRoadmap();
    const next = await aRoadmap();
    const post = await aPost(owner, { roadmapId: roadmap.roadmapId });
    const upTo = (await all(token)).findIndex(({ id }) => id === roadmap.roadmapId) + 1;
    const cursor = (await invoke(list, { token, query: { first: String(upTo) } })).body.page_info.end_cursor;
    expect((await invoke(destroy, { token, body: { id: roadmap.roadmapId } })).status).toBe(204);
    expect((await invoke(byUrl, { params: { url: roadmap.url } })).status).toBe(404);
    expect((await invoke(listPosts, { body: { roadmapId: roadmap.roadmapId } })).body.posts).toEqual([]);
    expect((await invoke(bySlug, { body: { slug: post.slug } })).body.post.roadmap).toBeNull();
    const rest = (await invoke(list, { token, query: { after: cursor } })).body.results;
    expect(rest[0].id).toBe(next.roadmapId);
    expect(await carryOutAll(sweep)).toBe(true);
    expect(await getRange(range.listRows(roadmapList(roadmap.roadmapId)), anything)).toEqual([]);
    expect(await getRange(range.dayCounts(roadmapList(roadmap.roadmapId)), anything)).toEqual([]);
  });
});
