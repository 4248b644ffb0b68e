import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { type AnswerPage, buildPortal } from "../../../portal/build.ts";
import { onceARun } from "../once.ts";
import { aFolder } from "./server-process.ts";

const NAME = "portal.json";

async function build(): Promise<string> {
  const file = join(aFolder(), "index.mjs");
  const files = await buildPortal(file);
  return JSON.stringify({ program: readFileSync(file, "utf8"), files });
}

/** The environment of an `npm start` whose portal the first test file of the run that asks builds for all. */
export async function withPortal(): Promise<Record<string, string>> {
  await onceARun(NAME, build);
  return {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, "with-portal.mjs")}`,
    BUILT_PORTAL: join(inject("folder"), NAME),
  };
}

/** Answers the addresses of pages in this process, by the same portal. */
export async function pagesHere(): Promise<AnswerPage> {
  const file = join(aFolder(), "index.mjs");
  writeFileSync(file, JSON.parse(await onceARun(NAME, build)).program);
  return (await import(file)).answerPage;
}
