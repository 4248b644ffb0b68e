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
    ["PROGRESS", ["progress", "In Progress"]],
    ["in progress", ["In Progress"]],
    ["n p", ["In Progress"]],
    ["%", ["50% a_b"]],
    ["a_b", ["50% a_b"]],
    ["_", ["50% a_b"]],
    ["a.b", []],
    [".*", []],
    ["größe", ["Größe"]],
    ["GRÖSSE", ["Größe"]],
    ["GRO\u0308SSE", ["Größe"]],
    ["straße", ["STRASSE"]],
    ["cafe\u0301", ["Café ☕"]],
    ["☕", ["Café ☕"]],
    ["a/b c+d", ["a/b c+d"]],
    ["/", ["a/b c+d"]],
    ["+", ["a/b c+d"]],
    ["ＰＲＯＧＲＥＳＳ", ["progress", "In Progress"]],
    ["topfit", ["Top\ufb01t"]],
    ["οδος", ["ΟΔΟΣ"]],
    ["οδοσ", ["ΟΔΟΣ"]],
    ["nothing like that", []],
    ["\ufffd", []],
    ["constructor", []],
    ["__proto__", []],
  ])("finds by %j exactly %j", async (name, found) => {
    expect(await find(name)).toEqual(found);
  });

  it("finds hidden roadmaps for owners and moderators only", async () => {
    for (const role of ["owner", "moderator"] as const) {
      const { token } = await aUser(role);
      expect(await find("progress", token)).toEqual(["Hidden progress", "progress", "In Progress"]);
    }
    expect(await find("hidden")).toEqual([]);
  });

  it("accepts tab, line feed and carriage return", async () => {
    for (const name of ["\t", "a\nb", "\r"]) expect(await find(name)).toEqual([]);
  });
});
