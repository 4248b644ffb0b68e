import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectFolder } from "../support/process/server-process.ts";

it("an install by npm leaves out of the lock file what packages ask of Node, and keeps what the project asks for", () => {
  const folder = mkdtempSync(join(tmpdir(), "feedback-board-lock-file-"));
  const npm = (...words: string[]): string =>
    execFileSync("npm", words, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  const write = (file: string, value: object): void => writeFileSync(join(folder, file), JSON.stringify(value));
  mkdirSync(join(folder, "tool"));
  write("tool/package.json", { name: "tool", version: "1.0.0", engines: { node: ">=99" } });
  const scripts = { dependencies: `node ${join(projectFolder, "infra/lock-file.mjs")}` };
  write("package.json", { name: "project", version: "1.0.0", engines: { node: ">=20" }, scripts });
  npm("pack", "./tool");
  npm("install", "./tool-1.0.0.tgz", "--offline", "--no-audit");
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  expect(packages["node_modules/tool"]).toMatchObject({ version: "1.0.0", integrity: expect.any(String) });
  expect(packages[""].engines).toEqual({ node: ">=20" });
  expect(packages["node_modules/tool"]).not.toHaveProperty("engines");
  rmSync(folder, { recursive: true });
});
