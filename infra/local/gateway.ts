import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { BASE_PATH } from "../../functions/index.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import * as log from "../../lib/log.ts";
import { type Match, matcherOf } from "./routes.ts";

// API Gateway's HTTP API on one machine: the same events in, the same answers out (payload format 2.0).

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** How the gateway answers for cross-origin calls, here and in the stack: any origin, no credentials. */
export const CORS_MAX_AGE_SECONDS = 86_400;

/** An HTTP server that hands each request to the endpoint of its route, as the deployed gateway would. */
export const createGateway = (endpoints: readonly Endpoint[], { timeoutMs = TIMEOUT_MS } = {}): Server => {
  const match = matcherOf(endpoints);
  const methods = [...new Set(endpoints.map(({ definition }) => definition.method)), "OPTIONS"].join(",");
  const server = createServer((request, response) => {
    answer(request, match, timeoutMs)
      .catch((error: unknown): APIGatewayProxyStructuredResultV2 => {
        log.error("the gateway failed", { error });
        return message(500, "Internal Server Error");
      })
      .then((result) => send(request, response, result, methods));
  });
  // What is not HTTP gets a short answer instead of a broken connection.
  server.on("clientError", (_error, socket) => {
    if (!socket.writable) return;
    const body = JSON.stringify({ message: "Bad Request" });
    socket.end(
      `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
  });
  return server;
};

type Matcher = (method: string, path: string) => Match | undefined;

const message = (statusCode: number, text: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message: text }),
});

const answer = async (
  request: IncomingMessage,
  match: Matcher,
  timeoutMs: number,
): Promise<APIGatewayProxyStructuredResultV2> => {
  if (request.method === "OPTIONS") return { statusCode: 204 };
  const [rawPath = "/"] = (request.url ?? "/").split("?", 1);
  const found = match(request.method ?? "GET", rawPath);
  const body = await read(request);
  const refusal = body === undefined ? message(413, "Request Entity Too Large") : undefined;
  if (!found || refusal || body === undefined) {
    const result = refusal ?? message(404, "Not Found");
    log.info("request", { method: request.method, route: found ? found.route : "none", status: result.statusCode });
    return result;
  }
  return invoke(found.endpoint, eventOf(request, rawPath, found, body), timeoutMs);
};

/** The whole body; undefined when it is larger than the gateway takes. */
const read = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to the end, so that the client gets to see the answer, but kept no longer.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
};

/** Runs a handler as Lambda would; what it throws, and what it returns without a status, as the gateway treats them. */
const invoke = async (
  endpoint: Endpoint,
  event: APIGatewayProxyEventV2,
  timeoutMs: number,
): Promise<APIGatewayProxyStructuredResultV2> => {
  const deadline = Date.now() + timeoutMs;
  const context = {
    awsRequestId: randomUUID(),
    functionName: endpoint.definition.name,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  } as Context;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<APIGatewayProxyStructuredResultV2>((resolve) => {
    timer = setTimeout(() => resolve(message(503, "Service Unavailable")), timeoutMs);
  });
  try {
    const result: unknown = await Promise.race([endpoint(event, context), timeout]);
    return withStatus(result);
  } catch (error) {
    log.error("a handler threw", { endpoint: endpoint.definition.name, error });
    return message(500, "Internal Server Error");
  } finally {
    clearTimeout(timer);
  }
};

const withStatus = (result: unknown): APIGatewayProxyStructuredResultV2 => {
  if (typeof result === "object" && result !== null && "statusCode" in result) {
    return result as APIGatewayProxyStructuredResultV2;
  }
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(result ?? null) };
};

const TEXT = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded|[a-z0-9.-]+\+(json|xml)))/i;

/** The event that the gateway makes of a request: parts that a request lacks are absent keys. */
const eventOf = (request: IncomingMessage, rawPath: string, found: Match, body: Buffer): APIGatewayProxyEventV2 => {
  const rawQueryString = (request.url ?? "").split("?").slice(1).join("?");
  const { cookie, ...headers } = headersOf(request);
  const query = queryOf(rawQueryString);
  const method = request.method ?? "GET";
  const isText = TEXT.test(headers["content-type"] ?? "") && isUtf8(body);
  const now = new Date();
  return {
    version: "2.0",
    routeKey: found.route,
    rawPath,
    rawQueryString,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/;\s*/) }),
    headers,
    ...(Object.keys(query).length > 0 ? { queryStringParameters: query } : {}),
    requestContext: {
      accountId: "000000000000",
      apiId: "local",
      domainName: headers.host ?? "localhost",
      domainPrefix: "local",
      http: {
        method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? "",
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: randomUUID(),
      routeKey: found.route,
      stage: "$default",
      time: now.toISOString(),
      timeEpoch: now.getTime(),
    },
    ...(Object.keys(found.parameters).length > 0 ? { pathParameters: found.parameters } : {}),
    ...(body.length > 0 ? { body: body.toString(isText ? "utf8" : "base64") } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
};

/** Header names in lower case, repeated ones comma-joined (cookies by semicolon). */
const headersOf = ({ rawHeaders }: IncomingMessage): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    const value = rawHeaders[at + 1] as string;
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}${name === "cookie" ? "; " : ","}${value}`;
  }
  return headers;
};

const queryOf = (rawQueryString: string): Record<string, string> => {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const before = query.get(name);
    query.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(query);
};

const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { statusCode = 200, headers = {}, cookies = [], body = "", isBase64Encoded }: APIGatewayProxyStructuredResultV2,
  methods: string,
): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  if (request.headers.origin !== undefined) response.setHeader("access-control-allow-origin", "*");
  if (request.method === "OPTIONS") {
    response.setHeader("access-control-allow-methods", methods);
    response.setHeader("access-control-allow-headers", "authorization,content-type");
    response.setHeader("access-control-max-age", String(CORS_MAX_AGE_SECONDS));
  }
  response.writeHead(statusCode);
  response.end(isBase64Encoded ? Buffer.from(body, "base64") : body);
};

/** The base URL of a server that listens. */
export const baseUrlOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}${BASE_PATH}`;
