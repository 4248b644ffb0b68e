import { renameSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { AnswerPage, Origins } from "../../../portal/build.ts";
import type { Answer } from "./invoke.ts";

const DIST = join(import.meta.dirname, "../../../dist");

/** Builds a function of the portal into a file, and loads it. */
async function load<T>(
  name: string,
  build: (file: string) => Promise<T>,
): Promise<{ built: T; answerPage: AnswerPage }> {
  const file = join(DIST, name, "index.mjs");
  const part = `${file}.${process.pid}`;
  const built = await build(part);
  // Another server may read the file at this moment: it is replaced whole.
  renameSync(part, file);
  return { built, answerPage: (await import(pathToFileURL(file).href)).answerPage };
}

// The builder is loaded now, so that a start is as fast as without it.
const builder = () => import("../../../portal/build.ts");

/** As the bucket of a stack answers. */
function fileAnswer(path: string, body: string | undefined): Answer {
  if (body === undefined) return { statusCode: 404, headers: {}, body: "" };
  const type = path.endsWith(".css") ? "text/css" : "text/javascript";
  const cache = { "cache-control": "public, max-age=31536000, immutable" };
  return { statusCode: 200, headers: { "content-type": `${type}; charset=utf-8`, ...cache }, body };
}

const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?(?:,|$)/i;

/** Whether the header Accept-Encoding names gzip, and does not refuse it by `q=0`. */
export function acceptsGzip(accepted: unknown): boolean {
  const found = GZIP.exec(String(accepted ?? ""));
  return found !== null && Number(found[1] ?? 1) > 0;
}

/** As CloudFront sends what it may compress. */
function compressed(answer: Answer, accepted: unknown): Answer {
  if (!answer.body || answer.isBase64Encoded) return answer;
  const vary = [answer.headers?.vary, "accept-encoding"].filter(Boolean).join(", ");
  if (!acceptsGzip(accepted)) return { ...answer, headers: { ...answer.headers, vary } };
  const headers = { ...answer.headers, vary, "content-encoding": "gzip" };
  return { ...answer, headers, body: gzipSync(answer.body).toString("base64"), isBase64Encoded: true };
}

/** Answers the addresses of the portal on one machine. Each of its functions is built at the first of them. */
export function portal(
  origins: () => Origins,
): (url: string, headers: IncomingHttpHeaders) => Promise<Answer | undefined> {
  const once = <T>(work: () => Promise<T>) => {
    let done: Promise<T> | undefined;
    return () => {
      done ??= work();
      return done;
    };
  };
  const pages = once(async () => load("portal", (await builder()).buildPortal));
  const cards = once(async () => load("cards", (await builder()).buildCards));
  return async (url, headers) => {
    if (url.startsWith("/api/")) return undefined;
    if (url.startsWith("/cards/")) return (await cards()).answerPage(url, headers, origins());
    const { built: files, answerPage } = await pages();
    const isFile = url.startsWith("/assets/");
    const answer = isFile ? fileAnswer(url, files[url]) : await answerPage(url, headers, origins());
    return compressed(answer, headers["accept-encoding"]);
  };
}
