// npm run docs: writes docs/openapi.json and the table in docs/api.md.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readCommandLine } from "../usage.ts";

readCommandLine("npm run docs");
// The examples of the documents are calls that a test makes.
const words = ["node_modules/vitest/vitest.mjs", "run", "test/infra/openapi/document.test.ts"];
const { status } = spawnSync(process.execPath, words, {
  cwd: join(import.meta.dirname, "../.."),
  env: { ...process.env, WRITE_DOCS: "on" },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
