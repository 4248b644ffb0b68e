import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endpoints } from "../../functions/index.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import * as site from "../../lib/data/site.ts";
import { settings } from "../../lib/runtime/settings.ts";
import { startBackground } from "./background.ts";
import { type DataFolder, keptSecret, openDataFolder, writeWhole } from "./data-folder.ts";
import { answers } from "./engine/engine.ts";
import { keepEngine } from "./engine/kept-engine.ts";
import { baseUrlOf, createGateway } from "./gateway/gateway.ts";
import { runUntilStopped, type Started } from "./run.ts";
import { ensureTable } from "./table.ts";
import { welcome } from "./welcome.ts";

const USAGE = "Usage: npm start [-- --demo] [-- --memory]";

/** What was asked for: `memory` keeps nothing, `demo` loads the demo set. */
type Options = { memory: boolean; demo: boolean };

const optionsOf = (words: string[]): Options => {
  const unknown = words.filter((word) => word !== "--memory" && word !== "--demo");
  if (unknown.length > 0) throw new Error(`Unknown option ${unknown.join(" ")}. ${USAGE}`);
  return { memory: words.includes("--memory"), demo: words.includes("--demo") };
};

/** Starts everything; any failure is one clear line and exit code 1, Ctrl-C ends all that was started. */
export const start = (words: string[]): Promise<void> =>
  runUntilStopped((started) => startAll(optionsOf(words), started));

const portOf = (text = "3000"): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`PORT must be a port number, not ${JSON.stringify(text)}`);
  return port;
};

const startAll = async ({ memory, demo }: Options, started: Started): Promise<void> => {
  // Secrets and data are for their owner only, the files of the engine included.
  process.umask(0o077);
  const host = process.env.HOST || "127.0.0.1";
  const port = portOf(process.env.PORT || undefined);
  // In memory, only the demo's file is kept.
  const folder = memory && !demo ? undefined : await openDataFolder(resolve(process.env.DATA_DIR || ".data"));
  if (folder) started.add(folder.release);
  const kept = memory ? undefined : folder;
  setDefaults(kept);
  const engine = await reachEngine(kept, started);
  await ensureOurTable();
  // Only a start with --demo pays for loading it.
  const demoData = demo ? await import("./demo/load.ts") : undefined;
  await demoData?.loadDemo();
  const server = createGateway(endpoints);
  await listen(server, port, host);
  started.add(() => close(server));
  const baseUrl = baseUrlOf(host, (server.address() as AddressInfo).port);
  const demoFile = await demoData?.demoFile(baseUrl);
  if (folder && demoFile) writeWhole(folder.file(DEMO_FILE), `${JSON.stringify(demoFile, null, 2)}\n`);
  const stopBackground = startBackground();
  started.add(() => Promise.race([stopBackground(), sleep(PATIENCE_MS)]));
  const isSetUp = (await site.find()) !== undefined;
  const demoFacts = folder && demoFile && { file: folder.file(DEMO_FILE), accounts: demoFile.accounts };
  const hashFunction = await passwords.hashFunction();
  console.log(welcome({ baseUrl, engine, data: kept?.path, demo: demoFacts, isSetUp, hashFunction }));
};

const DEMO_FILE = "demo.json";

const setDefault = (name: string, value: string): void => {
  process.env[name] ||= value;
};

/** Sets what the environment leaves open; secret and mails stay in the data folder, where there is one. */
export const setDefaults = (folder: DataFolder | undefined): void => {
  setDefault("TABLE_NAME", "feedback-board");
  setDefault("MAIL_TRANSPORT", "log");
  setDefault("SIGNING_SECRET", folder ? keptSecret(folder.file("signing-secret")) : randomBytes(32).toString("hex"));
  if (folder) setDefault("MAIL_LOG_FILE", folder.file("mail.jsonl"));
};

// How long an end waits for requests and background work under way; both are safe to break off.
const PATIENCE_MS = 2000;

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      done();
    });
  });

const close = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((done) => server.close(() => done()));
  // Connections that clients keep become idle one by one.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  await Promise.race([closed, sleep(PATIENCE_MS)]);
  clearInterval(sweep);
  server.closeAllConnections();
};

/** The engine to use: the one at DYNAMODB_ENDPOINT, or one of our own; what to call it. */
const reachEngine = async (folder: DataFolder | undefined, started: Started): Promise<string> => {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) {
    if (!/^https?:/.test(given) || !URL.canParse(given)) throw new Error(`DYNAMODB_ENDPOINT is no URL: ${given}`);
    if (!(await answers(given))) throw new Error(`Nothing answers at DYNAMODB_ENDPOINT ${given}`);
    return `the one at ${given}`;
  }
  const { kind, endpoint } = await keepEngine({
    data: folder?.path,
    started: (stop) => started.add(stop),
    spawned: ({ pid, port }) => pid && folder?.hold({ pid, port }),
    returned: ensureOurTable,
  });
  process.env.DYNAMODB_ENDPOINT = endpoint;
  return kind;
};

/** Makes the table at DYNAMODB_ENDPOINT, unless it is there. */
export const ensureOurTable = async (): Promise<void> => {
  const { dynamoEndpoint = "", tableName, region } = settings();
  try {
    await ensureTable(dynamoEndpoint, tableName, region);
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new Error(`${dynamoEndpoint} does not answer as DynamoDB does (${(error as Error).name}: ${reason})`);
  }
};
