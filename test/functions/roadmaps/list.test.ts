import { beforeAll, describe, expect, it } from "vitest";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { aMember, aRoadmap, aUser, type Person } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

type Query = Record<string, string>;

let member: Person;

async function get(query: Query = {}, { token } = member) {
  return success(await invoke("roadmaps-list", { token, query }), 200);
}

function names(listed: { name: string }[]): string[] {
  return listed.map(({ name }) => name);
}

const empty = { count: 0, current_page: 1, has_next_page: false, end_cursor: null, start_cursor: null };

describe("GET /roadmaps", () => {
  const all: roadmaps.RoadmapRecord[] = [];
  let owner: Person;

  // Seven, made in another order than theirs; two of one index; the roadmaps of index 2 and 10 are hidden.
  beforeAll(async () => {
    await freshTable();
    member = await aMember();
    owner = await aUser("owner");
    for (const index of [5, 1, 3, 3, 2, -4, 10]) {
      all.push(await aRoadmap({ index, name: `R ${index}`, display: index !== 10 && index !== 2 }));
    }
    all.sort((a, b) => a.index - b.index || (a.roadmapId < b.roadmapId ? -1 : 1));
  });

  const shown = () => all.filter(({ display }) => display);
  const hidden = () => all.filter(({ display }) => !display);

  it("answers every field in the order of roadmaps, as results and as roadmaps", async () => {
    const items = shown().map(resource.roadmapItem);
    const cursor = expect.stringMatching(/./);
    expect(await get()).toStrictEqual({
      page_info: { ...empty, count: 5, end_cursor: cursor, start_cursor: cursor },
      total_pages: 1,
      total_count: 5,
      results: items,
      roadmaps: items,
    });
    expect(items.map(({ index }) => index)).toEqual([-4, 1, 3, 3, 5]);
  });

  it("answers all roadmaps that the caller may see at /roadmaps/get, to visitors too", async () => {
    const browsed = async (by?: Person) => success(await invoke("roadmaps-browse", { token: by?.token }), 200).roadmaps;
    expect(await browsed()).toStrictEqual(shown().map(resource.roadmapItem));
    expect(await browsed(owner)).toStrictEqual(all.map(resource.roadmapItem));
  });

  it("accepts a start_cursor as a place: the next page begins after that roadmap", async () => {
    const { page_info } = await get({ first: "1" });
    expect(page_info.start_cursor).toBe(page_info.end_cursor);
    const next = await get({ first: "1", after: page_info.start_cursor });
    expect(next.results[0].id).toBe(shown()[1]?.roadmapId);
    expect(next.page_info.current_page).toBe(2);
  });

  it("shows hidden roadmaps to owners and moderators who ask for them", async () => {
    for (const caller of [owner, await aUser("moderator")]) {
      const named = async (visibility: string) => names((await get({ visibility }, caller)).results);
      for (const word of ["public", "PUBLIC", "Public", "public,public", " public ", "", ","]) {
        expect(await named(word)).toEqual(names(shown()));
      }
      for (const word of ["private", "PRIVATE", ",private"]) expect(await named(word)).toEqual(names(hidden()));
      for (const words of ["public,private", "private,public", "Private, PUBLIC"]) {
        expect(await named(words)).toEqual(names(all));
      }
      expect(names((await get({}, caller)).results)).toEqual(names(shown()));
      const first = await get({ visibility: "private", first: "1" }, caller);
      expect(first).toMatchObject({ total_count: 2, total_pages: 2, page_info: { has_next_page: true } });
    }
  });

  it.each(["secret", "public,secret", "all", "true", "*", "public private", "[public]", "\u0000", "privat\u0117"])(
    "refuses the visibility %j",
    async (visibility) => {
      const reply = await invoke("roadmaps-list", { token: member.token, query: { visibility } });
      refusal(reply, "VALIDATION_ERROR", "query.visibility");
    },
  );

  it("continues after the cursor of a deleted roadmap", async () => {
    const gone = await aRoadmap({ index: 2 });
    const { page_info } = await get({ first: "3" });
    expect(await roadmaps.remove(gone, await roadmaps.allWithOrder())).toBe("removed");
    expect(names((await get({ first: "3", after: page_info.end_cursor })).results)).toEqual(["R 3", "R 3", "R 5"]);
  });
});

describe("GET /roadmaps in a new table", () => {
  it("answers zero pages without roadmaps, and shows 20 by default", async () => {
    await freshTable();
    member = await aMember();
    const nothing = { total_pages: 0, total_count: 0, results: [], roadmaps: [] };
    expect(await get()).toStrictEqual({ page_info: empty, ...nothing });
    for (let n = 0; n < 21; n++) await aRoadmap();
    expect(await get()).toMatchObject({ page_info: { count: 20, has_next_page: true }, total_pages: 2 });
  });
});
