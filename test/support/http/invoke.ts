import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { APIGatewayProxyEventV2, Context, DynamoDBStreamEvent } from "aws-lambda";
import { expect, vi } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { type BackgroundFunction, defineBackground, findWaiting, type Work } from "../../../lib/background.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import type { Answer } from "../../../lib/http/answers.ts";
import { BASE_PATH, routeKeyOf } from "../../../lib/http/routes.ts";
import * as due from "../../../lib/table/due.ts";
import type { Key } from "../../../lib/table/keys.ts";
import { recordCalls, type StoreCall } from "../store/calls.ts";
import { checkAnswer } from "./document.ts";
import { leakIn } from "./logs.ts";

/** A test's request: a body that is not a string is sent as JSON. */
export type Request = {
  body?: unknown;
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  token?: string | undefined;
  isBase64Encoded?: boolean;
  sourceIp?: string;
};

/** The answer; `body` is the parsed JSON or the text of a page, undefined if the answer is empty. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  body: any;
  calls: StoreCall[];
};

/** The source of the event: the real gateway, or `sam local` (Title-Case headers, empty instead of absent parts). */
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

/** A Lambda context with ten minutes left: the cloud gives ten seconds, but a busy machine is not an error. */
export function lambdaContext(remaining = 600_000): Context {
  const end = Date.now() + remaining;
  return { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => end - Date.now() } as Context;
}

/** Hands new items to background work as the stream would; `failed` are the items that it would hand over again. */
export async function handOver(work: Work, ...items: Key[]): Promise<{ failed: Key[]; calls: StoreCall[] }> {
  const background = functionFor(work);
  const { result, calls } = await recordCalls(() => background(recordsOf(items)), background.definition);
  const failed = result.batchItemFailures.map(({ itemIdentifier }) => items[Number(itemIdentifier)] as Key);
  return { failed, calls };
}

/** Carries out all waiting work of some kinds, put off or not. Returns whether all is done. */
export async function carryOutAll(...works: Work[]): Promise<boolean> {
  const background = functionFor(...works);
  const families = works.map(({ definition }) => definition.takes);
  const waiting = async () => {
    const found = works.map(async (work) => ({ queue: work.definition.takes, ...(await findWaiting(work)) }));
    return (await Promise.all(found)).flatMap(({ queue, ids }) => ids.map((id) => ({ queue, id })));
  };
  const run = async (): Promise<void> => {
    for (const item of await waiting()) await due.retry(item);
    await recordCalls(() => background({}), background.definition);
  };
  await run();
  const goesOnLater = (await Promise.all(families.map(due.entriesOf))).flat().some(({ tries }) => tries === 0);
  if (goesOnLater) await anHourLater(run);
  return (await waiting()).length === 0;
}

async function anHourLater(work: () => Promise<void>): Promise<void> {
  const isReal = !vi.isFakeTimers();
  const now = Date.now();
  if (isReal) vi.useFakeTimers({ toFake: ["Date"] });
  // And a minute: then the mail for the rest of an hour leaves.
  vi.setSystemTime(now + 3_661_000);
  try {
    await work();
  } finally {
    if (isReal) vi.useRealTimers();
    else vi.setSystemTime(now);
  }
}

/** An endpoint by its name: `votes-add`. */
export function endpointNamed(name: string): Endpoint {
  const endpoint = endpoints.find(({ definition }) => definition.name === name);
  if (!endpoint) throw new Error(`no endpoint is named ${name}`);
  return endpoint;
}

