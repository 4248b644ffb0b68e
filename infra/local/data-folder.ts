import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A folder that keeps the local data. One process holds it at a time, and only its owner can read it. */
export type DataFolder = {
  path: string;
  file: (name: string) => string;
  release: () => void;
};

/** Opens a data folder, and creates it if it is missing. Throws if another process holds it. */
export function openDataFolder(given: string): DataFolder {
  const path = makeFolder(given);
  const file = (name: string): string => join(path, name);
  const lock = lockOn(file("lock"));
  if (!lock) throw new Error(`Another server works on ${path}: stop it, or set DATA_DIR to another folder`);
  return { path, file, release: () => lock.close() };
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

const OURS = ["signing-secret", "table.db"];

/** The path of the data folder of this process. A shell leaves `~` as it is in quotes, and so do files of variables. */
export function dataFolderPath(given = process.env.DATA_DIR || ".data"): string {
  return resolve(given.replace(/^~(?=\/|$)/, homedir()));
}

/** Makes a folder and those above it. Node's own `recursive` never ends below /proc, where nothing can be made. */
function makeAll(folder: string): void {
  if (existsSync(folder)) return;
  makeAll(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Creates the folder if it is missing. Only its owner gets access, unless it holds other files. Returns its real path.
 */
function makeFolder(given: string): string {
  if (existsSync(given) && !statSync(given).isDirectory()) {
    throw new Error(`${given} is not a folder: set DATA_DIR to one`);
  }
  makeAll(given);
  const path = realpathSync(given);
  const names = readdirSync(path);
  if (names.length === 0 || OURS.some((name) => names.includes(name))) chmodSync(path, 0o700);
  accessSync(path, constants.W_OK);
  return path;
}

const SQLITE_BUSY = 5;

// On a busy machine a process that was killed needs a moment to end.
const PATIENCE_MS = 3000;

/**
 * Locks a file for this process, as SQLite locks a database: the system frees it when the process ends, however it
 * ends.
 */
function lockOn(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    database.exec("PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}
