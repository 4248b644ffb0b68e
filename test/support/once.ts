import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { eventually } from "./process/server-process.ts";

// Making it may take ten seconds of a processor; a busy machine is given time.
const PATIENCE_MS = 300_000;

/** A text that the first test file of a run that asks for it makes for all. */
export async function onceARun(name: string, make: () => Promise<string>): Promise<string> {
  const file = join(inject("folder"), name);
  if (isFirst(`${file}.lock`)) {
    writeFileSync(`${file}.part`, await make());
    renameSync(`${file}.part`, file);
  }
  await eventually(() => expect(existsSync(file)).toBe(true), PATIENCE_MS);
  return readFileSync(file, "utf8");
}

function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
