import middy from "@middy/core";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import * as z from "zod";
import { may, type Permission } from "./auth/permissions.ts";
import type { RequestAccess } from "./data/access.ts";
import { StoreUnavailable } from "./data/client.ts";
import { type Caller, callerOf, optionalClaims, requiredClaims, sendsToken } from "./http/callers.ts";
import { enforce, networkOf, type RateLimit } from "./http/rate-limits.ts";
import { checkParsedBody, prepareBody, unparsable } from "./http/request-body.ts";
import { canSend } from "./mail/transport.ts";
import { ApiError, type ErrorCode, errorCatalogue, Unavailable } from "./runtime/errors.ts";
import * as log from "./runtime/log.ts";
import { settings } from "./runtime/settings.ts";
import { storeUse, withStoreBudget } from "./runtime/store-budget.ts";

/** Who may call: anyone, no token looked at; anyone, a good token counting; only who has a good token. */
export type Access = "public" | "optional" | "bearer";

/** What a request carries; a part that is not named is not read. */
export type RequestSchema = z.ZodObject<{ body?: z.ZodType; params?: z.ZodType; query?: z.ZodType }>;

/** The user id of a well-signed token while its account is still being looked up. */
type ViewerId<A extends Access> = A extends "bearer" ? string : string | undefined;

/** The account behind the call: certain on a Bearer endpoint that public reads leave alone, none on a public one. */
type CallerOf<A extends Access, P extends boolean> = A extends "bearer"
  ? P extends true
    ? Caller | undefined
    : Caller
  : A extends "optional"
    ? Caller | undefined
    : undefined;

/** One endpoint as data (docs/contract.md#endpoints and beyond): routes, IAM, local server and tests are made from it. */
export type Definition<
  A extends Access = Access,
  S extends RequestSchema = RequestSchema,
  R extends z.ZodType = z.ZodType,
  E extends ErrorCode = ErrorCode,
  Read = unknown,
  P extends boolean = boolean,
> = {
  /** Unique; `<folder>-<file>` of the module that holds it. */
  name: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The route below `/api/v1`, in API Gateway's notation. */
  path: `/${string}`;
  access: A;
  /** On a Bearer endpoint: whether it answers without a token too while the setting PUBLIC_READS is on. */
  publicReads?: A extends "bearer" ? P : never;
  /** The role permission that the caller needs; asked before the input is looked at. */
  permission?: A extends "bearer" ? Permission : never;
  /** What must be configured; asked first of all. Without a mail sender the answer is MAIL_CONFIG_MISSING. */
  requires?: "mail";
  request: S;
  success: 200 | 201 | 204;
  /** Shape of the success body, and its serialiser: what it does not name does not leave. */
  response: R;
  /** The codes of its own that it may answer with; those that its shape implies (`codesOf`) come on top. */
  errors: readonly E[];
  /** What the endpoint does to which key families, no more and no less; becomes its IAM policy. */
  table: RequestAccess;
  /** Whether it hashes passwords; such a function gets more memory. */
  hashes?: true;
  /** Whether it issues tokens; such a function, like one that looks at tokens, may read the signing secret. */
  issuesTokens?: true;
  /** A first read that does not need the caller's account: it runs beside the look-up of the caller. */
  read?(input: z.output<S>, viewerId: ViewerId<A>): Promise<Read>;
  /** What a call with good input counts against while the setting RATE_LIMITS is on; counted beside the first read. */
  limit?(input: z.output<S>, by: { network: string; viewerId: ViewerId<A> }): RateLimit;
};

/** What a body gets: the checked input, the caller, the result of `read`, and `fail` for the codes that the definition lists. */
export type Call<
  A extends Access,
  S extends RequestSchema,
  E extends ErrorCode,
  Read,
  P extends boolean,
> = z.output<S> & {
  caller: CallerOf<A, P>;
  read: Read;
  fail: (code: E) => ApiError;
};

type Event = APIGatewayProxyEventV2;
type Answer = APIGatewayProxyStructuredResultV2;

/** A Lambda handler with its definition. */
export type Endpoint = ((event: Event, context: Context) => Promise<Answer>) & { definition: Definition };

/** Whether a function issues or verifies tokens, so that it has to read the signing secret. */
export const usesSigningSecret = ({ access, issuesTokens }: Pick<Definition, "access" | "issuesTokens">): boolean =>
  access !== "public" || issuesTokens === true;

