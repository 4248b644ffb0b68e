import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handler as boardsList } from "../../functions/boards/list.ts";
import { endpoints } from "../../functions/index.ts";
import { handler as roadmapsList } from "../../functions/roadmaps/list.ts";
import { newContainer } from "../support/container.ts";
import { invoke, type Request } from "../support/http/invoke.ts";
import { freshTable } from "../support/setup.ts";
import { aBoard, aRoadmap, aUser } from "../support/world/fixtures.ts";
import { badTokens } from "../support/world/tokens.ts";

function set(value: string): void {
  newContainer({ PUBLIC_READS: value });
}

beforeEach(async () => {
  await freshTable();
  await aBoard({ name: "Shown" });
  await aBoard({ name: "Hidden", display: false });
  await aRoadmap({ name: "Shown" });
  await aRoadmap({ name: "Hidden", display: false });
});

afterEach(() => set(""));

function named(items: { name: string }[]) {
  return items.map(({ name }) => name);
}

async function both(request: Request) {
  const [boards, roadmaps] = await Promise.all([invoke(boardsList, request), invoke(roadmapsList, request)]);
  return {
    codes: [boards.body.code, roadmaps.body.code],
    boards: boards.body.boards,
    roadmaps: roadmaps.body.roadmaps,
  };
}

const NONE: [string, Request][] = [
  ["no header", {}],
  ["an empty header", { headers: { authorization: "" } }],
  ["Bearer with nothing behind it", { headers: { authorization: "Bearer " } }],
  ["bearer alone", { headers: { authorization: "bearer" } }],
];

const BAD: [string, Request][] = [
  ["a forged token", { token: "forged" }],
  ["a header of another scheme", { headers: { authorization: "Basic abc" } }],
];

describe("GET /boards and GET /roadmaps with PUBLIC_READS on", () => {
  it.each([...NONE, ...BAD])("answer the displayed boards and roadmaps to a call with %s", async (_, request) => {
    set("on");
    const { codes, boards, roadmaps } = await both(request);
    expect([codes, named(boards), named(roadmaps)]).toEqual([[undefined, undefined], ["Shown"], ["Shown"]]);
  });

  it("show no hidden boards and roadmaps without a token", async () => {
    set("on");
    const { body } = await invoke(roadmapsList, { query: { visibility: "public,private" } });
    expect(named(body.roadmaps)).toEqual(["Shown"]);
  });

  it("answer a stale token like none, of any account", async () => {
    set("on");
    const owner = await aUser("owner");
    for (const { what, authorization } of await badTokens(owner)) {
      const { boards, roadmaps } = await both({ headers: { authorization } });
      expect([what, named(boards), named(roadmaps)]).toEqual([what, ["Shown"], ["Shown"]]);
    }
  });

  it("recognise the caller of a valid token", async () => {
    set("on");
    const { boards } = await both({ token: (await aUser("owner")).token });
    expect(named(boards).sort()).toEqual(["Hidden", "Shown"]);
  });

  it("refuse invalid input", async () => {
    set("on");
    const { status, body } = await invoke(boardsList, { query: { page: "0" } });
    expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("are the only endpoints that answer without a token", async () => {
    set("on");
    for (const endpoint of endpoints) {
      const { access, name } = endpoint.definition;
      if (access !== "bearer") continue;
      const { status, body } = await invoke(endpoint);
      expect([name, status, body.code]).toEqual([name, 401, "INVALID_AUTH_HEADER"]);
    }
    const opened = endpoints.filter(({ definition }) => definition.access === "bearer unless public reads");
    expect(opened.map(({ definition }) => definition.name)).toEqual(["roadmaps-list", "boards-list"]);
  });
});

describe("GET /boards and GET /roadmaps with PUBLIC_READS off", () => {
  it.each(NONE)("refuse a call with %s", async (name, request) => {
    const code = name.includes("earer") ? "INVALID_AUTH_HEADER_FORMAT" : "INVALID_AUTH_HEADER";
    expect((await both(request)).codes).toEqual([code, code]);
  });

  it("refuse a forged token", async () => {
    expect((await both({ token: "forged" })).codes).toEqual(["INVALID_TOKEN", "INVALID_TOKEN"]);
  });
});
