// npm start: every endpoint and the table on this machine. docs/local.md.
import { mkdtempSync, rmSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLine } from "../usage.ts";
import { dataFolderPath, openDataFolder } from "./data-folder.ts";
import { serverAddress, setDefaults } from "./environment.ts";
import { runUntilStopped, type Shutdown } from "./run.ts";

// Keeping compiled code from one start to the next halves the time of a start.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/feedback-board"));

const HELP = `
  --demo      loads accounts, boards, roadmaps and posts with votes; demo.json has their tokens and ids
  --memory    keeps no data: each start begins with an empty table
  --provider  lets people sign in by a provider for development, on the next port
  --watch     restarts the server after each change in functions/, infra/, lib/ or portal/
  --api-only  leaves out the pages of the portal

Environment variables, such as PORT and DATA_DIR: docs/local.md#configuration`;

const { flags } = readCommandLine("npm start [-- [--demo] [--memory] [--provider] [--watch] [--api-only]]", {
  help: HELP,
  flags: ["--demo", "--memory", "--provider", "--watch", "--api-only"],
});
const demo = flags.has("--demo");
const memory = flags.has("--memory");
const watch = flags.has("--watch");
const options = { demo, memory, watch, provider: flags.has("--provider"), apiOnly: flags.has("--api-only") };
await runUntilStopped(async (shutdown) => {
  // Secrets and data are for their owner only, the files of the engine included.
  process.umask(0o077);
  // A wrong PORT ends the start before anything else begins.
  serverAddress();
  // With --memory, the file of the demo set is the only one that is kept.
  const folder = memory && !demo ? undefined : openDataFolder(dataFolderPath());
  if (folder) shutdown.add(folder.release);
  setDefaults(memory ? undefined : folder);
  if (memory) keepForAWhile(shutdown);
  // Loading the service takes most of the time of a start: one that cannot work ends before.
  const { startService } = await import("./service.ts");
  await startService(options, folder, shutdown);
});

/** Keeps mails and exports in a folder that ends with the server. */
function keepForAWhile(shutdown: Shutdown): void {
  const folder = mkdtempSync(join(tmpdir(), "feedback-board-"));
  shutdown.add(() => rmSync(folder, { recursive: true, force: true }));
  process.env.MAIL_LOG_FILE ||= join(folder, "mail.jsonl");
  process.env.EXPORT_FOLDER ||= join(folder, "exports");
}
