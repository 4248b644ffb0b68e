import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { handler as list } from "../../../functions/roadmaps/list.ts";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { aMember, aRoadmap, aUser, type Person } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

type Query = Record<string, string>;

function names(listed: { name: string }[]): string[] {
  return listed.map(({ name }) => name);
}

describe("GET /roadmaps", () => {
  const made: roadmaps.RoadmapRecord[] = [];
  let member: Person;
  let owner: Person;
  const get = async (query?: Query, { token } = member) =>
    success(await invoke(list, { token, ...(query && { query }) }), 200);
  const bad = async (query: Query, path: string) =>
    refusal(await invoke(list, { token: member.token, query }), "VALIDATION_ERROR", path);

  // Seven, made in another order than theirs; two of one index; the third and the last hidden.
  beforeAll(async () => {
    await freshTable();
    [member, owner] = [await aMember(), await aUser("owner")];
    for (const index of [5, 1, 3, 3, 2, -4, 10]) {
      made.push(await aRoadmap({ index, name: `R ${index}`, display: index !== 10 && index !== 2 }));
    }
    made.sort((a, b) => a.index - b.index || (a.roadmapId < b.roadmapId ? -1 : 1));
  });

  const shown = () => made.filter(({ display }) => display);
  const hidden = () => made.filter(({ display }) => !display);

  it("answers every field in the order of roadmaps, as results and as roadmaps", async () => {
    const body = await get();
    const items = shown().map(resource.roadmapItem);
    expect(body).toStrictEqual({
      page_info: {
        count: 5,
        current_page: 1,
        has_next_page: false,
        end_cursor: expect.stringMatching(/./),
        start_cursor: expect.stringMatching(/./),
      },
      total_pages: 1,
      total_count: 5,
      results: items,
      roadmaps: items,
    });
    expect(items.map(({ index }) => index)).toEqual([-4, 1, 3, 3, 5]);
  });

  it("pages through all roadmaps by end_cursor", async () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (const page of [1, 2, 3]) {
      const body = await get({ first: "2", ...(after && { after }) });
      expect(body.page_info).toMatchObject({
        count: page === 3 ? 1 : 2,
        current_page: page,
        has_next_page: page < 3,
      });
      expect([body.total_pages, body.total_count]).toEqual([3, 5]);
      expect(body.results).toStrictEqual(body.roadmaps);
      seen.push(...body.results.map(({ id }: { id: string }) => id));
      after = body.page_info.end_cursor;
    }
    expect(seen).toEqual(shown().map(({ roadmapId }) => roadmapId));
    const beyond = await get({ first: "2", after: after as string });
    expect(beyond).toStrictEqual({
      page_info: { count: 0, current_page: 3, has_next_page: false, end_cursor: null, start_cursor: null },
      total_pages: 3,
      total_count: 5,
      results: [],
      roadmaps: [],
    });
  });

  it("accepts a start_cursor as a place: the next page begins after that roadmap", async () => {
    const { page_info } = await get({ first: "1" });
    expect(page_info.start_cursor).toBe(page_info.end_cursor);
    const next = await get({ first: "1", after: page_info.start_cursor });
    expect([next.results[0].id, next.page_info.current_page]).toEqual([shown()[1]?.roadmapId, 2]);
  });

  it("shows hidden roadmaps to owners and moderators who ask for them", async () => {
    for (const role of ["owner", "moderator"] as const) {
      const who = await aUser(role);
      const of = async (visibility: string) => names((await get({ visibility }, who)).results);
      for (const word of ["public", "PUBLIC", "Public", "public,public", " public ", "", ","]) {
        expect(await of(word)).toEqual(names(shown()));
      }
      for (const word of ["private", "PRIVATE", ",private"]) expect(await of(word)).toEqual(names(hidden()));
      for (const words of ["public,private", "private,public", "Private, PUBLIC"]) {
        expect(await of(words)).toEqual(names(made));
      }
      expect(names((await get(undefined, who)).results)).toEqual(names(shown()));
    }
  });

  it("counts only the requested visibility in its totals", async () => {
    const body = await get({ visibility: "private", first: "1" }, owner);
    expect([body.total_count, body.total_pages, body.page_info.has_next_page]).toEqual([2, 2, true]);
  });

  it("shows members only public roadmaps, with any visibility", async () => {
    for (const who of [member, await aUser("suspended")]) {
      for (const visibility of ["public", "private", "public,private", ""]) {
        const body = await get({ visibility }, who);
        expect([names(body.results), body.total_count]).toEqual([names(shown()), 5]);
      }
    }
  });

  it.each(["secret", "public,secret", "all", "true", "*", "public private", "[public]", "\u0000", "privat\u0117"])(
    "refuses the visibility %j",
    async (visibility) => {
      await bad({ visibility }, "query.visibility");
      const query = { visibility };
      refusal(await invoke(list, { token: owner.token, query }), "VALIDATION_ERROR", "query.visibility");
    },
  );

  it.each(["", "0", "-1", "1.5", "1e1", "ten", " 1", "+1", "1,2", "null", "NaN"])(
    "refuses first = %j",
    async (first) => {
      await bad({ first }, "query.first");
    },
  );

  it("cuts a first above 100", async () => {
    for (const first of ["101", "9".repeat(400)]) {
      expect(await get({ first })).toMatchObject({ total_pages: 1, page_info: { count: 5, current_page: 1 } });
    }
  });

  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const id = "01890a5d-ac96-774b-bcce-b302099a8057";

  it.each([
    "",
    " ",
    "nonsense",
    "%",
    "null",
    "a,b",
    "=",
    "\u0000",
    "x".repeat(5000),
    encoded(null),
    encoded({}),
    encoded([]),
    encoded([1]),
    encoded([1, id, 2]),
    encoded([1, 5]),
    encoded([1, "no id"]),
    encoded([null, id]),
    encoded(["1", id]),
    encoded({ 0: 1, 1: id, length: 2 }),
    Buffer.from(`[1e999,"${id}"]`).toString("base64url"),
    `${encoded([1, id])}=`,
    `${encoded([1, id])} `,
    Buffer.from(`[1,"${id}"`).toString("base64url"),
    Buffer.from([0xff, 0xfe]).toString("base64url"),
  ])("refuses after = %j", async (after) => {
    await bad({ after }, "query.after");
  });

  it("accepts a well-formed cursor that it did not make", async () => {
    expect(names((await get({ after: encoded([3.5, id]) })).results)).toEqual(["R 5"]);
    expect(names((await get({ after: encoded([3, id.toUpperCase()]) })).results)).toEqual(["R 3", "R 3", "R 5"]);
    expect(names((await get({ after: encoded([-1e300, id]) })).results)).toEqual(names(shown()));
  });

  it("names every invalid field", async () => {
    const query = { first: "0", after: "", visibility: "x" };
    const paths = ["query.first", "query.after", "query.visibility"];
    refusal(await invoke(list, { token: member.token, query }), "VALIDATION_ERROR", ...paths);
  });

  it("goes on after the cursor of a deleted roadmap", async () => {
    const gone = await aRoadmap({ index: 2 });
    const { page_info } = await get({ first: "3" });
    const { roadmaps: all, order } = await roadmaps.allWithOrder();
    expect(all.some(({ roadmapId }) => roadmapId === gone.roadmapId)).toBe(true);
    expect(await roadmaps.remove(gone, { roadmaps: all, order })).toBe("removed");
    const rest = await get({ first: "3", after: page_info.end_cursor });
    expect(names(rest.results)).toEqual(["R 3", "R 3", "R 5"]);
  });
});

describe("GET /roadmaps, edges of the list", () => {
  beforeEach(freshTable);

  it("answers zero pages without roadmaps", async () => {
    const { token } = await aMember();
    expect(success(await invoke(list, { token }), 200)).toStrictEqual({
      page_info: { count: 0, current_page: 1, has_next_page: false, end_cursor: null, start_cursor: null },
      total_pages: 0,
      total_count: 0,
      results: [],
      roadmaps: [],
    });
  });

  it("shows 20 by default, at most 100", async () => {
    const { token } = await aMember();
    for (let n = 0; n < 101; n++) await aRoadmap();
    const counts = async (query?: Query) => {
      const { page_info, total_pages, total_count, results } = success(
        await invoke(list, { token, ...(query && { query }) }),
        200,
      );
      expect(results).toHaveLength(page_info.count);
      return [page_info.count, page_info.has_next_page, total_pages, total_count];
    };
    expect(await counts()).toEqual([20, true, 6, 101]);
    expect(await counts({ first: "1000" })).toEqual([100, true, 2, 101]);
    expect(await counts({ first: "100" })).toEqual([100, true, 2, 101]);
  });
});
