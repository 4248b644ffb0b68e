import { gzipSync } from "node:zlib";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import document from "../../docs/openapi.json" with { type: "json" };
import { headerOf } from "../../lib/http/headers.ts";

const headers = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
  vary: "accept-encoding",
};

let text: string | undefined;
let zipped: string | undefined;

/** `GET /openapi.json`: the OpenAPI document, compressed if the client accepts that. */
export async function handler(event: Pick<APIGatewayProxyEventV2, "headers">) {
  text ??= JSON.stringify(document);
  if (!headerOf(event, "accept-encoding")?.includes("gzip")) return { statusCode: 200, headers, body: text };
  zipped ??= gzipSync(text, { level: 9 }).toString("base64");
  return { statusCode: 200, headers: { ...headers, "content-encoding": "gzip" }, body: zipped, isBase64Encoded: true };
}
