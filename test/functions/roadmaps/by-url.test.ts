import { beforeAll, describe, expect, it } from "vitest";
import { handler as byUrl } from "../../../functions/roadmaps/by-url.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke, type Request } from "../../support/http/invoke.ts";
import { aMember, aRoadmap, aUser } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";
import { badTokens } from "../../support/world/tokens.ts";

function get(url: string, request: Request = {}) {
  return invoke(byUrl, { params: { url }, ...request });
}

describe("GET /roadmaps/{url}", () => {
  beforeAll(async () => {
    await aRoadmap({ url: "later", display: false });
  });

  it("answers exactly four fields, also without a token", async () => {
    const roadmap = await aRoadmap({ url: "in-progress", name: "In Progress 🚧" });
    const expected = { roadmap: resource.roadmap(roadmap) };
    expect(success(await get("in-progress"), 200)).toStrictEqual(expected);
    for (const role of ["member", "suspended"] as const) {
      expect(success(await get("in-progress", { token: (await aUser(role)).token }), 200)).toStrictEqual(expected);
    }
  });

  it("tells owners and moderators also where and whether it is displayed", async () => {
    const roadmap = await aRoadmap({ url: "planned", index: 700, display: false });
    const expected = { roadmap: { ...resource.roadmap(roadmap), index: 700, display: false } };
    for (const role of ["owner", "moderator"] as const) {
      expect(success(await get("planned", { token: (await aUser(role)).token }), 200)).toStrictEqual(expected);
    }
  });

  it.each([
    "nowhere",
    "In-Progress",
    "in-progress ",
    "\ufffd",
    "\u0000",
    "a/b",
    "x".repeat(5000),
    "__proto__",
    "é",
    "",
  ])("answers ROADMAP_ID_OR_URL_MISSING to %j", async (url) => {
    refusal(await get(url), "ROADMAP_ID_OR_URL_MISSING");
  });

  it("finds a roadmap by its url, not by its id", async () => {
    const { roadmapId } = await aRoadmap();
    refusal(await get(roadmapId), "ROADMAP_ID_OR_URL_MISSING");
  });

  it("shows a hidden roadmap to owners and moderators only", async () => {
    for (const role of ["owner", "moderator"] as const) {
      expect(success(await get("later", { token: (await aUser(role)).token }), 200).roadmap.url).toBe("later");
    }
    for (const token of [undefined, (await aMember()).token, (await aUser("suspended")).token]) {
      refusal(await get("later", { token }), "ROADMAP_ID_OR_URL_MISSING");
    }
  });

  it("answers a bad token like none", async () => {
    const owner = await aUser("owner");
    for (const { what, authorization } of await badTokens(owner)) {
      refusal(await get("later", { headers: { authorization } }), "ROADMAP_ID_OR_URL_MISSING");
      const reply = await get("in-progress", { headers: { authorization } });
      expect([what, reply.status]).toEqual([what, 200]);
    }
  });
});
