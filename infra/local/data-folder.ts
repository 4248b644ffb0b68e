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

/** Who works on a data folder: the server, and the engine that it started. */
type Holder = { server: number; engine?: { pid: number; port: number } };

/** A folder that keeps the local data, readable by its owner only; held by one server at a time. */
export type DataFolder = {
  /** Its real path. */
  path: string;
  /** The path of a file in the folder. */
  file: (name: string) => string;
  /** Notes that this server works on the folder, and with which engine. */
  hold: (engine?: Holder["engine"]) => void;
  /** Notes that nobody works on the folder any more. */
  release: () => void;
};

/** Opens a data folder, makes it where it is missing, and ends an engine that a crash left behind; rejects where another server works on it. */
export const openDataFolder = async (given: string): Promise<DataFolder> => {
  const path = makeFolder(given);
  const holder = readHolder(join(path, HOLDER));
  const lock = await lockOn(path);
  // Where the system has no such lock, the id of the process has to do.
  if (lock === "held" || (lock === "no such lock" && isOurServer(holder?.server))) {
    const who = holder ? ` (process ${holder.server})` : "";
    throw new Error(`Another server${who} works on ${path}: stop it, or set DATA_DIR to another folder`);
  }
  for (const pid of enginesOn(path, holder?.engine?.pid)) await endProcess(pid, path);
  const file = (name: string): string => join(path, name);
  const hold: DataFolder["hold"] = (engine) =>
    writeWhole(file(HOLDER), JSON.stringify({ server: process.pid, ...(engine && { engine }) } satisfies Holder));
  hold();
  const release = (): void => {
    rmSync(file(HOLDER), { force: true });
    if (typeof lock === "object") lock.close();
  };
  return { path, file, hold, release };
};

/** Writes a file whole or not at all, for its owner only. */
export const writeWhole = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

const SECRET_LENGTH = 64;

/** The secret that signs tokens on this machine: made once, kept in a file that only its owner can read. */
export const keptSecret = (file: string): string => {
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (kept.length >= SECRET_LENGTH) return kept;
  const secret = randomBytes(SECRET_LENGTH / 2).toString("hex");
  writeWhole(file, secret);
  return secret;
};

const HOLDER = "server.json";

const readHolder = (file: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
};

const OURS = [HOLDER, "signing-secret", "table.db"];

/** The folder's real path; made where it is missing, and closed to others unless it is somebody's folder with other things in it. */
const makeFolder = (given: string): string => {
  if (existsSync(given) && !statSync(given).isDirectory()) {
    throw new Error(`${given} is not a folder: set DATA_DIR to one`);
  }
  mkdirSync(given, { recursive: true, mode: 0o700 });
  const path = realpathSync(given);
  const names = readdirSync(path);
  if (names.length === 0 || OURS.some((name) => names.includes(name))) chmodSync(path, 0o700);
  return path;
};

/** Takes the lock on a folder: a name that the kernel gives to one process and takes back when it ends, however it ends. */
const lockOn = (path: string): Promise<Server | "held" | "no such lock"> => {
  if (process.platform !== "linux") return Promise.resolve("no such lock");
  const name = `\0feedback-board-${createHash("sha256").update(path).digest("hex").slice(0, 32)}`;
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((done) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => done(code === "EADDRINUSE" ? "held" : "no such lock"));
    server.listen(name, () => done(server));
  });
};

/** The command line of a process; empty where there is none. */
const commandOf = (pid: number): string[] => {
  try {
    if (existsSync("/proc/self/cmdline")) return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" })
      .trim()
      .split(" ");
  } catch {
    return [];
  }
};

const isOurServer = (pid: number | undefined): boolean =>
  pid !== undefined && pid !== process.pid && commandOf(pid).some((word) => /infra\/local\/(main|sam)\.ts$/.test(word));

const isEngineOn = (pid: number, path: string): boolean => {
  const command = `${commandOf(pid).join(" ")} `;
  return Object.values(dataWords(path)).some((words) => command.includes(` ${words.join(" ")} `));
};

/** The engines that still work on a folder, noted there or not: a crash can come before the note. */
const enginesOn = (path: string, noted: number | undefined): number[] => {
  const running = existsSync("/proc/self") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  const pids = new Set([...running.map(Number), ...(noted ? [noted] : [])]);
  return [...pids].filter((pid) => isEngineOn(pid, path));
};

const endProcess = async (pid: number, path: string): Promise<void> => {
  process.kill(pid, "SIGTERM");
  for (let waited = 0; isEngineOn(pid, path); waited += 20) {
    if (waited === 3000) process.kill(pid, "SIGKILL");
    await sleep(20);
  }
};
