import { migrate, type Progress } from "../../lib/data/migrations/migrate.ts";

/** Brings the table to the newest version and prints the progress, at most once a second. A new table is at once there. */
export const migrateTable = async (options: { pauseMs?: number } = {}): Promise<void> => {
  let printedAt = performance.now();
  await migrate({
    ...options,
    onProgress: (progress) => {
      if (progress.items === 0 || (!progress.isDone && performance.now() - printedAt < 1000)) return;
      printedAt = performance.now();
      console.log(lineOf(progress));
    },
  });
};

const lineOf = ({ number, title, items, isDone }: Progress): string =>
  `Migration ${number}, ${title}: ${items} items${isDone ? ", done" : ""}`;