/** Every code that an endpoint may answer with: those of its definition and those that its shape implies (docs/decisions.md#errors). */
export const codesOf = ({
  access,
  permission,
  requires,
  request,
  limit,
  errors,
}: Pick<Definition, "access" | "permission" | "requires" | "request" | "limit" | "errors">): Set<ErrorCode> =>
  new Set<ErrorCode>([
    "SERVER_ERROR",
    "PAYLOAD_TOO_LARGE",
    ...(requires === "mail" ? (["MAIL_CONFIG_MISSING"] as const) : []),
    ...(access === "bearer" ? (["INVALID_AUTH_HEADER", "INVALID_AUTH_HEADER_FORMAT", "INVALID_TOKEN"] as const) : []),
    ...(permission === undefined ? [] : (["NOT_ENOUGH_PERMISSION"] as const)),
    ...(Object.keys(request.shape).length > 0 ? (["VALIDATION_ERROR"] as const) : []),
    ...(limit === undefined ? [] : (["TOO_MANY_REQUESTS"] as const)),
    ...errors,
  ]);

/** The success body of an endpoint that has nothing to say. */
export const Nothing = z.undefined();

// Milliseconds kept back before the function's own time limit, for an answer of ours.
const EARLY_MS = 250;
const RETRY_AFTER_SECONDS = 1;

/** Makes the Lambda handler of an endpoint: identify, validate, run, serialise; errors become answers; one log line a request. */
export const defineEndpoint = <
  const A extends Access,
  S extends RequestSchema,
  R extends z.ZodType,
  const E extends ErrorCode,
  Read = undefined,
  const P extends boolean = false,
>(
  definition: Definition<A, S, R, E, Read, P>,
  body: (call: Call<A, S, E, Read, P>) => Promise<z.input<R>>,
): Endpoint => {
  const edges = middy<Event, Answer>({ timeoutEarlyInMillis: EARLY_MS, timeoutEarlyResponse });
  if (definition.requires === "mail") edges.before(requireMail);
  const readsBody = definition.request.shape.body !== undefined;
  edges.before(({ event }) => prepareBody(event, readsBody));
  if (readsBody) {
    edges.use(httpJsonBodyParser({ disableContentTypeCheck: true }) as middy.MiddlewareObj<Event>);
    edges.before(({ event }) => checkParsedBody(event));
  }
  edges.onError((request) => {
    request.response = errorAnswer(request.error, definition);
  });
  edges.handler((event: Event) => run(definition, body, event));
  const handler = (event: Event, context: Context): Promise<Answer> =>
    withStoreBudget(async () => {
      const started = performance.now();
      const answer = (await (edges as unknown as LambdaHandler)(event, context)) as Answer;
      logRequest(definition, event, context, answer, Math.round(performance.now() - started));
      return answer;
    });
  return Object.assign(handler, { definition: definition as unknown as Definition });
};

type LambdaHandler = (event: Event, context: Context) => Promise<unknown>;

const timeoutEarlyResponse = (): never => {
  throw new StoreUnavailable("no answer before the function's own time limit");
};

const requireMail = (): void => {
  if (!canSend()) throw new ApiError("MAIL_CONFIG_MISSING");
};

/** docs/decisions.md#order-of-checks: token, role permission, input, then whatever the body finds. */
const run = async <
  A extends Access,
  S extends RequestSchema,
  R extends z.ZodType,
  E extends ErrorCode,
  Read,
  P extends boolean,
>(
  definition: Definition<A, S, R, E, Read, P>,
  body: (call: Call<A, S, E, Read, P>) => Promise<z.input<R>>,
  event: Event,
): Promise<Answer> => {
  const input = definition.request.safeParse(inputOf(event));
  const access = accessTo(definition, event);
  const claims = await claimsOf(access, event);
  const viewerId = claims?.userId as ViewerId<A>;
  const reading = input.success ? definition.read?.(input.data, viewerId) : undefined;
  const counting = input.success ? countAgainstLimit(definition, input.data, viewerId, event) : undefined;
  // Dropped when the caller is refused; a failure counts only where the result does.
  for (const each of [reading, counting]) each?.catch(() => {});
  const caller = claims && (await callerOf(claims));
  if (access === "bearer" && !caller) throw new ApiError("INVALID_TOKEN");
  if (definition.permission && !may(caller?.role, definition.permission)) throw new ApiError("NOT_ENOUGH_PERMISSION");
  if (!input.success) throw inputError(input.error.issues);
  await counting;
  const call = { ...input.data, caller, read: await reading, fail: failWith(definition.errors) };
  const result = await body(call as unknown as Call<A, S, E, Read, P>);
  return answer(definition.success, definition.response.parse(result));
};

