import type { IncomingMessage, ServerResponse } from "node:http";
import * as log from "../../../lib/runtime/log.ts";
import { cors } from "../../stack/cors.ts";
import { type Answer, message } from "./invoke.ts";

type Headers = Record<string, string>;

/** The headers that the gateway adds to an answer for another origin; `methods` are what it allows in a preflight. */
export function corsHeaders({ method, headers }: IncomingMessage, methods: string[]): Headers {
  if (headers.origin === undefined) return {};
  const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
  return {
    "access-control-allow-origin": cors.allowOrigins.join(","),
    ...(isPreflight
      ? {
          "access-control-allow-methods": methods.join(","),
          "access-control-allow-headers": cors.allowHeaders.join(","),
          "access-control-max-age": String(cors.maxAgeSeconds),
        }
      : { "access-control-expose-headers": cors.exposeHeaders.join(",") }),
  };
}

/** Sends an answer; one that HTTP does not allow becomes a 500. */
export function send(response: ServerResponse, answer: Answer, added: Headers): void {
  try {
    sendAnswer(response, answer, added);
  } catch (error) {
    // For example a header that HTTP does not allow.
    log.error("an answer cannot be sent", { error });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    sendAnswer(response, message(500, "Internal Server Error"), added);
  }
}

function sendAnswer(
  response: ServerResponse,
  { statusCode = 200, headers = {}, body = "", isBase64Encoded = false }: Answer,
  added: Headers,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  for (const [name, value] of Object.entries(added)) response.setHeader(name, value);
  if (body !== "" && !response.hasHeader("content-type")) {
    response.setHeader("content-type", "text/plain;charset=UTF-8");
  }
  response.statusCode = statusCode;
  response.end(isBase64Encoded ? Buffer.from(body, "base64") : body);
}
