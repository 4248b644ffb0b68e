import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { BASE_PATH } from "../../../functions/index.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import * as log from "../../../lib/runtime/log.ts";
import { cors, corsMethods } from "../../stack/cors.ts";
import { limitedTo } from "./concurrency.ts";
import { eventOf, targetOf } from "./event.ts";
import { type Match, matcherOf } from "./routes.ts";

// API Gateway's HTTP API on one machine: the same events in, the same answers out (payload format 2.0).

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const GATEWAY_TIMEOUT_MS = 30_000;
// What the stack gives each function; an endpoint answers by itself shortly before.
const FUNCTION_TIMEOUT_MS = 10_000;

type Answer = APIGatewayProxyStructuredResultV2;
type Matcher = (method: string, path: string) => Match | undefined;

type GatewayOptions = {
  /** How long a handler may take, in milliseconds. */
  timeoutMs?: number;
  /** How long a client may take to send its request, in milliseconds. */
  requestTimeoutMs?: number;
  /** Answers `GET /`, given the request's Accept header; without it that is a 404, as in the cloud. */
  home?: Home;
};

type Home = (accept: string | undefined) => Answer;

/** An HTTP server that hands each request to the endpoint of its route, as the deployed gateway would. */
export const createGateway = (
  endpoints: readonly Endpoint[],
  { timeoutMs = GATEWAY_TIMEOUT_MS, requestTimeoutMs = GATEWAY_TIMEOUT_MS, home }: GatewayOptions = {},
): Server => {
  const match = matcherOf(endpoints);
  const preflight = preflightHeaders(corsMethods(endpoints));
  const server = createServer({
    // Answered by us, in JSON.
    requireHostHeader: false,
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 1000),
    // Longer than clients keep an idle connection, so that none meets one that is being closed.
    keepAliveTimeout: 75_000,
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const result = await answer(request, match, timeoutMs, home).catch((error: unknown) => {
      log.error("the gateway failed", { error });
      return message(500, "Internal Server Error");
    });
    if (result) send(response, result, corsHeaders(request, preflight));
  };
  server.on("request", respond);
  // An expectation that we do not know is ignored, as a proxy in front would.
  server.on("checkExpectation", respond);
  server.on("clientError", refuse);
  server.on("connect", (_request, socket: Duplex) => refuse(new Error("CONNECT"), socket));
  return server;
};

const REFUSALS: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/** What is not HTTP, or never becomes a whole request, gets a short answer instead of a broken connection. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, text] = REFUSALS[error.code ?? ""] ?? [400, "Bad Request"];
  log.info("request", { route: "none", status });
  const body = JSON.stringify({ message: text });
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
};

const message = (statusCode: number, text: string): Answer => ({
  statusCode,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message: text }),
});

/** The answer to a request; undefined when the client went away before it had sent all of it. */
const answer = async (
  request: IncomingMessage,
  match: Matcher,
  timeoutMs: number,
  home: Home | undefined,
): Promise<Answer | undefined> => {
  const { method = "GET", httpVersion, headers } = request;
  const { path } = targetOf(request.url);
  const found = match(method, path);
  const own = (result: Answer): Answer => {
    log.info("request", { method, route: found?.route ?? "none", status: result.statusCode });
    return result;
  };
  const body = await read(request);
  if (body === "gone") {
    log.info("the client went away", { method, route: found?.route ?? "none" });
    return undefined;
  }
  if (headers.host === undefined && httpVersion === "1.1") return own(message(400, "Bad Request"));
  if (method === "OPTIONS") return own({ statusCode: 204 });
  if (body === "too large") return own(message(413, "Request Entity Too Large"));
  if (home && path === "/" && (method === "GET" || method === "HEAD")) return own(home(headers.accept));
  if (!found) return own(message(404, "Not Found"));
  return invoke(found.endpoint, eventOf(request, found, body), timeoutMs);
};

