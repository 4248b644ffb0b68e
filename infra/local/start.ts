import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endpoints } from "../../functions/index.ts";
import * as site from "../../lib/data/site.ts";
import * as log from "../../lib/log.ts";
import { settings } from "../../lib/settings.ts";
import { startBackground } from "./background.ts";
import { type DataFolder, keptSecret, openDataFolder } from "./data-folder.ts";
import { loadDemo, writeDemoFile } from "./demo.ts";
import { answers } from "./engine.ts";
import { baseUrlOf, createGateway } from "./gateway.ts";
import { keepEngine } from "./kept-engine.ts";
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

/** What was started, to be ended in the opposite order. */
type Started = {
  add: (ending: () => Promise<void> | void) => void;
  end: (code: number) => Promise<void>;
  isEnding: () => boolean;
};

const nothingStarted = (): Started => {
  const endings: (() => Promise<void> | void)[] = [];
  let isEnding = false;
  const end = async (code: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    for (let ending = endings.pop(); ending; ending = endings.pop()) await ending();
    process.exit(code);
  };
  return { add: (ending) => endings.push(ending), end, isEnding: () => isEnding };
};

/** Starts everything; any failure is one clear line and exit code 1, Ctrl-C ends all that was started. */
export const start = async (words: string[]): Promise<void> => {
  const started = nothingStarted();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void started.end(0));
  endWithParent(() => void started.end(0));
  process.on("uncaughtException", (error) => {
    log.error("something unforeseen ends the server", { error });
    void started.end(1);
  });
  try {
    await startAll(optionsOf(words), started);
  } catch (error) {
    if (started.isEnding()) return;
    console.error(clearLine(error));
    await started.end(1);
  }
};

/** Under npm, ends with it: a shell between the two does not pass every signal on. */
const endWithParent = (end: () => void): void => {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), 500).unref();
};

const clearLine = (error: unknown): string => {
  const { code, message, path, port, address, syscall } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === "EADDRINUSE") return `Port ${port} is in use: set PORT to another one`;
  if (code === "EACCES" && syscall === "listen")
    return `No permission to listen on port ${port}: set PORT to another one`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${address ?? process.env.HOST} is no address of this machine: set HOST to one`;
  if (code === "EACCES" && path) return `No permission to write ${path}: set DATA_DIR to a folder of yours`;
  if (code && path) return `${path} cannot be used as a data folder (${code}): set DATA_DIR to another one`;
  return message ?? String(error);
};

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
  if (demo) await loadDemo();
  const server = createGateway(endpoints);
  await listen(server, port, host);
  started.add(() => close(server));
  const baseUrl = baseUrlOf(host, (server.address() as AddressInfo).port);
  const demoFile = demo ? folder?.file("demo.json") : undefined;
  if (demoFile) await writeDemoFile(demoFile, baseUrl);
  const stopBackground = startBackground();
  started.add(() => Promise.race([stopBackground(), sleep(PATIENCE_MS)]));
  const isSetUp = (await site.find()) !== undefined;
  console.log(welcome({ baseUrl, engine, data: kept?.path, demoFile, isSetUp }));
};

const setDefault = (name: string, value: string): void => {
  process.env[name] ||= value;
};

const setDefaults = (folder: DataFolder | undefined): void => {
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

const ensureOurTable = async (): Promise<void> => {
  const { dynamoEndpoint = "", tableName, region } = settings();
  try {
    await ensureTable(dynamoEndpoint, tableName, region);
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new Error(`${dynamoEndpoint} does not answer as DynamoDB does (${(error as Error).name}: ${reason})`);
  }
};
