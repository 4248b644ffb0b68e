import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject } from "vitest";
import type { Bundle } from "../../../infra/bundle/bundle.ts";
import { eventually } from "../process/server-process.ts";

const CUT_OFF = `import net from "node:net"; net.Socket.prototype.connect = () => { throw new Error("no network") };`;

/** Options of node for a process without a network. */
export const withoutNetwork = ["--import", `data:text/javascript,${CUT_OFF}`];

/** Options of node for a process in which infra/stack/app.ts reuses the bundles that `bundled` made. */
export const withBundles = ["--import", join(import.meta.dirname, "with-bundles.mjs")];

const BUNDLE = `
  import { renameSync, writeFileSync } from "node:fs";
  import { bundleAll } from "./infra/bundle/bundle.ts";
  writeFileSync("FILE.part", JSON.stringify(await bundleAll()));
  renameSync("FILE.part", "FILE");`;

// Ten seconds of a processor; a busy machine is given time.
const PATIENCE_MS = 300_000;

/**
 * The bundles of all functions in dist/functions, built with an empty environment and no network. The first test file
 * that asks makes them for the whole run.
 */
export async function bundled(): Promise<Bundle[]> {
  const file = join(inject("folder"), "bundles.json");
  if (isFirst(`${file}.lock`)) {
    const words = [...withoutNetwork, "--input-type=module", "--eval", BUNDLE.replaceAll("FILE", file)];
    await promisify(execFile)(process.execPath, words, { env: {} });
  }
  await eventually(() => expect(existsSync(file)).toBe(true), PATIENCE_MS);
  return JSON.parse(readFileSync(file, "utf8"));
}

function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
