// npm run growth: measures what requests cost as a table grows to 100,000 posts, and draws docs/figures/growth.svg. Takes minutes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readCommandLine } from "../usage.ts";

readCommandLine("npm run growth");
// The recordings that count units are those of the tests.
const words = ["node_modules/vitest/vitest.mjs", "run", "test/cost/growth.test.ts"];
const env = { ...process.env, WRITE_GROWTH: "on" };
const { status } = spawnSync(process.execPath, words, {
  cwd: join(import.meta.dirname, "../.."),
  env,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
