import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { vi } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import type { Work } from "../../../lib/background.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import type { Answer } from "../../../lib/http/answers.ts";
import { BASE_PATH, routeKeyOf } from "../../../lib/http/routes.ts";
import * as due from "../../../lib/table/due.ts";
import type { Key } from "../../../lib/table/keys.ts";
import { recordCalls, type StoreCall } from "../store/calls.ts";
import { functionFor, recordsOf } from "./background.ts";
import { checkAnswer } from "./document.ts";
import { leakIn } from "./leaks.ts";

/** What a test sends: a body that is not a string goes as JSON. */
export type Request = {
  body?: unknown;
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  token?: string | undefined;
  isBase64Encoded?: boolean;
  /** The client's address, as the gateway sees it. */
  sourceIp?: string;
};

/** What came back; `body` is the parsed JSON, undefined where the answer is empty. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  body: any;
  calls: StoreCall[];
};

/** Whose events: the real gateway's, or `sam local`'s (Title-Case headers, empty instead of absent parts). */
export type Shape = "gateway" | "sam";

/** The event of a request as API Gateway (payload 2.0) or `sam local` would make it. */
export function eventOf(
  { definition: { method, path } }: Endpoint,
  { body, params, query, headers = {}, token, isBase64Encoded = false, sourceIp = "203.0.113.7" }: Request,
  shape: Shape = "gateway",
): APIGatewayProxyEventV2 {
  const all = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers };
  const titled = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  const named = Object.entries(all).map(([name, value]) => [shape === "sam" ? titled(name) : name, value]);
  const text = body === undefined || typeof body === "string" ? (body as string | undefined) : JSON.stringify(body);
  const routeKey = routeKeyOf({ method, path });
  const rawPath = `${BASE_PATH}${path}`.replace(/\{(\w+)\+?\}/g, (_, name: string) => params?.[name] ?? "");
  const event = {
    version: "2.0",
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: Object.fromEntries(named),
    requestContext: {
      accountId: "123456789012",
      apiId: "api",
      domainName: "api.example.com",
      domainPrefix: "api",
      http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp, userAgent: "test" },
      requestId: randomUUID(),
      routeKey,
      stage: "$default",
      time: "",
      timeEpoch: Date.now(),
    },
    isBase64Encoded,
  };
  const parts = {
    ...(text === undefined ? {} : { body: text }),
    ...(params ? { pathParameters: params } : {}),
    ...(query ? { queryStringParameters: query } : {}),
  };
  const samParts = { body: "", pathParameters: {}, queryStringParameters: {}, stageVariables: null };
  return (shape === "sam" ? { ...event, ...samParts, ...parts } : { ...event, ...parts }) as APIGatewayProxyEventV2;
}

/** A Lambda context with ten minutes left: in the cloud it is ten seconds, here a busy machine is not an error. */
export function lambdaContext(remaining = 600_000): Context {
  const end = Date.now() + remaining;
  return { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => end - Date.now() } as Context;
}

/**
 * Hands new items to a kind of background work, as the table's stream would, under the rights of its function. `failed`
 * is what the stream would hand over again.
 */
export async function handOver(work: Work, ...items: Key[]): Promise<{ failed: Key[]; calls: StoreCall[] }> {
  const background = functionFor(work);
  const { result, calls } = await recordCalls(() => background(recordsOf(items)), background.definition);
  const failed = result.batchItemFailures.map(({ itemIdentifier }) => items[Number(itemIdentifier)] as Key);
  return { failed, calls };
}

/**
 * Carries out all work of some kinds that waits, also what was put off or continues later; whether nothing waits any
 * more.
 */
export async function carryOutAll(...works: Work[]): Promise<boolean> {
  const background = functionFor(...works);
  const families = works.map(({ definition }) => definition.takes);
  const waiting = async () =>
    (
      await Promise.all(
        families.map(async (family) => (await due.waitingIds(family)).map((id) => ({ queue: family, id }))),
      )
    ).flat();
  const run = async (): Promise<void> => {
    for (const item of await waiting()) await due.retry(item);
    await recordCalls(() => background({}), background.definition);
  };
  await run();
  const goesOnLater = (await Promise.all(families.map(due.entriesOf))).flat().some(({ tries }) => tries === 0);
  if (goesOnLater) await anHourLater(run);
  return (await waiting()).length === 0;
}

/** Does some work with the clock set forward. */
async function anHourLater(work: () => Promise<void>): Promise<void> {
  const isReal = !vi.isFakeTimers();
  const now = Date.now();
  if (isReal) vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(now + 3_600_000);
  try {
    await work();
  } finally {
    if (isReal) vi.useRealTimers();
    else vi.setSystemTime(now);
  }
}

/** Calls the exported handler of an endpoint, as the gateway would, under the rights of its definition. */
export async function invoke(
  endpoint: Endpoint,
  request: Request = {},
  shape: Shape = "gateway",
  remaining?: number,
): Promise<Reply> {
  const { result, calls } = await recordCalls(
    () => endpoint(eventOf(endpoint, request, shape), lambdaContext(remaining)),
    endpoint.definition,
  );
  const text = textOf(result);
  const leak = leakIn(result.statusCode ?? 0, text);
  if (leak) throw new Error(`${endpoint.definition.name} answers with ${leak}: ${text}`);
  if (endpoints.includes(endpoint)) checkAnswer(endpoint.definition, result.statusCode ?? 0, text);
  return {
    status: result.statusCode ?? 0,
    headers: lowered(result.headers as Record<string, string>),
    body: text ? JSON.parse(text) : undefined,
    calls,
  };
}

/** The text of an answer, which is compressed where the request accepts that. */
export function textOf({ body = "", isBase64Encoded = false }: Answer): string {
  return isBase64Encoded ? gunzipSync(Buffer.from(body, "base64")).toString() : body;
}

// The gateway sends the names of headers in lower case.
function lowered(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
