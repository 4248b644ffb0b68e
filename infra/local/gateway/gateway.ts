import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { BASE_PATH } from "../../../lib/http/routes.ts";
import * as log from "../../../lib/runtime/log.ts";
import { corsMethods } from "../../stack/cors.ts";
import { eventOf, targetOf } from "./event.ts";
import type { Guard } from "./guard.ts";
import { type Answer, invoke, message } from "./invoke.ts";
import { matcherOf } from "./routes.ts";
import { corsHeaders, send } from "./send.ts";

// An HTTP API of API Gateway on one machine: it makes the same events and treats answers in the same way (payload
// format 2.0).

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const GATEWAY_TIMEOUT_MS = 30_000;

type GatewayOptions = {
  /** How long a handler may take, in milliseconds. */
  timeoutMs?: number;
  /** How long a client may take to send its request, in milliseconds. */
  requestTimeoutMs?: number;
  /** Which requests are not answered, with the reason; by default none. */
  guard?: Guard;
  /** Answers `GET` of a path without an endpoint; undefined for an unknown one. */
  pageAt?: (target: { path: string; query: string }, headers: IncomingHttpHeaders) => Promise<Answer | undefined>;
};

/** An HTTP server that hands each request to the endpoint of its route, as the deployed gateway would. */
export function createGateway(endpoints: readonly Endpoint[], options: GatewayOptions = {}): Server {
  const { requestTimeoutMs = GATEWAY_TIMEOUT_MS, guard } = options;
  const match = matcherOf(endpoints);
  const methods = corsMethods(endpoints);
  const server = createServer({
    // A missing Host header is answered below, in JSON.
    requireHostHeader: false,
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 1000),
    // Longer than clients keep an idle connection, so that none of them uses one that is just being closed.
    keepAliveTimeout: 75_000,
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = guard?.(request);
    if (refusal) {
      // Without a header of CORS: the page learns nothing. Its body is read, so that the connection can stay open.
      request.resume();
      log.info("request", { method: request.method, route: "none", status: 403 });
      send(response, message(403, refusal), {});
      return;
    }
    const result = await answer(request, match, options).catch((error: unknown) => {
      log.error("the gateway failed", { error });
      return message(500, "Internal Server Error");
    });
    // Pages of other servers of this machine may call the API, but read nothing else: /mails holds links that reset
    // passwords.
    const isOfApi = targetOf(request.url).path.startsWith(`${BASE_PATH}/`);
    if (result) send(response, result, isOfApi ? corsHeaders(request, methods) : {});
  };
  server.on("request", respond);
  // An unknown Expect header is ignored, as a proxy would.
  server.on("checkExpectation", respond);
  server.on("clientError", refuse);
  server.on("connect", (_request, socket: Duplex) => refuse(new Error("CONNECT"), socket));
  return server;
}

const REFUSALS: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/** Answers a request that is not HTTP or never becomes complete, instead of breaking the connection. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
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
}

/** The answer to a request; undefined if the client went away before the request was complete. */
async function answer(
  request: IncomingMessage,
  match: ReturnType<typeof matcherOf>,
  { timeoutMs = GATEWAY_TIMEOUT_MS, pageAt }: GatewayOptions,
): Promise<Answer | undefined> {
  const { method = "GET", httpVersion, headers } = request;
  const target = targetOf(request.url);
  const found = match(method, target.path);
  const logged = (result: Answer): Answer => {
    log.info("request", { method, route: found?.route ?? "none", status: result.statusCode });
    return result;
  };
  const body = await read(request);
  if (body === "gone") {
    log.info("the client went away", { method, route: found?.route ?? "none" });
    return undefined;
  }
  if (headers.host === undefined && httpVersion === "1.1") return logged(message(400, "Bad Request"));
  if (method === "OPTIONS") return logged({ statusCode: 204 });
  if (body === "too large") return logged(message(413, "Request Entity Too Large"));
  const isRead = method === "GET" || method === "HEAD";
  const page = isRead && !found ? await pageAt?.(target, headers) : undefined;
  if (page) return logged(page);
  if (!found) return logged(message(404, "Not Found"));
  return invoke(found.endpoint, eventOf(request, found, body), timeoutMs);
}

async function read(request: IncomingMessage): Promise<Buffer | "too large" | "gone"> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      // A body that is too large is read to its end, so that the client reads the answer, but it is not kept.
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return "gone";
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : "too large";
}
