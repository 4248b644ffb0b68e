import * as log from "../../lib/runtime/log.ts";

/** How long a shutdown waits for requests and background work, which can be interrupted without harm. */
export const SHUTDOWN_PATIENCE_MS = 2000;

/** The steps that end what was started, in the opposite order. */
export type Shutdown = {
  add: (step: () => Promise<void> | void) => void;
  /** Runs the steps and ends the process with the exit code. */
  run: (exitCode: number) => Promise<void>;
  isRunning: () => boolean;
};

function newShutdown(): Shutdown {
  const steps: (() => Promise<void> | void)[] = [];
  let isRunning = false;
  const run = async (exitCode: number): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let step = steps.pop(); step; step = steps.pop()) await step();
    process.exit(exitCode);
  };
  return { add: (step) => steps.push(step), run, isRunning: () => isRunning };
}

/** Runs a program until Ctrl-C, SIGTERM, SIGHUP or the end of its parent. A failed start prints one clear line. */
export async function runUntilStopped(start: (shutdown: Shutdown) => Promise<void>): Promise<void> {
  const shutdown = newShutdown();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void shutdown.run(0));
  onEndOfParent(() => void shutdown.run(0));
  // Without a reader (`npm start | head`) each line is an error of the stream. To log that would be the next one.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => void shutdown.run(1));
  process.on("uncaughtException", (error) => {
    log.error("an unexpected error ends the server", { error });
    void shutdown.run(1);
  });
  try {
    await start(shutdown);
  } catch (error) {
    if (shutdown.isRunning()) return;
    console.error(clearLine(error));
    await shutdown.run(1);
  }
}

/**
 * Calls `end` when the parent ends: one that opened a channel (watch.ts), or npm, which does not pass every signal on.
 */
function onEndOfParent(end: () => void): void {
  if (process.connected) process.once("disconnect", end);
  else if (process.connected === false) end();
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), 500).unref();
}

/** What a start that fails prints, in one line. */
export function clearLine(error: unknown): string {
  const { code, message, path, port, address } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === "EADDRINUSE") return `Port ${port} is in use: set PORT to another one`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${address ?? process.env.HOST} is not an address of this machine: set HOST to one`;
  if (code === "EACCES" && path) return `No permission to write ${path}: set DATA_DIR to a folder of yours`;
  if (code && path) return `${path} cannot be used as a data folder (${code}): set DATA_DIR to another one`;
  return message ?? String(error);
}
