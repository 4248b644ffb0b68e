// The server of npm start -- --watch, started by watch.ts with the path of demo.json and --api-only, if given. The
// environment has the address of its store.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/feedback-board"));
const { runUntilStopped } = await import("./run.ts");
const { migrateTable } = await import("./migrate-table.ts");
const { serve, writeDemoFile } = await import("./server.ts");

const apiOnly = process.argv.includes("--api-only");
const demoFile = process.argv.slice(2).find((word) => word !== "--api-only");
await runUntilStopped(async (shutdown) => {
  // A change of the code can be a new migration.
  await migrateTable();
  const baseUrl = await serve(shutdown, { apiOnly });
  if (demoFile) await writeDemoFile(demoFile, baseUrl);
  console.log(`Feedback Board is up: ${baseUrl}`);
});
