import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Shutdown } from "./run.ts";

// Not `node --watch`: on Linux, Node 24 loses sight of a file that an editor or git replaces instead of writing into
// it.

const root = resolve(import.meta.dirname, "../..");
const FOLDERS = ["functions", "infra", "lib", "portal"].map((name) => join(root, name));

/** Runs the server as a process of its own, and starts it again after each change in these folders. */
export function watchServer(words: string[], shutdown: Shutdown): void {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Watching begins before the start, so that no change is missed.
      const changed = nextChange(FOLDERS, stopping.signal);
      const server = startServer(words);
      await changed;
      await end(server);
    }
  };
  const running = run();
  shutdown.add(async () => {
    stopping.abort();
    await running;
  });
}

function startServer(words: string[]): ChildProcess {
  // The channel closes when this process ends, so the server ends.
  const server = spawn(process.execPath, [join(import.meta.dirname, "watched.ts"), ...words], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  server.once("exit", (code, signal) => {
    if (code || (signal && signal !== "SIGTERM"))
      console.log("The server ended. It starts again after the next change.");
  });
  return server;
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  await ended;
}

// An editor writes a file in more than one step.
const QUIET_MS = 100;

/**
 * Waits for a change in the folders and those below, and until it is quiet again; also ends when the signal is aborted.
 */
async function nextChange(folders: string[], signal: AbortSignal): Promise<void> {
  const watchers: FSWatcher[] = [];
  let changedAt = Number.POSITIVE_INFINITY;
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      const onChange = (): void => {
        changedAt = performance.now();
        resolve();
      };
      try {
        for (const folder of folders.flatMap(withSubfolders)) {
          watchers.push(watch(folder, onChange).on("error", onChange));
        }
      } catch (error) {
        // The removal of a folder is also a change.
        if ((error as NodeJS.ErrnoException).code === "ENOENT") onChange();
        else reject(error);
      }
    });
    while (!signal.aborted && performance.now() - changedAt < QUIET_MS) await sleep(QUIET_MS);
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

function withSubfolders(folder: string): string[] {
  return [
    folder,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !join(entry.parentPath, entry.name).includes("node_modules"))
      .map(({ parentPath, name }) => join(parentPath, name)),
  ];
}
