import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { pathOf } from "./server-process.ts";

const places = ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`);
/** Debian's chromium, or the one that CHROMIUM names; undefined if there is none. */
export const BROWSER = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path));
if (!BROWSER) console.log("skipped: tests in a browser, which need chromium (or CHROMIUM=<its path>)");

/** Its packages have 176 MB, a quarter of all that `npm ci` brings, so it is none of them. */
export const LIGHTHOUSE = pathOf("lighthouse");
if (!LIGHTHOUSE) console.log("skipped: Lighthouse, which needs npm install --global lighthouse@13.5.0");

export function startBrowser(...args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER as string,
    // The limit keeps it from starting a process in reserve for each profile.
    args: ["--no-sandbox", "--disable-background-networking", "--renderer-process-limit=1", ...args],
  });
}
