import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`);
/** Debian's chromium, or the one that CHROMIUM names; undefined if there is none. */
export const BROWSER = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path));
if (!BROWSER) console.log("skipped: tests in a browser, which need chromium (or CHROMIUM=<its path>)");

export function startBrowser(...args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER as string,
    args: ["--no-sandbox", "--disable-background-networking", ...args],
  });
}
