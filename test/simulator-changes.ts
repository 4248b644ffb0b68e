import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// The simulator is a package of its own, and its tests read nothing of the product. So they need to run only when it
// has changed: since they last passed in this folder, by a hash of its files that `npm ci` removes.

const READ = ["test/simulator/**/*.{ts,json}", "package-lock.json", "vitest.config.ts"];

function keptIn(folder: string): string {
  return join(folder, "node_modules/.cache/simulator-passed");
}

/** A hash of all that the tests of the simulator read. */
function stateOf(folder: string): string {
  const hash = createHash("sha256").update(process.version);
  const isOurs = (path: string) => !path.includes("node_modules");
  for (const path of globSync(READ, { cwd: folder }).filter(isOurs).sort()) {
    hash.update(`\0${path}\0`).update(readFileSync(join(folder, path)));
  }
  return hash.digest("hex");
}

/** Whether the tests of the simulator have to run in a folder; in CI they always do. */
export function isSimulatorUntested(folder: string, isCi: boolean): boolean {
  if (isCi) return true;
  try {
    return readFileSync(keptIn(folder), "utf8") !== stateOf(folder);
  } catch {
    return true;
  }
}

/** Keeps that the simulator passed its tests as it is now. */
export function keepThatSimulatorPassed(folder: string): void {
  mkdirSync(dirname(keptIn(folder)), { recursive: true });
  writeFileSync(keptIn(folder), stateOf(folder));
}
