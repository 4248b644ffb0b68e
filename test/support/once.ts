import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, inject } from "vitest";
import { eventually } from "./process/server-process.ts";

// Making it may take ten seconds of a processor; a busy machine is given time.
const PATIENCE_MS = 300_000;

/** A text that the first test file of a run that asks for it makes for all. If it fails, all fail with its error. */
export async function onceARun(name: string, make: () => Promise<string>): Promise<string> {
  const file = join(inject("folder"), name);
  const failure = `${file}.failure`;
  if (isFirst(`${file}.lock`)) {
    await make().then(
      (text) => keep(file, text),
      (error) => keep(failure, inspect(error)),
    );
  }
  await eventually(() => expect(existsSync(file) || existsSync(failure)).toBe(true), PATIENCE_MS);
  if (existsSync(failure)) throw new Error(readFileSync(failure, "utf8"));
  return readFileSync(file, "utf8");
}

/** A text that a test file makes, unless an earlier one of the run has. What it is made from is a part of its name. */
export function madeBefore(name: string, make: () => string): string {
  const file = join(inject("folder"), createHash("sha256").update(name).digest("hex"));
  if (!existsSync(file)) keep(file, make());
  return readFileSync(file, "utf8");
}

/** Writes a file whole: nobody finds half of it. */
function keep(file: string, text: string): void {
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, text);
  renameSync(part, file);
}

function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
