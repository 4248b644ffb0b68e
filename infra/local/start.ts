import { randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import type { Server } from "node:http";
import { resolve } from "node:path";
import { endpoints } from "../../functions/index.ts";
import * as log from "../../lib/log.ts";
import { settings } from "../../lib/settings.ts";
import { startBackground } from "./background.ts";
import { DataFolder } from "./data-folder.ts";
import { loadDemo } from "./demo.ts";
import { answers, type Engine, startEngine } from "./engine.ts";
import { baseUrlOf, createGateway } from "./gateway.ts";
import { ensureTable } from "./table.ts";

const USAGE = "npm start [-- --memory] [-- --demo]";

type Options = { memory: boolean; demo: boolean };

const optionsOf = (words: string[]): Options => {
  const unknown = words.filter((word) => word !== "--memory" && word !== "--demo");
  if (unknown.length > 0) throw new Error(`Unknown option ${unknown.join(" ")}. Usage: ${USAGE}`);
  return { memory: words.includes("--memory"), demo: words.includes("--demo") };
};

const portOf = (text = "3000"): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`PORT must be a port number, not ${JSON.stringify(text)}`);
  return port;
};

const setDefault = (name: string, value: string): void => {
  process.env[name] ||= value;
};

/** What runs and has to be ended, in the order in which it was started. */
type Ending = () => Promise<void> | void;

/** Starts everything; any failure is one clear line and exit code 1, Ctrl-C ends all that was started. */
export const start = async (words: string[]): Promise<void> => {
  const endings: Ending[] = [];
  let isEnding = false;
  const end = async (code: number): Promise<never> => {
    isEnding = true;
    for (const ending of endings.reverse()) await ending();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => (isEnding ? undefined : void end(0)));
  }
  endWithParent(() => (isEnding ? undefined : void end(0)));
  try {
    await startAll(optionsOf(words), endings, () => isEnding);
  } catch (error) {
    console.error(clearLine(error));
    await end(1);
  }
};

/** Under npm, ends with it: a shell between the two does not pass every signal on. */
const endWithParent = (end: () => void): void => {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), 500).unref();
};

const clearLine = (error: unknown): string => {
  const { code, message, path, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `Port ${port} is in use: set PORT to another one`;
  if (code === "EACCES" && path) return `No permission to write ${path}: set DATA_DIR to a folder of yours`;
  if (code && path) return `${path} cannot be used as a data folder (${code}): set DATA_DIR to another one`;
  return message ?? String(error);
};

const startAll = async ({ memory, demo }: Options, endings: Ending[], isEnding: () => boolean): Promise<void> => {
  // Secrets and data are for their owner only, the files of the engine included.
  process.umask(0o077);
  const host = process.env.HOST || "127.0.0.1";
  const port = portOf(process.env.PORT || undefined);
  const folder = memory && !demo ? undefined : await DataFolder.open(resolve(process.env.DATA_DIR || ".data"));
  if (folder) {
    accessSync(folder.path, constants.W_OK);
    endings.push(() => folder.release());
  }
  setDefault("TABLE_NAME", "feedback-board");
  setDefault("MAIL_TRANSPORT", "log");
  setDefault("SIGNING_SECRET", folder && !memory ? folder.signingSecret() : randomBytes(32).toString("hex"));
  if (folder) setDefault("MAIL_LOG_FILE", folder.file("mail.jsonl"));

  const engine = await reachEngine(memory ? undefined : folder, endings, isEnding);
  const { dynamoEndpoint = "", tableName, region } = settings();
  await ensureTable(dynamoEndpoint, tableName, region);
  const server = createGateway(endpoints);
  await listen(server, port, host);
  endings.push(() => close(server));

  const baseUrl = baseUrlOf(host, portOfServer(server, port));
  if (demo && folder) await loadDemo(folder.file("demo.json"), baseUrl);
  endings.push(startBackground());
  console.log(welcome(baseUrl, engine, memory, folder, demo));
};

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      done();
    });
  });

const close = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });

const portOfServer = (server: Server, fallback: number): number => {
  const address = server.address();
  return typeof address === "object" && address ? address.port : fallback;
};

/** The engine to use: the one at DYNAMODB_ENDPOINT, or one of our own, which is started again should it end. */
const reachEngine = async (
  folder: DataFolder | undefined,
  endings: Ending[],
  isEnding: () => boolean,
): Promise<string> => {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) {
    if (!(await answers(given))) throw new Error(`Nothing answers at DYNAMODB_ENDPOINT ${given}`);
    return `the one at ${given}`;
  }
  let engine = await startEngine(folder ? { data: folder.path } : {});
  process.env.DYNAMODB_ENDPOINT = engine.endpoint;
  endings.push(() => engine.stop());
  const watch = (running: Engine): void => {
    folder?.hold({ server: process.pid, ...(running.process.pid && { engine: running.process.pid }) });
    running.ended.then(() => (isEnding() ? undefined : restart(running)));
  };
  const restart = async ({ kind, port }: Engine): Promise<void> => {
    log.error("the engine ended; it is started again in 5 s");
    await new Promise((done) => setTimeout(done, RESTART_MS).unref());
    if (isEnding()) return;
    engine = await startEngine({ kind, port, ...(folder && { data: folder.path }) });
    await ensureTable(engine.endpoint, settings().tableName, settings().region);
    log.info("the engine is back");
    watch(engine);
  };
  watch(engine);
  return engine.kind;
};

const RESTART_MS = 5000;

const welcome = (
  baseUrl: string,
  engine: string,
  memory: boolean,
  folder: DataFolder | undefined,
  demo: boolean,
): string => {
  const email = `ada.${randomBytes(3).toString("hex")}@example.com`;
  return `
Feedback Board is up: ${baseUrl}
  engine  ${engine}
  data    ${memory ? "in memory, gone when this ends" : folder?.path}
  mail    ${process.env.MAIL_TRANSPORT}${folder ? `, kept in ${process.env.MAIL_LOG_FILE}` : ""}${
    demo && folder ? `\n  demo    tokens and ids in ${folder.file("demo.json")}` : ""
  }

Try, in this order:

TOKEN=$(curl -s ${baseUrl}/auth/signup -d '{"email":"${email}","password":"correct horse"}' | grep -o '"authToken":"[^"]*"' | cut -d'"' -f4)
POST=$(curl -s ${baseUrl}/posts -H "Authorization: Bearer $TOKEN" -d '{"title":"Dark mode","contentMarkdown":"My eyes hurt at **night**."}' | grep -o '"postId":"[^"]*"' | cut -d'"' -f4)
curl -s ${baseUrl}/votes -H "Authorization: Bearer $TOKEN" -d "{\\"postId\\":\\"$POST\\"}"
curl -s ${baseUrl}/posts/get -d '{"page":1,"created":"desc"}'

Ctrl-C stops it.
`;
};
