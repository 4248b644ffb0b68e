import { renameSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { AnswerPage, Origins } from "../../../portal/build.ts";
import type { Answer } from "./invoke.ts";

const FILE = join(import.meta.dirname, "../../../dist/portal/index.mjs");

type Built = { files: Record<string, string>; answerPage: AnswerPage };

async function build(): Promise<Built> {
  // Loaded now, so that a start is as fast as without it.
  const { buildPortal } = await import("../../../portal/build.ts");
  const part = `${FILE}.${process.pid}`;
  const files = await buildPortal(part);
  // Another server may read the file at this moment: it is replaced whole.
  renameSync(part, FILE);
  return { files, answerPage: (await import(pathToFileURL(FILE).href)).answerPage };
}

/** As the bucket of a stack answers. */
function fileAnswer(path: string, body: string | undefined): Answer {
  if (body === undefined) return { statusCode: 404, headers: {}, body: "" };
  const type = path.endsWith(".css") ? "text/css" : "text/javascript";
  const cache = { "cache-control": "public, max-age=31536000, immutable" };
  return { statusCode: 200, headers: { "content-type": `${type}; charset=utf-8`, ...cache }, body };
}

/** As CloudFront sends what it may compress. */
function compressed(answer: Answer, accepted: unknown): Answer {
  if (!answer.body || !String(accepted).includes("gzip")) return answer;
  const headers = { ...answer.headers, "content-encoding": "gzip" };
  return { ...answer, headers, body: gzipSync(answer.body ?? "").toString("base64"), isBase64Encoded: true };
}

/** Answers the addresses of the portal on one machine. It is built at the first of them. */
export function portal(
  origins: () => Origins,
): (url: string, headers: IncomingHttpHeaders) => Promise<Answer | undefined> {
  let built: Promise<Built> | undefined;
  return async (url, headers) => {
    if (url.startsWith("/api/")) return undefined;
    built ??= build();
    const isFile = url.startsWith("/assets/");
    const { files, answerPage } = await built;
    const answer = isFile ? fileAnswer(url, files[url]) : await answerPage(url, headers, origins());
    return compressed(answer, headers["accept-encoding"]);
  };
}
