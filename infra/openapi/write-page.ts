// npm run docs: writes docs/openapi.json and the table in docs/api.md, then the reference page as a folder for any web
// server.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine } from "../usage.ts";
import { pageFile, pageFiles } from "./page.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "dist/docs");

/** Writes the page, which calls the API at a base URL; without one, at the host that the page comes from. */
export function writePage(folder: string, api?: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of pageFiles) writeFileSync(join(folder, name), pageFile(name, api)?.content ?? "");
}

// The examples of the documents are calls that a test makes.
function writeDocuments(): void {
  const words = ["node_modules/vitest/vitest.mjs", "run", "test/infra/openapi/document.test.ts"];
  const env = { ...process.env, WRITE_DOCS: "on" };
  const { status } = spawnSync(process.execPath, words, { cwd: ROOT, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

if (import.meta.main) {
  const {
    values: [api],
  } = readCommandLine("npm run docs [-- <baseUrl>]", { values: 1 });
  if (api !== undefined && !/^https?:\/\//.test(api)) {
    console.error(`${api} must begin with http:// or https://`);
    process.exit(1);
  }
  writeDocuments();
  writePage(FOLDER, api);
  console.log(`dist/docs has the reference page. It calls ${api ?? "the host that serves it"}.`);
  console.log("Serve it with the header content-security-policy: frame-ancestors 'none'.");
}
