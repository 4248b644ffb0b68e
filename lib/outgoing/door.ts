import { lookup } from "node:dns";
import * as http from "node:http";
import * as https from "node:https";
import { checked } from "./addresses.ts";
import { reasons } from "./reasons.ts";
import { isOwnMachine, mayCall } from "./urls.ts";

// The one door for calls to urls that people give: of webhooks and of sign-in providers.

/**
 * What a call brought: the status of the answer, after how many ms, how long to wait, and the text of a call that reads
 * it; or why there is none.
 */
export type Answer = { status?: number; ms?: number; retryAfterMs?: number; text?: string; reason?: string };

export type Call = {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** The longest wait for the whole answer. */
  timeoutMs: number;
  /** The most bytes of the answer that are read. */
  mostBytes: number;
  /** Whether the text of the answer is wanted: then one that is longer than `mostBytes` counts as missing. */
  readsText?: boolean;
  /** For tests. */
  resolve?: typeof lookup;
};

/** The reason of an error of the connection, by the error's code. */
const REASONS: Record<string, string> = {
  NOT_PUBLIC: reasons.HOST_NOT_PUBLIC,
  ENOTFOUND: reasons.HOST_UNKNOWN,
  ECONNREFUSED: reasons.CONNECTION_REFUSED,
  ECONNRESET: reasons.CONNECTION_ENDED,
  ABORT_ERR: reasons.NO_ANSWER,
};

/** `retry-after` is a number of seconds or a date. */
function retryAfterMsOf(text = "0"): number {
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(wait, 0) : 0;
}

/** Makes a call. Follows no redirect, uses no proxy, and reads a bounded part of the answer. */
export function call(asked: Call): Promise<Answer> {
  if (!mayCall(asked.url)) return Promise.resolve({ reason: reasons.URL_NOT_ALLOWED });
  const { promise, resolve: settle } = Promise.withResolvers<Answer>();
  const url = new URL(asked.url);
  const { Agent, request } = url.protocol === "http:" ? http : https;
  const started = performance.now();
  const headOf = ({ statusCode = 0, headers }: http.IncomingMessage): Answer => {
    const ms = Math.round(performance.now() - started);
    return { status: statusCode, ms, retryAfterMs: retryAfterMsOf(headers["retry-after"]) };
  };
  // An agent of its own: the global one may use a proxy.
  const sent = request(url, { ...optionsOf(asked, url), agent: new Agent() }, async (answer) => {
    const read = await readBody(answer, asked);
    settle("reason" in read ? read : { ...headOf(answer), ...read });
  });
  sent.on("error", ({ code = "" }: NodeJS.ErrnoException) =>
    settle({ reason: REASONS[code] ?? `${reasons.CONNECTION_FAILED}: ${code}` }),
  );
  sent.on("upgrade", (answer, socket) => {
    socket.destroy();
    settle(headOf(answer));
  });
  sent.end(asked.body ?? "");
  return promise;
}

function optionsOf({ method, headers, body = "", timeoutMs, resolve = lookup }: Call, url: URL) {
  return {
    method,
    headers: { ...headers, ...(body && { "content-length": Buffer.byteLength(body) }) },
    signal: AbortSignal.timeout(timeoutMs),
    rejectUnauthorized: true,
    autoSelectFamily: true,
    ...(!isOwnMachine(url) && { lookup: checked(resolve) }),
  };
}

/** Reads a bounded part of an answer, and returns its text if the call wants it. */
function readBody(
  answer: http.IncomingMessage,
  { mostBytes, readsText = false }: Call,
): Promise<{ reason: string } | { text?: string }> {
  const { promise, resolve: settle } = Promise.withResolvers<{ reason: string } | { text?: string }>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  answer.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (readsText) chunks.push(chunk);
    if (bytes > mostBytes) answer.destroy();
  });
  answer.on("error", () => {});
  answer.on("close", () => {
    if (!readsText) settle({});
    else if (bytes > mostBytes) settle({ reason: reasons.TOO_LONG });
    else if (!answer.complete) settle({ reason: reasons.CONNECTION_ENDED });
    else settle({ text: Buffer.concat(chunks).toString() });
  });
  return promise;
}
