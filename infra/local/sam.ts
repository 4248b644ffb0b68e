// npm run sam: what `sam local` needs on this machine: the synthesised stack, an engine that containers can reach, the
// variables of its functions.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { networkInterfaces } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleAll } from "../bundle/bundle.ts";
import { readCommandLine } from "../usage.ts";
import { startBackground } from "./background.ts";
import { type DataFolder, dataFolderPath, openDataFolder, writeWhole } from "./data-folder.ts";
import { portFrom, setDefaults } from "./environment.ts";
import { writeEvents } from "./events.ts";
import { notedIn } from "./noted-posts.ts";
import { runUntilStopped, SHUTDOWN_PATIENCE_MS, type Shutdown } from "./run.ts";
import { startOwnEngine } from "./store.ts";

const root = resolve(import.meta.dirname, "../..");

/** The address that the engine listens on, and the name by which containers reach it. */
type Reach = { host: string; from: string };

type Resource = {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: resources of every type
  Properties: any;
  Metadata?: Record<string, string>;
};

type Template = { Resources: Record<string, Resource> };

// SAM reads no other types. About each of the others it would print a line, twice.
const READ_BY_SAM = /^AWS::(Lambda::Function|ApiGatewayV2::(Api|Stage|Route|Integration))$/;

const STACK = "FeedbackBoard";

/** The name of a function, from the path of its construct (`FeedbackBoard-dev/Default/posts-list/Resource`). */
function nameOf({ Metadata }: Resource): string {
  return Metadata?.["aws:cdk:path"]?.split("/").at(-2) ?? "";
}

function functionFor(resource: Resource, codeOf: (name: string) => string): Resource {
  const { Role: _, TracingConfig: __, DeadLetterConfig: ___, LoggingConfig, ...Properties } = resource.Properties;
  const { LogGroup: ____, ...logging } = LoggingConfig;
  return {
    Type: resource.Type,
    Properties: { ...Properties, LoggingConfig: logging },
    // By these SAM finds a function's name, if it is a child of its stack, and its code.
    Metadata: {
      ...resource.Metadata,
      "aws:cdk:path": `${STACK}/${nameOf(resource)}/Resource`,
      "aws:asset:path": codeOf(nameOf(resource)),
    },
  };
}

function routingFor({ Type, Properties: { AccessLogSettings: _, ...Properties } }: Resource): Resource {
  return { Type, Properties };
}

/**
 * The part of a synthesised template that `sam local` reads; the code of each function is the folder that `codeOf`
 * names.
 */
function samTemplate({ Resources }: Template, codeOf: (name: string) => string): Template {
  return {
    Resources: Object.fromEntries(
      Object.entries(Resources)
        .filter(([, { Type }]) => READ_BY_SAM.test(Type))
        .map(([id, resource]) => [
          id,
          resource.Type === "AWS::Lambda::Function" ? functionFor(resource, codeOf) : routingFor(resource),
        ]),
    ),
  };
}

/** The environment variables that every function of a template declares: SAM sets no others. */
function declaredVariables({ Resources }: Template): string[] {
  const declared = Object.values(Resources).flatMap(({ Properties }) =>
    Properties.Environment ? [Object.keys(Properties.Environment.Variables)] : [],
  );
  return (declared[0] ?? []).filter((name) => declared.every((names) => names.includes(name)));
}

/**
 * Bundles the functions and synthesises the stack for this machine. SAM needs metadata that only the `cdk` command
 * writes.
 */
async function synthesise(folder: string, shutdown: Shutdown): Promise<Template> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const cdk = createRequire(import.meta.url).resolve("aws-cdk/bin/cdk");
  const words = [cdk, "synth", "--quiet", "--no-notices", "-c", "local=true", "--output", folder];
  const child = spawn(process.execPath, words, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    // cdk starts the app as `node`, which has to be the Node of this process.
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      CDK_DISABLE_CLI_TELEMETRY: "true",
      // The CDK's validation takes longer than the synthesis, and only a deployment gains by it.
      CDK_VALIDATION: "false",
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  shutdown.add(async () => {
    child.kill();
    await ended;
  });
  if ((await ended) !== 0) throw new Error("The stack could not be synthesised: see above");
  const file = readdirSync(folder).find((name) => name.endsWith(".template.json"));
  if (!file) throw new Error(`No template in ${folder}`);
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}

/**
 * Writes the part of the template that SAM reads, with the bundles themselves as code: `npm run sam -- --bundle` takes
 * in a change.
 */
function writeTemplate(folder: string, synthesised: Template): { file: string; template: Template } {
  const template = samTemplate(synthesised, (name) => join(root, "dist/functions", name));
  // The copies of the bundles that cdk made.
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const file = join(folder, "template.json");
  writeWhole(file, `${JSON.stringify(template, undefined, 1)}\n`);
  return { file, template };
}