const inputOf = ({ body, pathParameters, queryStringParameters }: Event) => ({
  body,
  params: pathParameters ?? {},
  query: queryStringParameters ?? {},
});

/** Who may make this very call: where public reads are on, no token is as good as one, and a bad one is still refused. */
const accessTo = ({ access, publicReads }: Pick<Definition, "access" | "publicReads">, event: Event): Access =>
  publicReads && settings().publicReads && !sendsToken(event) ? "public" : access;

const countAgainstLimit = <A extends Access, S extends RequestSchema>(
  { limit }: Pick<Definition<A, S>, "limit">,
  input: z.output<S>,
  viewerId: ViewerId<A>,
  { requestContext }: Event,
): Promise<void> | undefined =>
  limit && settings().rateLimits
    ? enforce(limit(input, { network: networkOf(requestContext.http.sourceIp), viewerId }))
    : undefined;

const claimsOf = async (access: Access, event: Event) => {
  if (access === "bearer") return requiredClaims(event);
  return access === "optional" ? optionalClaims(event) : undefined;
};

const failWith =
  <E extends ErrorCode>(listed: readonly E[]) =>
  (code: E): ApiError => {
    if (!listed.includes(code)) throw new Error(`${code} is not among the errors of the definition`);
    return new ApiError(code);
  };

/** The answer to input that its schema refused: bad input before what names nothing, otherwise the first field decides. */
const inputError = (issues: z.core.$ZodIssue[]): ApiError => {
  const codeOf = (issue: z.core.$ZodIssue): ErrorCode =>
    (issue.code === "custom" && (issue.params?.code as ErrorCode | undefined)) || "VALIDATION_ERROR";
  const codes = issues.map(codeOf);
  const code = codes.find((each) => errorCatalogue[each].status !== 404) ?? codes[0] ?? "VALIDATION_ERROR";
  if (code !== "VALIDATION_ERROR") return new ApiError(code);
  const problems = issues
    .filter((issue) => codeOf(issue) === code)
    .map((issue) => ({ path: issue.path.join("."), code: issue.code ?? "custom", message: issue.message }));
  return new ApiError(code, { problems });
};

const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

const answer = (statusCode: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  statusCode,
  headers: { ...HEADERS, ...headers },
  body: body === undefined ? "" : JSON.stringify(body),
});

/** Turns whatever was thrown into an answer; only what a client may know leaves, the rest goes to the log. */
const errorAnswer = (thrown: unknown, { name }: { name: string }): Answer => {
  const error = asApiError(thrown);
  if (error.code === "SERVER_ERROR") log.error("a request failed", { endpoint: name, error: thrown });
  const { code, message, problems, retryAfter } = error;
  return answer(
    error.status,
    { message, code, ...(problems && { errors: problems }) },
    {
      ...(error.status === 401 && {
        "www-authenticate": code === "INVALID_TOKEN" ? 'Bearer error="invalid_token"' : "Bearer",
      }),
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    },
  );
};

const asApiError = (thrown: unknown): ApiError => {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof Unavailable) return new ApiError("SERVER_ERROR", { retryAfter: RETRY_AFTER_SECONDS });
  if (thrown instanceof Error && isFromParser(thrown)) return unparsable();
  return new ApiError("SERVER_ERROR");
};

const isFromParser = ({ cause }: Error): boolean =>
  (cause as { package?: unknown } | undefined)?.package === "@middy/http-json-body-parser";

const logRequest = (
  { name, method, path }: { name: string; method: string; path: string },
  { requestContext }: Event,
  context: Context,
  { statusCode, body }: Answer,
  ms: number,
): void => {
  const code = statusCode && statusCode >= 400 ? (JSON.parse(body ?? "{}") as { code?: string }).code : undefined;
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
  });
};
