import { gzipSync } from "node:zlib";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import document from "../../docs/openapi.json" with { type: "json" };

const headers = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
  vary: "accept-encoding",
};

let text: string | undefined;
let zipped: string | undefined;

function acceptsGzip(event: Pick<APIGatewayProxyEventV2, "headers">): boolean {
  return Object.entries(event.headers ?? {}).some(
    ([name, value]) => /^accept-encoding$/i.test(name) && /gzip/.test(value ?? ""),
  );
}

/** `GET /openapi.json`: the OpenAPI document, compressed if the client accepts that. */
export async function handler(
  event: Pick<APIGatewayProxyEventV2, "headers">,
): Promise<APIGatewayProxyStructuredResultV2> {
  text ??= JSON.stringify(document);
  if (!acceptsGzip(event)) return { statusCode: 200, headers, body: text };
  zipped ??= gzipSync(text, { level: 9 }).toString("base64");
  return { statusCode: 200, headers: { ...headers, "content-encoding": "gzip" }, body: zipped, isBase64Encoded: true };
}
