import { beforeAll, describe, expect, it } from "vitest";
import type { RoadmapRecord } from "../../../lib/catalogue/roadmaps.ts";
import { invoke, success } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { aMember, aRoadmap, aUser, type Person } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

describe("GET /roadmaps/search/{name}", () => {
  const roadmaps = new Map<string, RoadmapRecord>();
  let member: Person;
  const named = (name: string): RoadmapRecord => roadmaps.get(name) as RoadmapRecord;
  const find = async (name: string, token = member.token): Promise<string[]> => {
    const body = success(await invoke("roadmaps-search", { token, params: { name } }), 200);
    return body.roadmaps.map((item: { name: string }) => item.name);
  };

  beforeAll(async () => {
    await freshTable();
    member = await aMember();
    const latin = ["In Progress", "progress", "50% a_b", "50 axb", "Größe", "STRASSE", "Café ☕", "a/b c+d"];
    const texts = [...latin, "Top\ufb01t", "ΟΔΟΣ"];
    for (const [n, name] of texts.entries()) roadmaps.set(name, await aRoadmap({ name, index: 100 - n }));
    roadmaps.set("Hidden progress", await aRoadmap({ name: "Hidden progress", index: 0, display: false }));
  });

  it("answers every field of each roadmap, in the order of roadmaps", async () => {
    const body = success(await invoke("roadmaps-search", { token: member.token, params: { name: "rogres" } }), 200);
    const found = [named("progress"), named("In Progress")];
    expect(body).toStrictEqual({ roadmaps: found.map(resource.roadmapItem) });
  });

  it.each([
    [
      ["progress", "In Progress"],
      ["PROGRESS", "ＰＲＯＧＲＥＳＳ"],
    ],
    [["In Progress"], ["in progress", "n p"]],
    [["50% a_b"], ["%", "a_b", "_"]],
    [["Größe"], ["größe", "GRÖSSE", "GRO\u0308SSE"]],
    [["STRASSE"], ["straße"]],
    [["Café ☕"], ["cafe\u0301", "☕"]],
    [["a/b c+d"], ["a/b c+d", "/", "+"]],
    [["Top\ufb01t"], ["topfit"]],
    [["ΟΔΟΣ"], ["οδος", "οδοσ"]],
    [[], ["a.b", ".*", "nothing like that", "\ufffd", "constructor", "__proto__", "\t", "a\nb", "\r"]],
  ])("finds exactly %j by each of %j", async (found, texts) => {
    for (const text of texts) expect(await find(text), text).toEqual(found);
  });

  it("finds hidden roadmaps for owners and moderators only", async () => {
    for (const role of ["owner", "moderator"] as const) {
      const { token } = await aUser(role);
      expect(await find("progress", token)).toEqual(["Hidden progress", "progress", "In Progress"]);
    }
    expect(await find("hidden")).toEqual([]);
  });
});
