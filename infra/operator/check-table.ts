// npm run check-table: compares everything in a table with everything else. docs/operations.md#checking-a-table.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { findingsIn, scan } from "../../lib/data/invariants/check.ts";
import { settings } from "../../lib/runtime/settings.ts";
import { openDataFolder } from "../local/data-folder.ts";
import { startEngine } from "../local/engine/engine.ts";
import { readCommandLine } from "../usage.ts";

const USAGE = "npm run check-table, with DATA_DIR, DYNAMODB_ENDPOINT or TABLE_NAME (docs/operations.md)";

/** Where the table is, in words, and how to let go of it. */
type Place = { name: string; close: () => Promise<void> };

/** Sets the settings to the table that the environment names. */
const openTable = async (): Promise<Place> => {
  const { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: tableName, DATA_DIR: folder } = process.env;
  process.env.TABLE_NAME ||= "feedback-board";
  if (endpoint) return { name: `at ${endpoint}`, close: async () => {} };
  if (tableName && !folder) return { name: `in ${settings().region}`, close: async () => {} };
  return openFolder(resolve(folder || ".data"));
};

const openFolder = async (path: string): Promise<Place> => {
  // npm start writes it into each data folder.
  if (!existsSync(join(path, "signing-secret"))) throw new Error(`${path} is no data folder of npm start`);
  const folder = await openDataFolder(path);
  try {
    const { endpoint, stop } = await startEngine({
      data: folder.path,
      onStart: ({ pid, port }) => pid && folder.hold({ pid, port }),
    });
    process.env.DYNAMODB_ENDPOINT = endpoint;
    return { name: `of ${folder.path}`, close: () => stop().then(folder.release) };
  } catch (error) {
    folder.release();
    throw error;
  }
};

const itemsOf = async ({ name }: Place): ReturnType<typeof scan> => {
  try {
    return await scan();
  } catch (error) {
    if ((error as Error).name !== "ResourceNotFoundException") throw error;
    throw new Error(`There is no table ${settings().tableName} ${name}`);
  }
};

/** Checks the table and prints what is wrong. Returns the exit code: 0 if nothing is. */
const checkTable = async (): Promise<number> => {
  const place = await openTable();
  try {
    const items = await itemsOf(place);
    const findings = findingsIn(items);
    console.log(`Checked ${items.length} items of the table ${settings().tableName} ${place.name}`);
    for (const { at, problem } of findings) console.log(`${at}: ${problem}`);
    console.log(findings.length === 0 ? "No problems" : `Problems: ${findings.length}`);
    if (findings.length > 0) console.log("Writes during a check can look like problems: check again at rest");
    return findings.length === 0 ? 0 : 1;
  } finally {
    await place.close();
  }
};

readCommandLine(USAGE);
try {
  process.exitCode = await checkTable();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
