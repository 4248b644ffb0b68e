// npm run pictures: takes the pictures of the portal in docs/pictures/, from the demo set. It needs Chromium.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { readCommandLine } from "../usage.ts";

const FOLDER = join(import.meta.dirname, "../../docs/pictures");

/** A page at an address; `opens` is the link that leads from there to the page in the picture. */
type Picture = { path: string; opens?: string; colorScheme: "light" | "dark"; width: number; height: number };

const PICTURES = {
  "list-light": { path: "/?order=top", colorScheme: "light", width: 1120, height: 720 },
  "list-dark": { path: "/?order=top", colorScheme: "dark", width: 1120, height: 720 },
  post: { path: "/?order=top", opens: ".row h2 a:text('Dark mode')", colorScheme: "light", width: 1120, height: 720 },
  roadmap: { path: "/roadmap", colorScheme: "light", width: 1120, height: 720 },
  phone: { path: "/?order=top", colorScheme: "light", width: 390, height: 720 },
} satisfies Record<string, Picture>;

readCommandLine("npm run pictures");
const executablePath = process.env.CHROMIUM || "/usr/bin/chromium";
if (!existsSync(executablePath)) {
  console.error(`There is no Chromium at ${executablePath}. Name one in CHROMIUM.`);
  process.exit(1);
}
const data = mkdtempSync(join(tmpdir(), "feedback-board-pictures-"));
const server = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "--demo", "--memory"], {
  env: { ...process.env, PORT: "0", DATA_DIR: data },
  stdio: ["ignore", "pipe", "inherit"],
});
// Read to its end: a server without a reader stops.
const baseURL = await new Promise<string>((found) =>
  server.stdout.setEncoding("utf8").on("data", (text) => {
    const [, url] = /The portal: (\S+)/.exec(text) ?? [];
    if (url) found(url);
  }),
);

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const [name, { path, opens, colorScheme, ...viewport }] of Object.entries<Picture>(PICTURES)) {
  const page = await browser.newPage({ baseURL, colorScheme, viewport, locale: "en-GB" });
  await page.goto(path, { waitUntil: "networkidle" });
  if (opens) await page.locator(opens).first().click();
  // A page that a link has led to may not have asked for anything yet.
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}
await browser.close();
server.kill("SIGTERM");
rmSync(data, { recursive: true });
