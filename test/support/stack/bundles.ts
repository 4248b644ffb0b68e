import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Bundle } from "../../../infra/bundle/bundle.ts";
import { onceARun } from "../once.ts";
import { compileCache } from "../process/server-process.ts";

const CUT_OFF = `import net from "node:net"; net.Socket.prototype.connect = () => { throw new Error("no network") };`;

/** Options of node for a process without a network. */
export const withoutNetwork = ["--import", `data:text/javascript,${CUT_OFF}`];

/** Options of node for a process in which infra/stack/app.ts reuses the bundles that `bundled` made. */
export const withBundles = ["--import", join(import.meta.dirname, "with-bundles.mjs")];

const BUNDLE = `
  import { bundleAll } from "./infra/bundle/bundle.ts";
  process.stdout.write(JSON.stringify(await bundleAll()));`;

async function bundle(): Promise<string> {
  const words = [...withoutNetwork, "--input-type=module", "--eval", BUNDLE];
  return (await promisify(execFile)(process.execPath, words, { env: compileCache, maxBuffer: 100_000_000 })).stdout;
}

/**
 * The bundles of all functions in dist/functions, built with an empty environment and no network. The first test file
 * that asks makes them for the whole run.
 */
export async function bundled(): Promise<Bundle[]> {
  return JSON.parse(await onceARun("bundles.json", bundle));
}
