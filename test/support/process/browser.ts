import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { onTestFinished } from "vitest";
import { aFolder } from "./server-process.ts";

const places = ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`);
/** Debian's chromium, or the one that CHROMIUM names; undefined if there is none. */
export const BROWSER = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path));
if (!BROWSER) console.log("skipped: tests in a browser, which need chromium (or CHROMIUM=<its path>)");

function options(more: string[]): { executablePath: string; args: string[] } {
  // The limit keeps it from starting a process in reserve for each profile.
  const args = ["--no-sandbox", "--disable-background-networking", "--renderer-process-limit=1", ...more];
  return { executablePath: BROWSER as string, args };
}

export function startBrowser(...args: string[]): Promise<Browser> {
  return chromium.launch(options(args));
}

/** The port of a browser that another program drives, until the test ends. */
export async function openBrowser(): Promise<number> {
  const profile = aFolder();
  const browser = await chromium.launchPersistentContext(profile, options(["--remote-debugging-port=0"]));
  onTestFinished(() => browser.close());
  return Number.parseInt(readFileSync(join(profile, "DevToolsActivePort"), "utf8"), 10);
}
