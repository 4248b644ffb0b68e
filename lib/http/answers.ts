import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type * as z from "zod/mini";
import type { AuditValue } from "../events/audit.ts";
import { ApiError, type ErrorCode, errorCatalogue, Unavailable } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";
import { storeUse } from "../runtime/store-budget.ts";
import type { Definition } from "./definition.ts";
import { asInvalidJson } from "./request-body.ts";

export type Answer = APIGatewayProxyStructuredResultV2;

const RETRY_AFTER_SECONDS = 1;

const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** An answer in the format of API Gateway (payload format 2.0); without a body the text is empty. */
export function answer(statusCode: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { statusCode, headers: { ...HEADERS, ...headers }, body: body === undefined ? "" : JSON.stringify(body) };
}

/** Clients see the code of an ApiError; any other error is a SERVER_ERROR with its details in the log. */
export function errorAnswer(thrown: unknown, { name }: Pick<Definition, "name">): Answer {
  const error = asApiError(thrown);
  if (error.code === "SERVER_ERROR") log.error("a request failed", { endpoint: name, error: thrown });
  const { code, message, problems, retryAfter, secondStep, conflict } = error;
  return answer(
    error.status,
    {
      message,
      code,
      ...(problems && { errors: problems }),
      ...(secondStep && { twoFactor: secondStep }),
      ...(conflict && { conflict }),
    },
    {
      ...(error.status === 401 && {
        "www-authenticate": code === "INVALID_TOKEN" ? 'Bearer error="invalid_token"' : "Bearer",
      }),
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    },
  );
}

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof Unavailable) return new ApiError("SERVER_ERROR", { retryAfter: RETRY_AFTER_SECONDS });
  return asInvalidJson(thrown) ?? new ApiError("SERVER_ERROR");
}

/**
 * The error of input that the request schema rejected. An answer has one code: malformed input comes before ids and
 * slugs of things that do not exist (404), then the first field decides.
 */
export function inputError(issues: z.core.$ZodIssue[]): ApiError {
  const codes = issues.map(codeOfIssue);
  const code = codes.find((candidate) => errorCatalogue[candidate].status !== 404) ?? codes[0] ?? "VALIDATION_ERROR";
  if (code !== "VALIDATION_ERROR") return new ApiError(code);
  const problems = issues
    .filter((issue) => codeOfIssue(issue) === code)
    .map((issue) => ({ path: issue.path.join("."), code: issue.code ?? "custom", message: issue.message }));
  return new ApiError(code, { problems });
}

/** Some inputs have a code of their own, in `params.code`: lib/http/inputs.ts. */
function codeOfIssue(issue: z.core.$ZodIssue): ErrorCode {
  const code: ErrorCode | undefined = issue.code === "custom" ? issue.params?.code : undefined;
  return code ?? "VALIDATION_ERROR";
}

/** What is told of a call. `itemName` and `values` are for the audit log alone: lines of the log hold no names. */
export type Trace = Pick<log.LogFields, "userId" | "apiKey" | "account" | "network" | "item" | "to" | "changed"> & {
  itemName?: string | undefined;
  values?: AuditValue[] | undefined;
};

/** Writes the log line of a request: a fixed list of fields. */
export function logRequest(
  { name, method, path }: Pick<Definition, "name" | "method" | "path">,
  { requestContext }: APIGatewayProxyEventV2,
  context: Context,
  { statusCode, body }: Answer,
  ms: number,
  { itemName: _, ...trace }: Trace = {},
): void {
  const code: string | undefined = statusCode && statusCode >= 400 ? JSON.parse(body ?? "{}").code : undefined;
  const { calls, conflicts } = storeUse();
  log.info("request", {
    requestId: requestContext?.requestId ?? context?.awsRequestId,
    endpoint: name,
    method,
    route: path,
    status: statusCode,
    code,
    ms,
    storeCalls: calls,
    conflicts,
    ...trace,
  });
}
