import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Who works on a data folder: the server, and the engine that it started. */
type Holder = { server: number; engine?: number };

const commandOf = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // No /proc on this system: an id that can be signalled is taken for what the file says.
    if (existsSync("/proc/self")) return undefined;
    try {
      process.kill(pid, 0);
      return "infra/local/main.ts table.db DynamoDBLocal.jar";
    } catch {
      return undefined;
    }
  }
};

const isOurServer = (pid: number): boolean =>
  pid !== process.pid && (commandOf(pid)?.includes("infra/local/main.ts") ?? false);

const isEngineOn = (pid: number): boolean => /table\.db|DynamoDBLocal\.jar/.test(commandOf(pid) ?? "");

/** A folder that keeps the local data, readable by its owner only; held by one server at a time. */
export class DataFolder {
  readonly path: string;
  readonly #file: string;

  private constructor(path: string) {
    this.path = path;
    this.#file = join(path, "server.json");
  }

  /** Opens the folder, makes it where it is missing, and ends an engine that a crash left behind; rejects where another server works on it. */
  static async open(path: string): Promise<DataFolder> {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
    const folder = new DataFolder(path);
    const holder = folder.#holder();
    if (holder && isOurServer(holder.server)) {
      throw new Error(
        `Another server (process ${holder.server}) works on ${path}: stop it, or set DATA_DIR to another folder`,
      );
    }
    if (holder?.engine && isEngineOn(holder.engine)) await endProcess(holder.engine);
    folder.hold({ server: process.pid });
    return folder;
  }

  #holder(): Holder | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8")) as Holder;
    } catch {
      return undefined;
    }
  }

  /** Notes who works on the folder. */
  hold(holder: Holder): void {
    writeFileSync(this.#file, JSON.stringify(holder), { mode: 0o600 });
  }

  /** Notes that nobody works on the folder any more. */
  release(): void {
    rmSync(this.#file, { force: true });
  }

  /** The path of a file in the folder. */
  file(name: string): string {
    return join(this.path, name);
  }

  /** The secret that signs tokens here: made once, kept with the data, readable by its owner only. */
  signingSecret(): string {
    const file = this.file("signing-secret");
    if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
    return readFileSync(file, "utf8").trim();
  }
}

const endProcess = async (pid: number): Promise<void> => {
  process.kill(pid, "SIGTERM");
  for (let waited = 0; isEngineOn(pid); waited += 50) {
    if (waited === 3000) process.kill(pid, "SIGKILL");
    await sleep(50);
  }
};
