import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type EngineKind, findLaunch, type Launch } from "./kinds.ts";

/** An engine whose process runs; it may not answer yet. */
export type Engine = {
  kind: EngineKind;
  endpoint: string;
  port: number;
  /** Resolves when the process has ended, with the last lines of its error stream. */
  ended: Promise<string>;
  stop: () => Promise<void>;
};

export type EngineOptions = {
  /** The first that this machine has, by default. */
  kind?: EngineKind;
  /** The folder that keeps the data; in memory by default. */
  data?: string;
  /** The address that it listens on; the loopback by default. DynamoDB Local listens on all of them. */
  host?: string;
  /** Any free one by default. */
  port?: number;
};

const LOOPBACK = "127.0.0.1";
const MAX_PORTS = 3;
const START_TIMEOUT_MS = 60_000;

/** Starts an engine, which ends with this process. Resolves once it answers, rejects with one clear line. */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const { kind, host = LOOPBACK, port } = options;
  const launch = findLaunch(kind);
  for (let attempt = 1; ; attempt++) {
    const { printed, ...engine } = run(launch, port ?? (await freePort(host)), options);
    const problem = await problemOfStart(engine, () => !launch.ready || launch.ready.test(printed()));
    if (problem === undefined) return engine;
    await engine.stop();
    // Another process can take a free port before the engine does.
    const isTaken = port === undefined && /in use/i.test(printed());
    if (!isTaken || attempt === MAX_PORTS) throw new Error(`The engine ${engine.kind} ${problem}`);
  }
}

// Runs "$@" until it ends, or until the other end of descriptor 3 closes, as it does when this process ends, even by
// kill -9.
const KEEPER = `
  "$@" 3<&- & engine=$!
  (read -r _ <&3; kill "$engine") & watcher=$!
  wait "$engine"; code=$?
  kill "$watcher" 2>/dev/null
  exit "$code"
`;

function run(
  { kind, command, words }: Launch,
  port: number,
  { data, host = LOOPBACK }: EngineOptions,
): Engine & { printed: () => string } {
  const child = spawn("/bin/sh", ["-c", KEEPER, "sh", command, ...words(host, port, data)], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    // A process group of its own, which Ctrl-C in a terminal does not reach.
    detached: true,
  });
  let printed = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    printed = (printed + chunk).slice(-2000);
  });
  const ended = new Promise<string>((resolve) => {
    child.once("close", () => resolve(printed));
    child.once("error", (error) => resolve(error.message));
  });
  const [, , , pipe] = child.stdio;
  const stop = async (): Promise<void> => {
    pipe?.destroy();
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), 3000);
    await ended;
    clearTimeout(timer);
  };
  return { kind, endpoint: `http://${host}:${port}`, port, ended, stop, printed: () => printed };
}

/**
 * Waits until an engine answers; otherwise returns what went wrong. An answer alone is not enough, because another
 * process may have the port: `isReady` is what the engine itself prints.
 */
async function problemOfStart({ endpoint, ended }: Engine, isReady: () => boolean): Promise<string | undefined> {
  let lastWords: string | undefined;
  ended.then((text) => {
    lastWords = text;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const isUp = (await answers(endpoint)) && isReady();
    if (lastWords !== undefined) return `did not start: ${lastWords.trim().split("\n").at(-1) ?? ""}`;
    if (isUp) return undefined;
    await Promise.race([ended, sleep(5)]);
  }
  return `did not answer within ${START_TIMEOUT_MS / 1000} s`;
}

/** Whether an engine answers at this address within a second. */
export async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(1000) });
    return true;
  } catch {
    return false;
  }
}

/**
 * A loopback address that no page can guess, where the machine has all of 127.0.0.0/8 (Linux, Windows). An engine has
 * no password and answers pages of every origin, so it hides: 24 bits of its address and 13 of its port are random.
 */
export async function hiddenLoopback(): Promise<string> {
  const address = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  return (await isFree(address, 0)) ? address : LOOPBACK;
}

async function freePort(host: string): Promise<number> {
  for (;;) {
    // Below the ports that systems hand out, so that it stays free until the engine takes it.
    const port = 20_000 + randomInt(12_000);
    if (await isFree(host, port)) return port;
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
