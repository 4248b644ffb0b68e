import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, vi } from "vitest";

// npm start as a process of its own, with real sockets and a data folder under the system's temporary folder.

export const projectFolder = resolve(import.meta.dirname, "../../..");

/** For a process of node: what an earlier one has compiled, it reads. A fifth less work at each start of the server. */
export const compileCache = { NODE_COMPILE_CACHE: join(projectFolder, "node_modules/.cache/node") };

export type ServerOptions = {
  options?: string[];
  env?: Record<string, string>;
  /** The command line; npm start's own by default. */
  command?: string[];
  cwd?: string;
};

export type ServerProcess = {
  process: ChildProcess;
  pid: number;
  output: () => string;
  /** Its error stream so far. */
  complaints: () => string;
  /** Resolves with its exit code, or the name of the signal that ended it. */
  ended: Promise<number | string>;
};

export type RunningServer = ServerProcess & { baseUrl: string; stop: () => Promise<number | string> };

const started: ChildProcess[] = [];
const folders: string[] = [];

afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  for (const folder of folders) {
    for (const pid of enginesOn(folder)) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A new empty folder that goes with the test file. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "feedback-board-test-"));
  folders.push(folder);
  return folder;
}

/** The path of a program on this machine; undefined if it is not installed. */
function pathOf(program: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}

// Where util-linux is there, the kernel ends the server when these tests are ended, even by a kill -9.
// By its whole path: some tests start the server with a PATH of their own.
const setpriv = pathOf("setpriv");
const withUs = ["--pdeathsig", "KILL"];
const endWithUs =
  setpriv !== undefined && spawnSync(setpriv, [...withUs, process.execPath, "--version"]).status === 0
    ? [setpriv, ...withUs]
    : [];

/** Starts the server with the given environment and nothing else. */
export function spawnServer({ options = [], env = {}, command, cwd }: ServerOptions = {}): ServerProcess {
  const [file = "", ...words] = [...endWithUs, ...(command ?? [process.execPath, "infra/local/main.ts"])];
  const child = spawn(file, [...words, ...options], {
    cwd: cwd ?? projectFolder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", ...compileCache, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  started.push(child);
  const printed = { all: "", error: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    printed.all += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    printed.all += chunk;
    printed.error += chunk;
  });
  const ended = new Promise<number | string>((done) =>
    child.once("close", (code, signal) => done(code ?? signal ?? "unknown")),
  );
  return {
    process: child,
    pid: child.pid ?? 0,
    output: () => printed.all,
    complaints: () => printed.error,
    ended,
  };
}

export async function startServer(options?: ServerOptions): Promise<RunningServer> {
  const server = spawnServer(options);
  let end: number | string | undefined;
  server.ended.then((how) => {
    end = how;
  });
  while (!server.output().includes("Ctrl-C stops it.")) {
    if (end !== undefined) throw new Error(`The server ended (${end}): ${server.output()}`);
    await sleep(10);
  }
  const baseUrl = /is up: (\S+)/.exec(server.output())?.[1] ?? "";
  const stop = (): Promise<number | string> => {
    server.process.kill("SIGINT");
    return server.ended;
  };
  return { ...server, baseUrl, stop };
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
export type Answer = { status: number; headers: Headers; body: any };

export async function call(
  baseUrl: string,
  method: string,
  path: string,
  { token, body }: { token?: string | undefined; body?: unknown } = {},
): Promise<Answer> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
}

export async function signUp(baseUrl: string, email: string): Promise<string> {
  return (await call(baseUrl, "POST", "/auth/signup", { body: { email, password: "correct horse" } })).body.user
    .authToken;
}

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** The ids of the engines that work on a folder, without the shells that keep them. */
export function enginesOn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => commandOf(name)[0]?.endsWith("/dynoxide") && commandOf(name).includes(`${folder}/table.db`))
    .map(Number);
}

export function engineOf(folder: string): { pid: number; endpoint: string } {
  const [pid = 0] = enginesOn(folder);
  const words = commandOf(String(pid));
  const after = (option: string) => words[words.indexOf(option) + 1];
  return { pid, endpoint: `http://${after("--host")}:${after("--port")}` };
}

export function isAlive(pid: number): boolean {
  return commandOf(String(pid)).join("") !== "";
}

/** Waits until a condition holds; fails with the name of the condition. The limit leaves a busy machine time. */
export function eventually(check: () => void | Promise<void>, timeout = 120_000): Promise<void> {
  return vi.waitFor(check, { timeout, interval: 20 });
}
