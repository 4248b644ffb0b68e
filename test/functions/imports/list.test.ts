import { beforeEach, expect, it } from "vitest";
import * as journal from "../../../lib/moving/journal.ts";
import { invoke, success } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { anImport, aUser } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

// What a whole run reports: test/infra/import/import.test.ts.

async function listed() {
  return success(await invoke("imports-list", { token: (await aUser("owner")).token }), 200).imports;
}

it("shows an import without a report until a run of it is whole", async () => {
  await journal.begin("old-forum", "csv");
  const unfinished = { name: "old-forum", source: "csv", state: "unfinished", createdAt: expect.any(String) };
  expect(await listed()).toEqual([{ ...unfinished, finishedAt: null, found: null, problemCount: null, problems: [] }]);
});

it("keeps the report of the last whole run while another one is under way", async () => {
  await anImport("fider");
  const [whole] = await listed();
  await journal.begin("fider", "fider");
  expect(await listed()).toEqual([{ ...whole, state: "unfinished" }]);
});

it("shows none that was taken back", async () => {
  await anImport("fider");
  await journal.end("fider");
  expect(await listed()).toEqual([]);
});
