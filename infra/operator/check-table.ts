// npm run check-table: compares everything in a table with everything else. docs/operations.md#checking-a-table.

import { assertKnown, status } from "../../lib/migrations/migrate.ts";
import { readCommandLine } from "../usage.ts";
import { findingsIn, scan } from "./check-table/check.ts";
import { onTable, TABLES } from "./table.ts";

/** Checks the table and prints what is wrong. Returns the exit code: 0 if nothing is. */
async function checkTable(name: string): Promise<number> {
  assertKnown(await status());
  const items = await scan();
  const findings = findingsIn(items);
  console.log(`Checked ${items.length} items of the table ${name}`);
  for (const { at, problem } of findings) console.log(`${at}: ${problem}`);
  console.log(findings.length === 0 ? "No problems" : `Problems: ${findings.length}`);
  if (findings.length > 0) console.log("Writes during a check can look like problems: check again at rest");
  return findings.length === 0 ? 0 : 1;
}

readCommandLine(`npm run check-table, ${TABLES}`);
await onTable(checkTable);
