import * as log from "../../lib/runtime/log.ts";

/** What was started, to be ended in the opposite order. */
export type Started = {
  add: (ending: () => Promise<void> | void) => void;
  end: (code: number) => Promise<void>;
  isEnding: () => boolean;
};

const nothingStarted = (): Started => {
  const endings: (() => Promise<void> | void)[] = [];
  let isEnding = false;
  const end = async (code: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    for (let ending = endings.pop(); ending; ending = endings.pop()) await ending();
    process.exit(code);
  };
  return { add: (ending) => endings.push(ending), end, isEnding: () => isEnding };
};

/** Does what `startAll` does; any failure is one clear line and exit code 1, Ctrl-C ends all that was started. */
export const runUntilStopped = async (startAll: (started: Started) => Promise<void>): Promise<void> => {
  const started = nothingStarted();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void started.end(0));
  endWithParent(() => void started.end(0));
  process.on("uncaughtException", (error) => {
    log.error("something unforeseen ends the server", { error });
    void started.end(1);
  });
  try {
    await startAll(started);
  } catch (error) {
    if (started.isEnding()) return;
    console.error(clearLine(error));
    await started.end(1);
  }
};

/** Under npm, ends with it: a shell between the two does not pass every signal on. */
const endWithParent = (end: () => void): void => {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), 500).unref();
};

const clearLine = (error: unknown): string => {
  const { code, message, path, port, address, syscall } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === "EADDRINUSE") return `Port ${port} is in use: set PORT to another one`;
  if (code === "EACCES" && syscall === "listen")
    return `No permission to listen on port ${port}: set PORT to another one`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${address ?? process.env.HOST} is no address of this machine: set HOST to one`;
  if (code === "EACCES" && path) return `No permission to write ${path}: set DATA_DIR to a folder of yours`;
  if (code && path) return `${path} cannot be used as a data folder (${code}): set DATA_DIR to another one`;
  return message ?? String(error);
};
