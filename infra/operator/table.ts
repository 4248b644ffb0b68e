import { existsSync } from "node:fs";
import { join } from "node:path";
import { environment } from "../../lib/runtime/environment.ts";
import { dataFolderPath, openDataFolder } from "../local/data-folder.ts";
import { hiddenLoopback, startEngine } from "../local/engine/engine.ts";
import { findLaunch } from "../local/engine/kinds.ts";
import { refuseOpenEngine, requireStore } from "../local/store.ts";

export const TABLES = "with DATA_DIR, DYNAMODB_ENDPOINT or TABLE_NAME (docs/operations.md)";

/** Where the table is, in words; `close` stops the engine that was started for it. */
type Place = { name: string; close: () => Promise<void> };

/** Points the environment at the table that the environment names. */
async function openTable(): Promise<Place> {
  const { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: tableName, DATA_DIR: folder } = process.env;
  process.env.TABLE_NAME ||= "feedback-board";
  if (endpoint) {
    await requireStore(endpoint, 0);
    return { name: `at ${endpoint}`, close: async () => {} };
  }
  if (tableName && !folder) return { name: `in ${environment().AWS_REGION}`, close: async () => {} };
  return openFolder(dataFolderPath());
}

async function openFolder(path: string): Promise<Place> {
  // npm start writes it into each data folder.
  if (!existsSync(join(path, "signing-secret"))) throw new Error(`${path} is not a data folder of npm start`);
  const folder = openDataFolder(path);
  try {
    refuseOpenEngine(findLaunch(), process.env.ALLOW_OPEN_ENGINE);
    const { endpoint, stop } = await startEngine({ data: folder.path, host: await hiddenLoopback() });
    process.env.DYNAMODB_ENDPOINT = endpoint;
    return { name: `of ${folder.path}`, close: () => stop().then(folder.release) };
  } catch (error) {
    folder.release();
    throw error;
  }
}

/**
 * Runs a command on the table that the environment names. Returns the exit code of `work`, or 1 after an error of one
 * line.
 */
export async function onTable(work: (name: string) => Promise<number>): Promise<number> {
  try {
    const { name, close } = await openTable();
    const table = `${environment().TABLE_NAME} ${name}`;
    try {
      return await work(table);
    } catch (error) {
      if ((error as Error).name !== "ResourceNotFoundException") throw error;
      throw new Error(`There is no table ${table}`);
    } finally {
      await close();
    }
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
}
