import { settings } from "../../lib/runtime/settings.ts";
import type { DataFolder } from "./data-folder.ts";
import { answers, type Engine } from "./engine/engine.ts";
import { keepEngine } from "./engine/kept-engine.ts";
import { migrateTable } from "./migrate-table.ts";
import type { Shutdown } from "./run.ts";
import { ensureTable } from "./table.ts";

/** Prepares the store, with its table in the newest version: the one at DYNAMODB_ENDPOINT, or else an engine that is started. Returns its name for the welcome. */
export const openStore = async (folder: DataFolder | undefined, shutdown: Shutdown): Promise<string> => {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (!given) return (await startOwnEngine(folder, shutdown)).kind;
  if (!/^https?:/.test(given) || !URL.canParse(given)) throw new Error(`DYNAMODB_ENDPOINT is no URL: ${given}`);
  if (!(await answers(given))) throw new Error(`Nothing answers at DYNAMODB_ENDPOINT ${given}`);
  await ensureOurTable();
  await migrateTable();
  return `the one at ${given}`;
};

/** Starts an engine on the data folder, or in memory, sets DYNAMODB_ENDPOINT to it, and creates or migrates the table. */
export const startOwnEngine = async (
  folder: DataFolder | undefined,
  shutdown: Shutdown,
  address: { host?: string; port?: number } = {},
): Promise<Engine> => {
  const engine = await keepEngine({
    data: folder?.path,
    ...address,
    shutdown: (stop) => shutdown.add(stop),
    onStart: ({ pid, port }) => pid && folder?.hold({ pid, port }),
    onReturn: ensureOurTable,
  });
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  await ensureOurTable();
  await migrateTable();
  return engine;
};

/** Creates the table at DYNAMODB_ENDPOINT, unless it exists. */
const ensureOurTable = async (): Promise<void> => {
  const { dynamoEndpoint = "", tableName, region } = settings();
  try {
    await ensureTable(dynamoEndpoint, tableName, region);
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new Error(`${dynamoEndpoint} does not answer as DynamoDB does (${(error as Error).name}: ${reason})`);
  }
};
