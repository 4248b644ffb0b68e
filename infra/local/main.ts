// npm start: every endpoint and the table on this machine. docs/local.md.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Keeping compiled code from one start to the next halves the time of a start.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/feedback-board"));
const { start } = await import("./start.ts");
await start();
