import { renameSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnswerPage } from "../../../portal/build.ts";
import type { Answer } from "./invoke.ts";

const FILE = join(import.meta.dirname, "../../../dist/portal/index.mjs");

async function build(): Promise<AnswerPage> {
  // Loaded now, so that a start is as fast as without it.
  const { buildPortal } = await import("../../../portal/build.ts");
  const part = `${FILE}.${process.pid}`;
  await buildPortal(part);
  // Another server may read the file at this moment: it is replaced whole.
  renameSync(part, FILE);
  return (await import(pathToFileURL(FILE).href)).answerPage;
}

/** Answers the addresses of the portal on one machine. It is built at the first of them. */
export function portal(
  origin: () => string,
): (url: string, headers: IncomingHttpHeaders) => Promise<Answer | undefined> {
  let built: Promise<AnswerPage> | undefined;
  return async (url, headers) => {
    const isPage = headers.accept?.includes("text/html") && !url.startsWith("/api/");
    if (!isPage && !url.startsWith("/assets/")) return undefined;
    built ??= build();
    return (await built)(url, headers, origin());
  };
}
