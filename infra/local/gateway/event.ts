import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Match } from "./routes.ts";

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/** The path and the query of a request target, both still percent-encoded; a target may be a whole URL. */
export const targetOf = (url = "/"): { path: string; query: string } => {
  const target = url.replace(ORIGIN, "");
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path || "/", query: mark < 0 ? "" : target.slice(mark + 1) };
};

const TEXT = /^\s*(text\/|application\/(json|javascript|xml|x-www-form-urlencoded|[a-z0-9.-]+\+(json|xml)))/i;

/** The event that the gateway makes of a request: parts that a request lacks are absent keys. */
export const eventOf = (request: IncomingMessage, found: Match, body: Buffer): APIGatewayProxyEventV2 => {
  const { path, query: rawQueryString } = targetOf(request.url);
  const { cookie, ...headers } = headersOf(request);
  const query = queryOf(rawQueryString);
  const isText = TEXT.test(headers["content-type"] ?? "") && isUtf8(body);
  return {
    version: "2.0",
    routeKey: found.route,
    rawPath: path,
    rawQueryString,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/;\s*/) }),
    headers,
    ...(Object.keys(query).length > 0 ? { queryStringParameters: query } : {}),
    requestContext: contextOf(request, found, path, headers),
    ...(Object.keys(found.parameters).length > 0 ? { pathParameters: found.parameters } : {}),
    ...(body.length > 0 ? { body: body.toString(isText ? "utf8" : "base64") } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
};

const contextOf = (
  { method = "GET", httpVersion, socket }: IncomingMessage,
  { route }: Match,
  path: string,
  headers: Record<string, string>,
): APIGatewayProxyEventV2["requestContext"] => {
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
};

/** `12/Mar/2026:19:03:58 +0000`, as the gateway writes it. */
const logTime = (now: Date): string => {
  const [, day, month, year, time] = now.toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
};

/** Header names in lower case, repeated ones comma-joined (cookies by semicolon). */
const headersOf = ({ rawHeaders }: IncomingMessage): Record<string, string> => {
  const headers = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    const before = headers.get(name);
    const value = rawHeaders[at + 1] as string;
    headers.set(name, before === undefined ? value : `${before}${name === "cookie" ? "; " : ","}${value}`);
  }
  return Object.fromEntries(headers);
};

const queryOf = (rawQueryString: string): Record<string, string> => {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const before = query.get(name);
    query.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(query);
};
