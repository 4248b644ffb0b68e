import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { run as erasuresCommand } from "../../../infra/operator/erasures.ts";
import { run as exportCommand } from "../../../infra/operator/export.ts";
import { run as importCommand } from "../../../infra/operator/import.ts";
import { environment } from "../../../lib/runtime/environment.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { aDeployedTable, operateHere, theEngine } from "../../support/process/operate.ts";
import { projectFolder } from "../../support/process/server-process.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { portalOf, writeDump } from "../../support/world/dumps.ts";
import { aDumpFolder } from "../../support/world/imports.ts";
import { aWholeSite } from "../../support/world/whole-site.ts";

// The rights that the documentation names for an operator's commands are those that their calls need.

const { folder } = aDumpFolder();
const problems = ["--problems", join(folder, "problems.csv")];
/** Lets the table do so much in a second that nothing waits for it. */
async function withoutPace(): Promise<void> {
  const OnDemandThroughput = { MaxReadRequestUnits: 1e9, MaxWriteRequestUnits: 1e9 };
  await documentClient().send(new UpdateTableCommand({ TableName: environment().TABLE_NAME, OnDemandThroughput }));
}

/** The rights that a command needs on a deployed table: of an engine here it does not ask the pace. */
async function rightsOf(command: typeof importCommand, ...words: string[]): Promise<string[]> {
  const here = theEngine();
  newContainer({ ...aDeployedTable(), DYNAMODB_ENDPOINT: undefined });
  await withoutPace();
  const { calls, result } = await recordCalls(() => operateHere(command, words));
  newContainer({ ...here, AWS_ENDPOINT_URL_DYNAMODB: undefined });
  expect(result.code, result.output).toBe(0);
  // A transaction needs the rights of its parts.
  const actions = calls.flatMap(({ operation, touches }) =>
    operation === "DescribeTable" ? [operation] : touches.map(({ action }) => action),
  );
  return [...new Set(actions)].sort();
}

/** The rights that a sentence of a document names, from some words on. */
function namedIn(file: string, words: string): string[] {
  const text = readFileSync(join(projectFolder, file), "utf8").replace(/\s+/g, " ");
  const [, sentence = ""] = text.split(words);
  const [rights = ""] = sentence.split(/\.(?: |$)/);
  return [...rights.matchAll(/`(?:dynamodb:)?([A-Z]\w+)`/g)].map(([, name = ""]) => name).sort();
}

it("Imports, undos, restores and exports need the rights that docs/moving.md names", async () => {
  await freshTable();
  await aWholeSite();
  const dump = writeDump(folder, "fider", portalOf());
  const site = join(folder, "site.jsonl");
  const needed = [
    await rightsOf(importCommand, "fider", dump, ...problems),
    await rightsOf(importCommand, "fider", dump, "--write", ...problems),
  ];
  const exports = await rightsOf(exportCommand, "--format", "jsonl", site);
  needed.push(await rightsOf(importCommand, "fider", "--undo"));
  await freshTable();
  needed.push(await rightsOf(importCommand, "jsonl", site, ...problems));
  needed.push(await rightsOf(importCommand, "jsonl", site, "--write", ...problems));
  expect([...new Set(needed.flat())].sort()).toEqual(namedIn("docs/moving.md", "The command needs these rights"));
  expect(exports).toEqual(namedIn("docs/moving.md", "half of the table's read units"));
});

it("Erasures need the rights that docs/operations.md names", async () => {
  await freshTable();
  await aWholeSite();
  const accounts = (await scan()).filter(({ sk, role }) => sk === "USER" && role !== "owner");
  const lines = accounts.map(({ pk }, n) => ({
    userId: pk.replace("USER#", ""),
    votes: n % 2 === 0 ? "keep" : "withdraw",
  }));
  expect(lines.length).toBeGreaterThan(2);
  const list = join(folder, "erased");
  writeFileSync(list, lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(await rightsOf(erasuresCommand, "--again", list)).toEqual(
    namedIn("docs/operations.md", "The second command needs"),
  );
  expect(await rightsOf(erasuresCommand)).toEqual(namedIn("docs/operations.md", "The first command needs"));
});
