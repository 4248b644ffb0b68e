import { existsSync } from "node:fs";
import type { DataFolder } from "./data-folder.ts";
import { serverAddress } from "./environment.ts";
import { forgetProviders } from "./provider/forget.ts";
import type { Shutdown } from "./run.ts";
import { serve, writeDemoFile } from "./server.ts";
import { openStore } from "./store.ts";
import { watchServer } from "./watch.ts";
import { preparedLines, welcome } from "./welcome.ts";

type Options = { demo: boolean; memory: boolean; watch: boolean; provider: boolean; apiOnly: boolean };

/** The name of the demo file. Tokens of a demo set in memory end with it; a demo set on disk keeps its file. */
export function demoFileIn({ file }: Pick<DataFolder, "file">, memory: boolean): string {
  return memory && existsSync(file("table.db")) ? "demo-memory.json" : "demo.json";
}

/** Starts the sign-in provider for development, on the port after the service's own. */
async function issuerOf(shutdown: Shutdown): Promise<string> {
  const { host, port } = serverAddress();
  // Others of the network could be anybody.
  if (host !== "127.0.0.1" && host !== "localhost")
    throw new Error("--provider works on this machine alone: unset HOST");
  const { startProvider } = await import("./provider/start.ts");
  const { issuer, close } = await startProvider(port === 0 ? 0 : port + 1);
  shutdown.add(close);
  return issuer;
}

/** Opens the store, loads the demo set if it is asked for, and serves until the process is told to end. */
export async function startService(
  { demo, memory, watch, provider, apiOnly }: Options,
  folder: DataFolder | undefined,
  shutdown: Shutdown,
): Promise<void> {
  const dataFolder = memory ? undefined : folder;
  // An engine of its own hides from others, and one server holds its folder.
  const isAlone = !process.env.DYNAMODB_ENDPOINT;
  const engine = await openStore(dataFolder, shutdown);
  // Only a start with --demo pays for loading it.
  if (demo) await (await import("./demo/load.ts")).loadDemo();
  if (!provider) await forgetProviders();
  const issuer = provider ? await issuerOf(shutdown) : undefined;
  const demoFile = demo ? folder?.file(demoFileIn(folder, memory)) : undefined;
  const prepared = { engine, data: dataFolder?.path, demoFile, issuer };
  if (watch) {
    console.log("\nThe server restarts after each change of its code. The engine and its data stay. Ctrl-C stops all.");
    console.log(`${preparedLines(prepared).join("\n")}\n`);
    watchServer([...(apiOnly ? ["--api-only"] : []), ...(demoFile ? [demoFile] : [])], shutdown);
    return;
  }
  const baseUrl = await serve(shutdown, { apiOnly, isAlone, hasNewPosts: demo });
  const accounts = demoFile ? await writeDemoFile(demoFile, baseUrl) : [];
  console.log(welcome({ ...prepared, baseUrl, apiOnly, accounts }));
}
