// npm run docs: writes what follows from the definitions and from the calls of the examples. CONTRIBUTING.md lists it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readCommandLine } from "../usage.ts";

readCommandLine("npm run docs");
// Tests make the calls, and write what they otherwise compare (test/support/written.ts). The first one comes alone: the
// others compare each answer with the document that it writes.
const turns = [
  ["test/infra/openapi/document.test.ts"],
  ["test/cost/endpoints.test.ts", "test/functions/groups.test.ts", "test/infra/stack/size.test.ts"],
];
const cwd = join(import.meta.dirname, "../..");
const env = { ...process.env, WRITE_DOCS: "on" };
for (const files of turns) {
  const words = ["node_modules/vitest/vitest.mjs", "run", ...files];
  const { status } = spawnSync(process.execPath, words, { cwd, env, stdio: "inherit" });
  if (status !== 0) {
    console.error("\nThe documents are not all written: see the first failure above");
    process.exit(status ?? 1);
  }
}
