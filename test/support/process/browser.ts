import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { inject, onTestFinished } from "vitest";
import { aFolder } from "./server-process.ts";

/** The browser of this run; undefined if there is none. */
export const BROWSER: string | undefined = inject("browser");

function options(more: string[]): { executablePath: string; args: string[] } {
  const args = [
    "--no-sandbox",
    "--disable-background-networking",
    // Keeps it from starting a process in reserve for each profile.
    "--renderer-process-limit=1",
    // A new page begins in the process of its profile: a sixth less work for each page.
    "--disable-site-isolation-trials",
    // Without a process of its own for the network, a page takes a twentieth less work.
    "--enable-features=NetworkServiceInProcess2",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  ];
  return { executablePath: BROWSER as string, args: [...args, ...more] };
}

const global = globalThis as { browser?: Promise<Browser> };

/**
 * The browser of this process, which its test files share. It ends with the process, even one that is killed: the pipe
 * between them closes. What a test opens in it, the test closes.
 */
export function theBrowser(): Promise<Browser> {
  global.browser ??= chromium.launch(options([]));
  return global.browser;
}

/** A browser with other options, until the test ends. */
export async function aBrowser(...args: string[]): Promise<Browser> {
  const browser = await chromium.launch(options(args));
  onTestFinished(() => browser.close());
  return browser;
}

/** The port of a browser that another program drives, until the test ends. */
export async function openBrowser(): Promise<number> {
  const profile = aFolder();
  const browser = await chromium.launchPersistentContext(profile, options(["--remote-debugging-port=0"]));
  onTestFinished(() => browser.close());
  return Number.parseInt(readFileSync(join(profile, "DevToolsActivePort"), "utf8"), 10);
}
