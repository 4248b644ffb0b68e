import { setTimeout as sleep } from "node:timers/promises";
import { environment } from "../../lib/runtime/environment.ts";
import * as log from "../../lib/runtime/log.ts";
import type { DataFolder } from "./data-folder.ts";
import { answers, type Engine, type EngineOptions, hiddenLoopback, startEngine } from "./engine/engine.ts";
import { findLaunch, type Launch } from "./engine/kinds.ts";
import { migrateTable } from "./migrate-table.ts";
import type { Shutdown } from "./run.ts";
import { ensureTable } from "./table.ts";

/**
 * Prepares the store, with its table in the newest version: the one at DYNAMODB_ENDPOINT, or else an engine that is
 * started. Returns its name for the welcome.
 */
export async function openStore(folder: DataFolder | undefined, shutdown: Shutdown): Promise<string> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (!given) {
    const { kind } = await startOwnEngine(folder, shutdown);
    return kind === "dynamodb-local" ? `${kind}, open to the network (ALLOW_OPEN_ENGINE)` : kind;
  }
  await requireStore(given);
  await ensureOurTable();
  await migrateTable();
  return `the one at ${given}`;
}

// An engine that was started beside this process may take some time.
const STORE_PATIENCE_MS = 30_000;

/** Throws one clear line unless a server answers at DYNAMODB_ENDPOINT, by default within half a minute. */
export async function requireStore(endpoint: string, patienceMs = STORE_PATIENCE_MS): Promise<void> {
  if (!/^https?:/.test(endpoint) || !URL.canParse(endpoint))
    throw new Error(`DYNAMODB_ENDPOINT is not a URL: ${endpoint}`);
  const end = Date.now() + patienceMs;
  while (!(await answers(endpoint))) {
    if (Date.now() >= end) throw new Error(`Nothing answers at DYNAMODB_ENDPOINT ${endpoint}`);
    await sleep(Math.min(1000, patienceMs));
  }
}

/**
 * Starts an engine on the data folder, or in memory, sets DYNAMODB_ENDPOINT to it, and creates or migrates the table.
 */
export async function startOwnEngine(
  folder: DataFolder | undefined,
  shutdown: Shutdown,
  { host, port }: { host?: string; port?: number } = {},
): Promise<Engine> {
  refuseOpenEngine(findLaunch(), process.env.ALLOW_OPEN_ENGINE);
  const options = {
    ...(folder && { data: folder.path }),
    host: host ?? (await hiddenLoopback()),
    ...(port && { port }),
  };
  const engine = await keepEngine(options, shutdown);
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  await ensureOurTable();
  await migrateTable();
  return engine;
}

const PAUSE_MS = 5000;

/**
 * Starts an engine and restarts it on the same port, after a pause, whenever it ends by itself. Calls in between find
 * no store.
 */
async function keepEngine(options: EngineOptions, shutdown: Shutdown): Promise<Engine> {
  let current = await startEngine(options);
  shutdown.add(() => current.stop());
  const { kind, port } = current;
  const restartWhenEnded = async (): Promise<void> => {
    for (let reason: unknown = await current.ended; !shutdown.isRunning(); ) {
      log.error(`the engine ended; it is started again in ${PAUSE_MS / 1000} s`, { error: reason });
      await sleep(PAUSE_MS);
      if (shutdown.isRunning()) return;
      try {
        current = await startEngine({ ...options, kind, port });
        await ensureOurTable();
        log.info("the engine is back");
        reason = await current.ended;
      } catch (error) {
        reason = error;
      }
    }
  };
  void restartWhenEnded();
  return current;
}

const OPEN_ENGINE = [
  "DynamoDB Local listens on every address of this machine and has no password: a caller who reaches a port of this",
  "machine could read and change all data. Install dynoxide instead (docs/local.md), or, behind a firewall or with data",
  "that anybody may have, set ALLOW_OPEN_ENGINE=1.",
].join("\n");

/** Throws if every account of the machine could reach the engine, unless the operator allowed that. */
export function refuseOpenEngine({ isOpen }: Pick<Launch, "isOpen">, allowed: string | undefined): void {
  if (isOpen && allowed !== "1") throw new Error(OPEN_ENGINE);
}

async function ensureOurTable(): Promise<void> {
  const { DYNAMODB_ENDPOINT = "", TABLE_NAME, AWS_REGION } = environment();
  try {
    await ensureTable(DYNAMODB_ENDPOINT, TABLE_NAME, AWS_REGION);
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new Error(`${DYNAMODB_ENDPOINT} does not answer as DynamoDB does (${(error as Error).name}: ${reason})`);
  }
}
