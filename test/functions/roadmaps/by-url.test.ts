import { describe, expect, it } from "vitest";
import { handler as update } from "../../../functions/roadmaps/update.ts";
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

  it("tells owners and moderators also where and whether it is displayed", async () => {
    const roadmap = await aRoadmap({ url: "planned", index: 700, display: false });
    for (const role of ["owner", "moderator"] as const) {
      expect(success(await get("planned", await aUser(role)), 200)).toStrictEqual({
        roadmap: { ...resource.roadmap(roadmap), index: 700, display: false },
      });
    }
  });

  it.each(["nowhere", "Here", "here ", "\ufffd", "\u0000", "a/b", "x".repeat(5000), "__proto__", "é", ""])(
    "answers ROADMAP_ID_OR_URL_MISSING to %.20j",
    async (url) => {
      if (url === "nowhere") await aRoadmap({ url: "here" });
      refusal(await get(url), "ROADMAP_ID_OR_URL_MISSING");
    },
  );

  it("carries the tag that a change expects, the same for every caller", async () => {
    const { roadmapId: id } = await aRoadmap({ url: "soon" });
    const owner = await aUser("owner");
    const { etag = "" } = (await get("soon")).headers;
    expect((await get("soon", owner)).headers.etag).toBe(etag);
    const change = (name: string) =>
      invoke(update, { token: owner.token, headers: { "if-match": etag }, body: { id, name } });
    success(await change("Sooner"), 200);
    refusal(await change("Soonest"), "CHANGED_MEANWHILE");
  });

  it("finds a roadmap by its url, not by its id", async () => {
    refusal(await get((await aRoadmap()).roadmapId), "ROADMAP_ID_OR_URL_MISSING");
  });
});
