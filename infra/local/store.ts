import { settings } from "../../lib/runtime/settings.ts";
import type { DataFolder } from "./data-folder.ts";
import { answers, type Engine } from "./engine/engine.ts";
import { keepEngine } from "./engine/kept-engine.ts";
import type { Shutdown } from "./run.ts";
import { ensureTable } from "./table.ts";

/** Makes the store ready: the one at DYNAMODB_ENDPOINT, or else an engine of our own, with the table in it. Returns what to call it. */
export const openStore = async (folder: DataFolder | undefined, shutdown: Shutdown): Promise<string> => {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (!given) return (await startOwnEngine(folder, shutdown)).kind;
  if (!/^https?:/.test(given) || !URL.canParse(given)) throw new Error(`DYNAMODB_ENDPOINT is no URL: ${given}`);
  if (!(await answers(given))) throw new Error(`Nothing answers at DYNAMODB_ENDPOINT ${given}`);
  await ensureOurTable();
  return `the one at ${given}`;
};

/** Starts an engine on the data folder, or in memory, lets DYNAMODB_ENDPOINT point at it, and makes the table. */
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
  return engine;
};

/** Makes the table at DYNAMODB_ENDPOINT, unless it exists. */
const ensureOurTable = async (): Promise<void> => {
  const { dynamoEndpoint = "", tableName, region } = settings();
  try {
    await ensureTable(dynamoEndpoint, tableName, region);
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new Error(`${dynamoEndpoint} does not answer as DynamoDB does (${(error as Error).name}: ${reason})`);
  }
};
