import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type { Endpoint } from "../../../lib/endpoint.ts";
import type { Scheduler } from "../../simulator/scheduler/scheduler.ts";

export type ClientRequest = {
  body?: object;
  params?: Record<string, string>;
  query?: Record<string, string>;
  token?: string | undefined;
  headers?: Record<string, string>;
  sourceIp?: string;
};

/** The answer of a call; `body` is the parsed JSON. */
export type ClientReply = { status: number; headers: Record<string, unknown>; body: Record<string, unknown> };

const TIME_LIMIT_MS = 10_000;

export function eventOf(
  { method, path }: Endpoint["definition"],
  { body, params, query, token, headers, sourceIp = "203.0.113.7" }: ClientRequest,
  requestId: string,
  now: number,
): APIGatewayProxyEventV2 {
  return {
    version: "2.0",
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: "",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    requestContext: {
      accountId: "123456789012",
      apiId: "api",
      domainName: "api.example.com",
      domainPrefix: "api",
      http: { method, path, protocol: "HTTP/1.1", sourceIp, userAgent: "simulation" },
      requestId,
      routeKey: `${method} ${path}`,
      stage: "$default",
      time: "",
      timeEpoch: now,
    },
    isBase64Encoded: false,
    ...(body && { body: JSON.stringify(body) }),
    ...(params && { pathParameters: params }),
    ...(query && { queryStringParameters: query }),
  };
}

export function contextOf(scheduler: Scheduler, requestId: string): Context {
  const end = scheduler.now + TIME_LIMIT_MS;
  return { awsRequestId: requestId, getRemainingTimeInMillis: () => end - scheduler.now } as Context;
}
