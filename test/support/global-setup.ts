import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEngine } from "../../infra/local/engine/engine.ts";
import { headlessChromium } from "./process/headless-chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The engines that run: one for each process that runs test files. */
    engines: string[];
    /** The program of the browser; absent if there is none. */
    browser: string;
    /** A folder that all test files share. */
    folder: string;
  }
}

const INSTALLED = ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`);

/** The browser that CHROMIUM names, or that npm installed, or the system has. */
async function findBrowser(): Promise<string | undefined> {
  return process.env.CHROMIUM ?? (await headlessChromium()) ?? INSTALLED.find((path) => existsSync(path));
}

/** Finds a browser, and starts an engine for each process of test files; their tables have names of their own. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const processes = project.vitest.config.maxWorkers;
  const engines = await Promise.all(Array.from({ length: processes }, () => startEngine({ kind: "dynoxide" })));
  project.provide(
    "engines",
    engines.map(({ endpoint }) => endpoint),
  );
  const browser = await findBrowser();
  if (browser) project.provide("browser", browser);
  else console.log("skipped: tests in a browser, which need Chromium (or CHROMIUM=<its path>)");
  const folder = mkdtempSync(join(tmpdir(), "feedback-board-run-"));
  project.provide("folder", folder);
  return async () => {
    rmSync(folder, { recursive: true });
    await Promise.all(engines.map(({ stop }) => stop()));
  };
};