/** The whole body. */
const read = async (request: IncomingMessage): Promise<Buffer | "too large" | "gone"> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Read to the end, so that the client gets to see the answer, but kept no longer.
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return "gone";
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : "too large";
};

/** Runs a handler as Lambda would; what it throws, and what it returns without a status, as the gateway treats them. */
const invoke = async (endpoint: Endpoint, event: APIGatewayProxyEventV2, timeoutMs: number): Promise<Answer> => {
  const { name } = endpoint.definition;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      log.error("a handler did not answer in time", { endpoint: name, status: 503 });
      resolve(message(503, "Service Unavailable"));
    }, timeoutMs);
  });
  // A call whose client has its answer is not begun any more, and one that never ends gives its place back.
  const answering = inTurn(() => (isOver ? timeout : Promise.race([runHandler(endpoint, event, timeoutMs), timeout])));
  try {
    return await Promise.race([answering, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

// Deployed, each call has a container of its own; here all share one process. A crowd is served in turn, so that the time limits
// of a call (the function's and the store's) measure its own work and not the queue in front of it.
const inTurn = limitedTo(16);

const runHandler = async (endpoint: Endpoint, event: APIGatewayProxyEventV2, timeoutMs: number): Promise<Answer> => {
  const { name } = endpoint.definition;
  const deadline = Date.now() + Math.min(timeoutMs, FUNCTION_TIMEOUT_MS);
  const context = {
    awsRequestId: randomUUID(),
    functionName: name,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  } as Context;
  try {
    return wellFormed(await endpoint(event, context));
  } catch (error) {
    log.error("a handler threw", { endpoint: name, status: 500, error });
    return message(500, "Internal Server Error");
  }
};

/** What a handler returned as an answer: without a status it is the body of a 200, text as it is and all else as JSON. */
const wellFormed = (result: unknown): Answer => {
  if (typeof result !== "object" || result === null || !("statusCode" in result)) {
    const body = typeof result === "string" ? result : JSON.stringify(result ?? null);
    return { statusCode: 200, headers: { "content-type": "application/json" }, body };
  }
  const { statusCode, body, ...rest } = result as Answer;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error("not a status code");
  if (body !== undefined && body !== null && typeof body !== "string") throw new Error("the body is not text");
  return { ...rest, statusCode: status, body: body ?? "" };
};

type Headers = Record<string, string>;

const preflightHeaders = (methods: string[]): Headers => ({
  "access-control-allow-methods": methods.join(","),
  "access-control-allow-headers": cors.allowHeaders.join(","),
  "access-control-max-age": String(cors.maxAgeSeconds),
});

/** What the gateway adds for a call from another origin. */
const corsHeaders = ({ method, headers }: IncomingMessage, preflight: Headers): Headers => {
  if (headers.origin === undefined) return {};
  const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
  return {
    "access-control-allow-origin": cors.allowOrigins.join(","),
    ...(isPreflight ? preflight : { "access-control-expose-headers": cors.exposeHeaders.join(",") }),
  };
};

const send = (response: ServerResponse, answer: Answer, added: Headers): void => {
  try {
    sendAnswer(response, answer, added);
  } catch (error) {
    // A header that HTTP cannot carry.
    log.error("an answer cannot be sent", { error });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    sendAnswer(response, message(500, "Internal Server Error"), added);
  }
};

const sendAnswer = (
  response: ServerResponse,
  { statusCode = 200, headers = {}, cookies = [], body = "", isBase64Encoded = false }: Answer,
  added: Headers,
): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  for (const cookie of cookies) response.appendHeader("set-cookie", cookie);
  for (const [name, value] of Object.entries(added)) response.setHeader(name, value);
  if (body !== "" && !response.hasHeader("content-type")) {
    response.setHeader("content-type", "text/plain;charset=UTF-8");
  }
  response.statusCode = statusCode;
  response.end(isBase64Encoded ? Buffer.from(body, "base64") : body);
};

/** The base URL of a server that listens, as a client on this machine would write it. */
export const baseUrlOf = (host: string, port: number): string => {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}${BASE_PATH}`;
};
