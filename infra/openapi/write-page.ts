// npm run docs, its last step: writes the reference as a folder for any web server.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine } from "../usage.ts";
import { pageFile, pageFiles } from "./page.ts";

const FOLDER = join(import.meta.dirname, "../../dist/docs");

/** Writes the page, which calls the API at a base URL; without one, at the host that the page comes from. */
export const writePage = (folder: string, api?: string): void => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of pageFiles) writeFileSync(join(folder, name), pageFile(name, api)?.content ?? "");
};

if (import.meta.main) {
  const {
    values: [api],
  } = readCommandLine("npm run docs [-- <baseUrl>]", { values: 1 });
  if (api !== undefined && !/^https?:\/\//.test(api)) {
    console.error(`${api} is no base URL: it must begin with http:// or https://`);
    process.exit(1);
  }
  writePage(FOLDER, api);
  console.log(`The reference page, which calls ${api ?? "the host that it comes from"}: dist/docs`);
}
