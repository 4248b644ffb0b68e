import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../lib/migrations/migrate.ts";
import * as log from "../../lib/runtime/log.ts";
import { StoreUnavailable } from "../../lib/table/client.ts";

/**
 * Brings the table to the newest version and prints the progress, at most once a second. A new table has it from the
 * start.
 */
export async function migrateTable(options: { pauseMs?: number } = {}): Promise<void> {
  let printedAt = performance.now();
  await migrate({
    ...options,
    onProgress: ({ number, title, items, isDone }) => {
      if (items === 0 || (!isDone && performance.now() - printedAt < 1000)) return;
      printedAt = performance.now();
      console.log(`Migration ${number}, ${title}: ${items} items${isDone ? ", done" : ""}`);
    },
  });
}

const PAUSE_MS = 5000;

/**
 * Migrates the table before the service begins. If the store fails, the service begins without, and the table is
 * migrated later.
 */
export async function migrateAtStart(): Promise<void> {
  try {
    await migrateTable();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    log.error(`the table was not migrated; it is tried again every ${PAUSE_MS / 1000} s`, { error });
    void migrateLater();
  }
}

async function migrateLater(): Promise<void> {
  for (;;) {
    await sleep(PAUSE_MS, undefined, { ref: false });
    try {
      return await migrateTable();
    } catch (error) {
      if (error instanceof StoreUnavailable) continue;
      return log.error("the table cannot be migrated", { error });
    }
  }
}
