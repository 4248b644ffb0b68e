import { expect } from "vitest";
import type { Reply } from "./invoke.ts";

// What every answer must be, typed in by hand from docs/contract.md.

/** The status of each error code. */
export const statusOfCode: Record<string, number> = {
  SERVER_ERROR: 500,
  MAIL_CONFIG_MISSING: 501,
  EMAIL_INVALID: 400,
  PASSWORD_MISSING: 400,
  USER_EXISTS: 409,
  SETUP_COMPLETED: 403,
  SIGNUP_NOT_ALLOWED: 400,
  INCORRECT_PASSWORD: 401,
  USER_NOT_FOUND: 404,
  POST_NOT_FOUND: 404,
  NOT_ENOUGH_PERMISSION: 403,
  EMAIL_NOT_VERIFIED: 403,
  KEY_NOT_ALLOWED: 403,
  KEY_NOT_FOUND: 404,
  TOO_MANY_KEYS: 409,
  VOTE_EXISTS: 409,
  VALIDATION_ERROR: 400,
  BOARD_NOT_FOUND: 404,
  ROADMAP_ID_OR_URL_MISSING: 404,
  BOARD_URL_EXISTS: 409,
  ROADMAP_URL_EXISTS: 409,
  CHANGED_MEANWHILE: 412,
  IDEMPOTENCY_KEY_REUSED: 422,
  STATUS_NOT_FOUND: 404,
  COMMENT_NOT_FOUND: 404,
  COMMENT_BODY_MISSING: 400,
  INVALID_AUTH_HEADER: 401,
  INVALID_AUTH_HEADER_FORMAT: 401,
  INVALID_TOKEN: 401,
  PAYLOAD_TOO_LARGE: 413,
  TOO_MANY_REQUESTS: 429,
};

const headers = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Headers that some successes have besides. */
const further: Record<string, unknown> = {
  etag: expect.stringMatching(/^"[\w:.-]+"$/),
  "idempotency-replayed": "true",
};

/** Checks status and headers of a success, and gives its body. */
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
  expect([status, body?.code]).toEqual([statusOfCode[code] ?? "a status in test/support/http/answers.ts", code]);
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

/** A UUID version 7 in lower case. */
export const anId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

/** A date-time in UTC with milliseconds. */
export const aTime = expect.stringMatching(/^\d{4}-(0\d|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/);

/** A token in its three parts. */
export const aToken = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/);

/** The moment inside a UUID version 7 as a date-time: what is called createdAt of whatever has the id. */
export function timeInside(id: string): string {
  return new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toISOString();
}
