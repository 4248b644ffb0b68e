import { migrate } from "../../lib/migrations/migrate.ts";

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
