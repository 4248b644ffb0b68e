import { resolve } from "node:path";
import { readCommandLine } from "../usage.ts";
import { openDataFolder } from "./data-folder.ts";
import { runUntilStopped, type Shutdown } from "./run.ts";
import type { Options } from "./service.ts";
import { serverAddress, setDefaults } from "./settings.ts";

const USAGE = "npm start [-- [--demo] [--memory] [--watch]]";

/** npm start. */
export async function start(): Promise<void> {
  const { flags } = readCommandLine(USAGE, { flags: ["--demo", "--memory", "--watch"] });
  const options = { demo: flags.has("--demo"), memory: flags.has("--memory"), watch: flags.has("--watch") };
  await runUntilStopped((shutdown) => startAll(options, shutdown));
}

async function startAll(options: Options, shutdown: Shutdown): Promise<void> {
  const { demo, memory } = options;
  // Secrets and data are for their owner only, the files of the engine included.
  process.umask(0o077);
  // A wrong PORT ends the start before anything else begins.
  serverAddress();
  // With --memory, demo.json is the only file that is kept.
  const folder = memory && !demo ? undefined : openDataFolder(resolve(process.env.DATA_DIR || ".data"));
  if (folder) shutdown.add(folder.release);
  setDefaults(memory ? undefined : folder);
  // Loading the service takes most of the time of a start: one that cannot work ends before.
  const { startService } = await import("./service.ts");
  await startService(options, folder, shutdown);
}
