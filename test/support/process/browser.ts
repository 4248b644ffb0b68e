import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Debian's chromium, or the one that CHROMIUM names; undefined if there is none. */
export const BROWSER = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));

if (!BROWSER) console.log("skipped: tests in a browser, which need chromium (or CHROMIUM=<its path>)");

export function startBrowser(...args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER as string,
    args: ["--no-sandbox", "--disable-background-networking", ...args],
  });
}
