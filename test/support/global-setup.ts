import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEngine } from "../../infra/local/engine/engine.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The engines that run: one for each process that runs test files. */
    engines: string[];
    /** A folder that all test files share. */
    folder: string;
  }
}

/** Starts an engine for each process that runs test files; their tables have names of their own. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const processes = project.vitest.config.maxWorkers;
  const engines = await Promise.all(Array.from({ length: processes }, () => startEngine({ kind: "dynoxide" })));
  project.provide(
    "engines",
    engines.map(({ endpoint }) => endpoint),
  );
  const folder = mkdtempSync(join(tmpdir(), "feedback-board-run-"));
  project.provide("folder", folder);
  return async () => {
    rmSync(folder, { recursive: true });
    await Promise.all(engines.map(({ stop }) => stop()));
  };
};
