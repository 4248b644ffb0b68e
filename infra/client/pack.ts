// npm run client: packs the typed client. Its types are made from docs/openapi.json; its code is lib/client/.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { readCommandLine } from "../usage.ts";
import { makeTypes } from "./types.ts";

const root = join(import.meta.dirname, "../..");
const OWN = join(root, "lib/client");

const COMPILER_OPTIONS = [
  ...["--target", "es2022", "--module", "nodenext", "--strict", "--skipLibCheck", "--declaration"],
  "--rewriteRelativeImportExtensions",
  // The package does not have this repository's options.
  "--ignoreConfig",
];

function run(command: string, ...words: string[]): string {
  return execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function build(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  makeTypes();
  for (const source of ["schema.ts", "index.ts"]) copyFileSync(join(OWN, source), join(folder, source));
  run(join(root, "node_modules/.bin/tsc"), ...COMPILER_OPTIONS, "--outDir", folder, join(folder, "index.ts"));
  for (const source of ["schema.ts", "index.ts"]) rmSync(join(folder, source), { force: true });
  const { devDependencies: _, ...own } = JSON.parse(readFileSync(join(OWN, "package.json"), "utf8"));
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ ...own, version: packageJson.version }, undefined, 2)}\n`,
  );
}

function packClient(): string {
  const folder = join(root, "dist");
  // Below the project, so that the compiler finds openapi-fetch.
  const built = join(root, "dist/client");
  build(built);
  return join(folder, run("npm", "pack", built, "--pack-destination", folder, "--silent").trim());
}

if (import.meta.main) {
  readCommandLine("npm run client");
  console.log(`The client, for npm install <file>: ${packClient()}`);
}
