import { resolve } from "node:path";
import * as passwords from "../../lib/auth/passwords.ts";
import * as site from "../../lib/data/site.ts";
import { readCommandLine } from "../usage.ts";
import { openDataFolder } from "./data-folder.ts";
import { runUntilStopped, type Shutdown } from "./run.ts";
import { serve, serverAddress, writeDemoFile } from "./server.ts";
import { setDefaults } from "./settings.ts";
import { openStore } from "./store.ts";
import { watchServer } from "./watch.ts";
import { watchWelcome, welcome } from "./welcome.ts";

/** What was asked for: `--demo` loads the demo set, `--memory` keeps nothing, `--watch` restarts the server after a change of the code. */
type Options = { demo: boolean; memory: boolean; watch: boolean };

const USAGE = "npm start [-- [--demo] [--memory] [--watch]]";

/** npm start. */
export const start = async (): Promise<void> => {
  const { flags } = readCommandLine(USAGE, { flags: ["--demo", "--memory", "--watch"] });
  const options = { demo: flags.has("--demo"), memory: flags.has("--memory"), watch: flags.has("--watch") };
  await runUntilStopped((shutdown) => startAll(options, shutdown));
};

const startAll = async ({ demo, memory, watch }: Options, shutdown: Shutdown): Promise<void> => {
  // Secrets and data are for their owner only, the files of the engine included.
  process.umask(0o077);
  // A wrong PORT ends the start before anything else begins.
  serverAddress();
  // With --memory, demo.json is the only file that is kept.
  const folder = memory && !demo ? undefined : await openDataFolder(resolve(process.env.DATA_DIR || ".data"));
  if (folder) shutdown.add(folder.release);
  const dataFolder = memory ? undefined : folder;
  setDefaults(dataFolder);
  const engine = await openStore(dataFolder, shutdown);
  // Only a start with --demo pays for loading it.
  if (demo) await (await import("./demo/load.ts")).loadDemo();
  const demoFile = demo ? folder?.file("demo.json") : undefined;
  const prepared = { engine, data: dataFolder?.path, hashFunction: await passwords.hashFunction(), demoFile };
  if (watch) {
    console.log(watchWelcome(prepared));
    watchServer(demoFile, shutdown);
    return;
  }
  const baseUrl = await serve(shutdown);
  const accounts = demoFile ? await writeDemoFile(demoFile, baseUrl) : [];
  // It serves by now: a store that fails this read does not end it, the greeting just has one line less.
  const isSetUp = await site.find().then(
    (found) => found !== undefined,
    () => true,
  );
  console.log(welcome({ ...prepared, baseUrl, accounts, isSetUp }));
};
