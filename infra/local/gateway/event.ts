import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Match } from "./routes.ts";

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/** The path and the query of a request target, both percent-encoded. A target can be a whole URL. */
export function targetOf(url = "/"): { path: string; query: string } {
  const target = url.replace(ORIGIN, "");
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path || "/", query: mark < 0 ? "" : target.slice(mark + 1) };
}

const TEXT = /^\s*(text\/|application\/(json|javascript|xml|x-www-form-urlencoded|[a-z0-9.-]+\+(json|xml)))/i;

type HttpRequest = Pick<IncomingMessage, "method" | "url" | "httpVersion" | "rawHeaders"> & {
  socket: { remoteAddress?: string | undefined };
};
type Found = Pick<Match, "route" | "parameters">;

/** The event of a request (payload format 2.0). The event omits the keys of parts that the request lacks. */
export function eventOf(request: HttpRequest, found: Found, body: Buffer): APIGatewayProxyEventV2 {
  const { path, query: rawQueryString } = targetOf(request.url);
  const headers = headersOf(request);
  const query = queryOf(rawQueryString);
  const isText = TEXT.test(headers["content-type"] ?? "") && isUtf8(body);
  return {
    version: "2.0",
    routeKey: found.route,
    rawPath: path,
    rawQueryString,
    headers,
    ...(Object.keys(query).length > 0 ? { queryStringParameters: query } : {}),
    requestContext: contextOf(request, found, path, headers),
    ...(Object.keys(found.parameters).length > 0 ? { pathParameters: found.parameters } : {}),
    ...(body.length > 0 ? { body: body.toString(isText ? "utf8" : "base64") } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

function contextOf(
  { method = "GET", httpVersion, socket }: HttpRequest,
  { route }: Found,
  path: string,
  headers: Record<string, string>,
): APIGatewayProxyEventV2["requestContext"] {
  const now = new Date();
  return {
    accountId: "000000000000",
    apiId: "local",
    domainName: headers.host ?? "localhost",
    domainPrefix: "local",
    http: {
      method,
      path,
      protocol: `HTTP/${httpVersion}`,
      sourceIp: socket.remoteAddress ?? "",
      userAgent: headers["user-agent"] ?? "",
    },
    requestId: randomUUID(),
    routeKey: route,
    stage: "$default",
    time: logTime(now),
    timeEpoch: now.getTime(),
  };
}

/** A time as API Gateway writes it: `12/Mar/2026:19:03:58 +0000`. */
function logTime(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}

/** The headers by lower-case name. Repeated ones are joined by commas. */
function headersOf({ rawHeaders }: HttpRequest): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const value = rawHeaders[index + 1] as string;
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(headers);
}

/** The query parameters, decoded. Repeated ones are joined by commas. */
function queryOf(rawQueryString: string): Record<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const earlier = query.get(name);
    query.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(query);
}