/** Writes the environment variables of the functions: SAM passes on only variables that the template declares. */
function writeSettings(file: string, template: Template, endpoint: string): void {
  const env: NodeJS.ProcessEnv = { ...process.env, DYNAMODB_ENDPOINT: endpoint };
  const given = declaredVariables(template).flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  writeWhole(file, `${JSON.stringify({ Parameters: Object.fromEntries(given) }, undefined, 2)}\n`);
}

type Facts = { template: string; settingsFile: string; engine: string; reach: Reach; port: number; folder: DataFolder };

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function welcome({ template, settingsFile, engine, reach, port, folder }: Facts): string {
  const throughName = reach.from === "host.docker.internal" && process.platform === "linux";
  const options = [
    `--template ${quoted(template)} --env-vars ${quoted(settingsFile)}`,
    // Docker on Linux does not resolve the name by itself.
    ...(throughName ? ["--add-host host.docker.internal:host-gateway"] : []),
  ].join(" ");
  return [
    "",
    "The engine and the stack are ready for sam local.",
    `  engine  ${engine}`,
    `  data    ${folder.path}`,
    `  mail    printed here, kept in ${process.env.MAIL_LOG_FILE}`,
    "",
    "In another terminal, the API at http://127.0.0.1:3000/api/v1 (each function's first call starts its container):",
    "",
    `sam local start-api --port 3000 --warm-containers LAZY ${options}`,
    "",
    "One function, and a change of the code: docs/local.md#sam-local",
    ...(reach.from === reach.host
      ? [
          `If calls end in 503 SERVER_ERROR: a firewall (ufw, firewalld) keeps containers from ${reach.host}, port ${port}.`,
        ]
      : []),
    "",
    "Ctrl-C stops the engine.",
    "",
  ].join("\n");
}

async function startAll(reach: Reach, shutdown: Shutdown): Promise<void> {
  const port = portFrom("ENGINE_PORT", 8000);
  const folder = openDataFolder(dataFolderPath());
  shutdown.add(folder.release);
  setDefaults(folder);
  const engine = await startOwnEngine(folder, shutdown, { host: reach.host, port });
  console.log("Synthesising the stack for this machine");
  const { file, template } = writeTemplate(folder.file("sam"), await synthesise(folder.file("sam"), shutdown));
  const settingsFile = folder.file("sam-settings.json");
  writeEvents();
  writeSettings(settingsFile, template, `http://${reach.from}:${engine.port}`);
  // In place of the table's stream: the containers get requests only, and the posts that they change are looked for.
  // A mark of an earlier stop in order ends: containers note no posts.
  const noted = notedIn(folder.file("changed-posts"));
  const stopBackground = startBackground({ allPostsMs: 5000, noted });
  shutdown.add(async () => {
    await Promise.race([stopBackground(), sleep(SHUTDOWN_PATIENCE_MS)]);
  });
  const where = engine.kind === "dynoxide" ? `at ${reach.host}` : "on every interface (it knows no other way)";
  const named = `${engine.kind} ${where}, port ${engine.port}; containers find it at ${reach.from}`;
  console.log(welcome({ template: file, settingsFile, engine: named, reach, port: engine.port, folder }));
}

const TOOLS = [
  "npm run sam needs the SAM CLI, 1.147 or newer, and Docker with its daemon:",
  "  https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/install-sam-cli.html",
  "  https://docs.docker.com/engine/install/",
].join("\n");

function outputOf(command: string, ...words: string[]): string {
  const { error, status, stdout, stderr } = spawnSync(command, words, { encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`${TOOLS}\n${command} failed: ${(error?.message ?? stderr).trim().split("\n").at(-1)}`);
}

/**
 * Chooses where the engine listens. Containers reach the gateway of Docker's bridge: if it is an address of this
 * machine, that is the one. Otherwise Docker runs in a virtual machine (Docker Desktop) and forwards a name of its own
 * to the loopback.
 */
export function reachOf(gateways: string[], ownAddresses: string[]): Reach {
  const bridge = gateways.find((address) => ownAddresses.includes(address));
  return bridge ? { host: bridge, from: bridge } : { host: "127.0.0.1", from: "host.docker.internal" };
}

function findReach(): Reach {
  outputOf("sam", "--version");
  const gateways = outputOf(
    "docker",
    "network",
    "inspect",
    "bridge",
    "--format",
    "{{range .IPAM.Config}}{{.Gateway}} {{end}}",
  );
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);
  return reachOf(gateways.trim().split(/\s+/), own);
}

const USAGE =
  "npm run sam [-- --bundle], which bundles the functions again (set ENGINE_PORT and DATA_DIR for another port and folder)";

if (import.meta.main) {
  const { flags } = readCommandLine(USAGE, { flags: ["--bundle"] });
  if (flags.has("--bundle")) await bundleAll();
  else await runUntilStopped((shutdown) => startAll(findReach(), shutdown));
}
