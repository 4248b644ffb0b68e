import { describe, expect, it } from "vitest";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { aMember, aRoadmap, aUser, type Person } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

function get(url: string, by?: Person) {
  return invoke("roadmaps-by-url", { params: { url }, token: by?.token });
}

describe("GET /roadmaps/{url}", () => {
  it("answers exactly four fields, also to visitors", async () => {
    const roadmap = resource.roadmap(await aRoadmap({ url: "in-progress", name: "In Progress 🚧" }));
    for (const caller of [undefined, await aMember(), await aUser("suspended")]) {
      expect(success(await get("in-progress", caller), 200)).toStrictEqual({ roadmap });
    }
  });

  it("shows its place and whether it is displayed to owners and moderators", async () => {
    const roadmap = await aRoadmap({ url: "planned", index: 700, display: false });
    for (const role of ["owner", "moderator"] as const) {
      expect(success(await get("planned", await aUser(role)), 200)).toStrictEqual({
        roadmap: { ...resource.roadmap(roadmap), index: 700, display: false },
      });
    }
  });

  it("answers ROADMAP_ID_OR_URL_MISSING to any other text, the id too", async () => {
    const { roadmapId } = await aRoadmap({ url: "here" });
    const others = ["nowhere", "Here", "here ", "\ufffd", "\u0000", "a/b", "x".repeat(5000), "__proto__", "é", ""];
    for (const url of [...others, roadmapId]) refusal(await get(url), "ROADMAP_ID_OR_URL_MISSING");
  });
});
