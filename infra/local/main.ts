// npm start: the twelve endpoints and their table on this machine. README.md#run-it.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Compiled code is kept from one start to the next: that halves the time a start takes.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/feedback-board"));
const { start } = await import("./start.ts");
await start(process.argv.slice(2));
