import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { settings } from "../../lib/runtime/settings.ts";
import { openDataFolder } from "../local/data-folder.ts";
import { hiddenLoopback, startEngine } from "../local/engine/engine.ts";
import { findLaunch } from "../local/engine/kinds.ts";
import { refuseOpenEngine } from "../local/store.ts";

/** Which tables the commands take, for their usage lines. */
export const TABLES = "with DATA_DIR, DYNAMODB_ENDPOINT or TABLE_NAME (docs/operations.md)";

/** Where the table is, in words, and how to let go of it. */
type Place = { name: string; close: () => Promise<void> };

/** Sets the settings to the table that the environment names. */
async function openTable(): Promise<Place> {
  const { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: tableName, DATA_DIR: folder } = process.env;
  process.env.TABLE_NAME ||= "feedback-board";
  if (endpoint) return { name: `at ${endpoint}`, close: async () => {} };
  if (tableName && !folder) return { name: `in ${settings().region}`, close: async () => {} };
  return openFolder(resolve(folder || ".data"));
}

async function openFolder(path: string): Promise<Place> {
  // npm start writes it into each data folder.
  if (!existsSync(join(path, "signing-secret"))) throw new Error(`${path} is no data folder of npm start`);
  const folder = await openDataFolder(path);
  try {
    refuseOpenEngine(findLaunch(), process.env.ALLOW_OPEN_ENGINE);
    const { endpoint, stop } = await startEngine({
      data: folder.path,
      host: await hiddenLoopback(),
      onStart: ({ pid, endpoint }) => pid && folder.hold({ pid, endpoint }),
    });
    process.env.DYNAMODB_ENDPOINT = endpoint;
    return { name: `of ${folder.path}`, close: () => stop().then(folder.release) };
  } catch (error) {
    folder.release();
    throw error;
  }
}

/** Runs a command on the table that the environment names. The exit code is what `work` returns, or 1 with a clear line. */
export async function onTable(work: (name: string) => Promise<number>): Promise<void> {
  try {
    const { name, close } = await openTable();
    process.exitCode = await work(`${settings().tableName} ${name}`)
      .catch((error) => {
        if (error.name !== "ResourceNotFoundException") throw error;
        throw new Error(`There is no table ${settings().tableName} ${name}`);
      })
      .finally(close);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
