import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handler as boardsList } from "../../functions/boards/list.ts";
import { endpoints } from "../../functions/index.ts";
import { handler as roadmapsList } from "../../functions/roadmaps/list.ts";
import { forgedTokens } from "../security/corpus.ts";
import { invoke, type Request, refusal, success } from "../support/http/invoke.ts";
import { newContainer } from "../support/setup.ts";
import { aBoard, aRoadmap, aUser, type Person } from "../support/world/fixtures.ts";

let owner: Person;
beforeAll(async () => {
  owner = await aUser("owner");
  for (const make of [aBoard, aRoadmap]) {
    await make({ name: "Shown" });
    await make({ name: "Hidden", display: false });
  }
});

const names = (items: { name: string }[]) => items.map(({ name }) => name);

async function expectOnlyShown(request: Request): Promise<void> {
  expect(names(success(await invoke(boardsList, request), 200).boards)).toEqual(["Shown"]);
  const roadmaps = await invoke(roadmapsList, { ...request, query: { visibility: "public,private" } });
  expect(names(success(roadmaps, 200).roadmaps)).toEqual(["Shown"]);
}

describe("GET /boards and GET /roadmaps with PUBLIC_READS on", () => {
  beforeAll(() => newContainer({ PUBLIC_READS: "on" }));
  afterAll(() => newContainer({ PUBLIC_READS: "" }));

  it("answer what is displayed without a header, and with any bad one, also the owner's", async () => {
    await expectOnlyShown({});
    const schemes = ["", "  ", owner.token, `Basic ${owner.token}`, "bearer", "Bearer ", `Bearer ${owner.token} x`];
    const forged = (await forgedTokens(owner)).map(({ token }) => `Bearer ${token}`);
    for (const authorization of [...schemes, ...forged]) await expectOnlyShown({ headers: { authorization } });
  });

  it("recognise the caller of a good token", async () => {
    const { boards } = success(await invoke(boardsList, { token: owner.token }), 200);
    expect(names(boards).sort()).toEqual(["Hidden", "Shown"]);
  });

  it("alone stop asking for a token", async () => {
    const opened = endpoints.filter(({ definition }) => definition.access === "bearer unless public reads");
    expect(opened).toEqual([roadmapsList, boardsList]);
    for (const endpoint of endpoints.filter(({ definition }) => definition.access === "bearer")) {
      refusal(await invoke(endpoint), "INVALID_AUTH_HEADER");
    }
  });
});

// Without PUBLIC_READS they refuse such headers: test/security/tokens.test.ts.