/** Calls the exported handler of an endpoint, as the gateway would, under the rights of its definition. */
export async function invoke(
  nameOrEndpoint: string | Endpoint,
  request: Request = {},
  shape: Shape = "gateway",
  remaining?: number,
): Promise<Reply> {
  const endpoint = typeof nameOrEndpoint === "string" ? endpointNamed(nameOrEndpoint) : nameOrEndpoint;
  const { result, calls } = await recordCalls(
    () => endpoint(eventOf(endpoint, request, shape), lambdaContext(remaining)),
    endpoint.definition,
  );
  const text = textOf(result);
  const leak = leakIn(result.statusCode ?? 0, text);
  if (leak) throw new Error(`${endpoint.definition.name} answers with ${leak}: ${text}`);
  const answerHeaders = lowered(result.headers as Record<string, string>);
  const isJson = answerHeaders["content-type"]?.startsWith("application/json");
  if (isJson && endpoints.includes(endpoint)) checkAnswer(endpoint.definition, result.statusCode ?? 0, text);
  return {
    status: result.statusCode ?? 0,
    headers: answerHeaders,
    body: text && isJson ? JSON.parse(text) : text || undefined,
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

// The form of every answer, typed in by hand from docs/contract.md.

const codesOfStatus: [status: number, codes: string][] = [
  [
    400,
    "EMAIL_INVALID PASSWORD_MISSING SIGNUP_NOT_ALLOWED VALIDATION_ERROR COMMENT_BODY_MISSING ISSUER_REFUSED DOMAIN_BLOCKED",
  ],
  [
    401,
    "INCORRECT_PASSWORD INCORRECT_CODE TWO_FACTOR_NEEDED INVALID_AUTH_HEADER INVALID_AUTH_HEADER_FORMAT INVALID_TOKEN PROVIDER_REFUSED SSO_REFUSED",
  ],
  [
    403,
    "SETUP_COMPLETED NOT_ENOUGH_PERMISSION EMAIL_NOT_VERIFIED KEY_NOT_ALLOWED OTHER_ACCOUNT SIGN_IN_AGAIN NEEDS_APPROVAL CANNOT_REPORT_OWN MAGIC_NOT_ALLOWED PASSWORD_NOT_ALLOWED STAFF_NOT_ALLOWED SSO_NOT_ALLOWED POST_LOCKED",
  ],
  [404, "USER_NOT_FOUND POST_NOT_FOUND KEY_NOT_FOUND BOARD_NOT_FOUND PROVIDER_NOT_FOUND IDENTITY_NOT_FOUND"],
  [400, "WEBHOOK_URL_REFUSED TOO_MANY_WEBHOOKS"],
  [
    404,
    "ROADMAP_ID_OR_URL_MISSING STATUS_NOT_FOUND COMMENT_NOT_FOUND EXPORT_NOT_FOUND WEBHOOK_NOT_FOUND TAG_NOT_FOUND HELD_NOT_FOUND",
  ],
  [
    409,
    "USER_EXISTS TOO_MANY_KEYS STATUS_IN_USE VOTE_EXISTS MERGE_CONFLICT BOARD_URL_EXISTS ROADMAP_URL_EXISTS TOO_MANY_PROVIDERS SIGN_IN_TO_LINK IDENTITY_TAKEN TOO_MANY_IDENTITIES LAST_WAY_IN NO_WAY_IN",
  ],
  [
    409,
    "ALREADY_DECIDED ALREADY_REPORTED CANNOT_OWN CANNOT_SIGN_IN EXPORT_RUNNING HAND_OVER_FIRST TOO_MANY_PINNED TWO_FACTOR_ON TWO_FACTOR_OFF TWO_FACTOR_REQUIRED",
  ],
  [409, "TAG_EXISTS TOO_MANY_TAGS"],
  [412, "CHANGED_MEANWHILE"],
  [413, "PAYLOAD_TOO_LARGE"],
  [422, "IDEMPOTENCY_KEY_REUSED"],
  [429, "TOO_MANY_REQUESTS"],
  [500, "SERVER_ERROR"],
  [501, "MAIL_CONFIG_MISSING EXPORT_NOT_SET_UP"],
];

const statusOfCode: Record<string, number> = Object.fromEntries(
  codesOfStatus.flatMap(([status, codes]) => codes.split(" ").map((code) => [code, status])),
);

const headers = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

const further: Record<string, unknown> = {
  etag: expect.stringMatching(/^"[\w:.-]+"$/),
  "idempotency-replayed": "true",
};

export function success(reply: Reply, status: number): Reply["body"] {
  expect(reply.body?.code).toBeUndefined();
  expect(reply.status).toBe(status);
  const given = Object.entries(further).filter(([name]) => name in reply.headers);
  expect(reply.headers).toStrictEqual({ ...headers, ...Object.fromEntries(given) });
  if (status === 204) expect(reply.body).toBeUndefined();
  return reply.body;
}

/** Checks an error answer whole: status, headers, the fields of its body; a VALIDATION_ERROR names the given paths. */
export function refusal(reply: Reply, code: string, ...paths: string[]): void {
  const { status, body } = reply;
  expect(status).toEqual(statusOfCode[code] ?? "a status in test/support/http/invoke.ts");
  expect(body?.code).toEqual(code);
  expect(reply.headers).toStrictEqual({
    ...headers,
    ...(status === 401 && { "www-authenticate": code === "INVALID_TOKEN" ? 'Bearer error="invalid_token"' : "Bearer" }),
  });
  const problem = {
    path: expect.any(String),
    code: expect.stringMatching(/^\w+$/),
    message: expect.stringMatching(/./),
  };
  expect(body).toStrictEqual({
    message: expect.stringMatching(/^[A-Z]/),
    code,
    ...(code === "VALIDATION_ERROR" && { errors: expect.any(Array) }),
    ...(code === "MERGE_CONFLICT" && { conflict: expect.stringMatching(/^[a-z]+(_[a-z]+)+$/) }),
    ...(code === "TWO_FACTOR_NEEDED" && { twoFactor: { challenge: aToken, isOn: expect.any(Boolean) } }),
  });
  if (code !== "VALIDATION_ERROR") return;
  expect(body.errors).toStrictEqual(body.errors.map(() => problem));
  expect(body.errors.length).toBeGreaterThan(0);
  const named = new Set(body.errors.map(({ path }: { path: string }) => path));
  if (paths.length > 0) expect([...named]).toEqual(paths);
}

/** Checks the 503 of a store that does not answer. */
export function unavailable(reply: Reply): void {
  expect(reply.status).toBe(503);
  expect(reply.headers).toStrictEqual({ ...headers, "retry-after": expect.stringMatching(/^[1-9]\d*$/) });
  expect(reply.body).toStrictEqual({ message: expect.stringMatching(/^[A-Z]/), code: "SERVER_ERROR" });
}

export const anId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

export const aTime = expect.stringMatching(/^\d{4}-(0\d|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/);

export const aToken = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/);

/** The moment inside a UUID version 7 as a date-time: the createdAt of the thing with this id. */
export function timeInside(id: string): string {
  return new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toISOString();
}

/** Counts answers by status, with the code of an error. */
export function tally(replies: Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const name = body?.code ? `${status} ${body.code}` : String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export function atOnce<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}

/** How many calls to make in parallel: a quarter on DynamoDB Local, where the last would wait too long. */
export function crowdOf(count: number): number {
  return process.env.DB_ENGINE === "dynamodb-local" ? count / 4 : count;
}

export function recordsOf(items: Key[]): DynamoDBStreamEvent {
  return {
    Records: items.map(({ pk, sk }, index) => ({
      eventName: "INSERT" as const,
      dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(index) },
    })),
  };
}

export function functionFor(...works: Work[]): BackgroundFunction {
  return defineBackground(works.map(({ definition }) => definition.name).join(" and "), works);
}
