import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dataWords } from "./engine/kinds.ts";

/** The processes that use a data folder: the server, and the engine that it started. */
type Holder = { server: number; engine?: { pid: number; endpoint: string } };

/** A folder that keeps the local data. One server holds it at a time, and only its owner can read it. */
export type DataFolder = {
  /** Its real path. */
  path: string;
  /** The path of a file in the folder. */
  file: (name: string) => string;
  /** Records this server, and its engine, as the processes that use the folder. */
  hold: (engine?: Holder["engine"]) => void;
  /** Gives the folder back. */
  release: () => void;
};

/** Opens a data folder, creates it if it is missing, and ends an engine that a crash left behind. Rejects if another server holds it. */
export async function openDataFolder(given: string): Promise<DataFolder> {
  const path = makeFolder(given);
  const holder = readHolder(join(path, HOLDER));
  const lock = await lockOn(path);
  // A system without such locks has only the process id to go by.
  if (lock === "held" || (lock === "no such lock" && isOurServer(holder?.server))) {
    const process = holder ? ` (process ${holder.server})` : "";
    throw new Error(`Another server${process} works on ${path}: stop it, or set DATA_DIR to another folder`);
  }
  for (const pid of enginesOn(path, holder?.engine?.pid)) await endEngine(pid, path);
  const file = (name: string): string => join(path, name);
  const hold: DataFolder["hold"] = (engine) =>
    writeWhole(file(HOLDER), JSON.stringify({ server: process.pid, ...(engine && { engine }) } satisfies Holder));
  hold();
  const release = (): void => {
    rmSync(file(HOLDER), { force: true });
    if (typeof lock === "object") lock.close();
  };
  return { path, file, hold, release };
}

/** Writes a file, readable by its owner only. A crash leaves the old file or the new one, never half of it. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const SECRET_LENGTH = 64;

/** The secret that signs tokens on this machine. The first call creates it and keeps it in the file. */
export function keptSecret(file: string): string {
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (kept.length >= SECRET_LENGTH) return kept;
  const secret = randomBytes(SECRET_LENGTH / 2).toString("hex");
  writeWhole(file, secret);
  return secret;
}

const HOLDER = "server.json";

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

const OURS = [HOLDER, "signing-secret", "table.db"];

/** Creates the folder if it is missing. Only its owner gets access, unless it holds files that are not ours. Returns its real path. */
function makeFolder(given: string): string {
  if (existsSync(given) && !statSync(given).isDirectory()) {
    throw new Error(`${given} is not a folder: set DATA_DIR to one`);
  }
  mkdirSync(given, { recursive: true, mode: 0o700 });
  const path = realpathSync(given);
  const names = readdirSync(path);
  if (names.length === 0 || OURS.some((name) => names.includes(name))) chmodSync(path, 0o700);
  return path;
}

/** Takes the lock on a folder: an abstract socket, which one process can hold, and which the kernel frees when that process ends. */
function lockOn(path: string): Promise<Server | "held" | "no such lock"> {
  if (process.platform !== "linux") return Promise.resolve("no such lock");
  const name = `\0feedback-board-${createHash("sha256").update(path).digest("hex").slice(0, 32)}`;
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRINUSE" ? "held" : "no such lock"));
    server.listen(name, () => resolve(server));
  });
}

/** The words of a process's command line; empty if there is no such process. */
function commandOf(pid: number): string[] {
  try {
    if (existsSync("/proc/self/cmdline")) return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" })
      .trim()
      .split(" ");
  } catch {
    return [];
  }
}

function isOurServer(pid: number | undefined): boolean {
  return (
    pid !== undefined &&
    pid !== process.pid &&
    commandOf(pid).some((word) => /infra\/local\/(main|sam)\.ts$/.test(word))
  );
}

function isEngineOn(pid: number, path: string): boolean {
  const command = `${commandOf(pid).join(" ")} `;
  return Object.values(dataWords(path)).some((words) => command.includes(` ${words.join(" ")} `));
}

/** The engines that still use a folder. All processes are searched, because a crash can come before an engine is recorded. */
function enginesOn(path: string, recorded: number | undefined): number[] {
  const running = existsSync("/proc/self") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  const pids = new Set([...running.map(Number), ...(recorded ? [recorded] : [])]);
  return [...pids].filter((pid) => isEngineOn(pid, path));
}

async function endEngine(pid: number, path: string): Promise<void> {
  process.kill(pid, "SIGTERM");
  for (let waited = 0; isEngineOn(pid, path); waited += 20) {
    if (waited === 3000) process.kill(pid, "SIGKILL");
    await sleep(20);
  }
}
