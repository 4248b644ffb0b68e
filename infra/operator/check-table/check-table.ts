// The operator's command check-table: checks the invariants of a table. docs/operations.md#checking-a-table.

import { assertKnown, status } from "../../../lib/migrations/migrate.ts";
import { readCommandLine } from "../../usage.ts";
import { onTable, TABLES } from "../table.ts";
import { findingsIn, scan } from "./check.ts";

/** Checks the table and prints each problem. Returns the exit code: 0 without problems, else 1. */
async function checkTable(name: string): Promise<number> {
  assertKnown(await status());
  const items = await scan();
  const findings = findingsIn(items);
  console.log(`Checked ${items.length} items of the table ${name}`);
  for (const { at, problem } of findings) console.log(`${at}: ${problem}`);
  if (findings.length === 0) {
    console.log("No problems");
    return 0;
  }
  console.log(`Problems: ${findings.length}`);
  console.log("A write during the check can look like a problem: check again while nothing writes");
  return 1;
}

/** Runs the command. Returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  readCommandLine(`npm run operate -- check-table, ${TABLES}`, {}, words);
  return onTable(checkTable);
}
