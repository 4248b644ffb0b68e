import middy from "@middy/core";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type * as z from "zod/mini";
import { may } from "./auth/permissions.ts";
import { type Answer, answer, errorAnswer, inputError, logRequest, type Trace } from "./http/answers.ts";
import { type Caller, callerOf, isOfKey, optionalClaims, requiredClaims, sessionOf } from "./http/callers.ts";
import { compression } from "./http/compression.ts";
import type { Access, Consistent, Definition, Known, Listed, RequestSchema } from "./http/definition.ts";
import { answerOnce, onceOf, repeatOf } from "./http/idempotency.ts";
import { quoted, stateCheck } from "./http/preconditions.ts";
import { enforce, networkOf } from "./http/rate-limits.ts";
import { checkParsedBody, prepareBody } from "./http/request-body.ts";
import { canSend } from "./mail/transport.ts";
import { ApiError, type ErrorCode } from "./runtime/errors.ts";
import { settings } from "./runtime/settings.ts";
import { withStoreBudget } from "./runtime/store-budget.ts";
import { StoreUnavailable } from "./table/client.ts";
import type { Once } from "./table/idempotency.ts";
import type { Attributes } from "./table/parts.ts";

/**
 * What the body of an endpoint gets: the parsed input, the caller, the result of `read`, the client's network, and `fail` for the
 * codes of the definition.
 */
export type Call<
  A extends Access,
  S extends RequestSchema,
  R extends z.ZodMiniType,
  E extends ErrorCode,
  Read,
  Made extends z.ZodMiniType,
> = z.output<S> & {
  caller: Known<A, Caller>;
  read: Read;
  network: string;
  fail(code: Listed<E>): ApiError;
  /** For the writer's transaction, if the call has an Idempotency-Key; only with `makes`. */
  once: Once<z.input<Made>> | undefined;
  /** Throws CHANGED_MEANWHILE if the call has If-Match and this is not a state that it names; with `etag`. */
  checkState(current: z.input<R>): void;
  /** Says in the log line what the call is about. */
  about(trace: Trace): void;
};

type Again<
  A extends Access,
  S extends RequestSchema,
  R extends z.ZodMiniType,
  E extends ErrorCode,
  Read,
  Made extends z.ZodMiniType,
> = (made: z.output<Made>, call: Call<A, S, R, E, Read, Made>) => Promise<z.input<R>>;

type Event = APIGatewayProxyEventV2;

/** A Lambda handler with its definition. */
export type Endpoint = ((event: Event, context: Context) => Promise<Answer>) & { definition: Definition };

// Milliseconds before the function's time limit, kept for an answer.
const EARLY_MS = 250;

/**
 * Makes the Lambda handler of an endpoint. `body` decides the answer; identifying, validating, serialising, errors and the log line
 * are here. With `makes`, `again` gives the answer of a call that was carried out before.
 */
export function defineEndpoint<
  const A extends Access,
  S extends RequestSchema,
  R extends z.ZodMiniType,
  const E extends ErrorCode,
  Read = undefined,
  Made extends z.ZodMiniType = never,
>(
  definition: Definition<A, S, R, E, Read, Made> & Consistent<A>,
  body: (call: Call<A, S, R, E, Read, Made>) => Promise<z.input<R>>,
  ...[again]: [Made] extends [never] ? [] : [again: Again<A, S, R, E, Read, Made>]
  // The casts forget the types of this endpoint: `run` makes the call that they describe.
): Endpoint {
  return handlerOf(definition as unknown as Definition, { body, again } as Bodies);
}

type AnyCall = Call<Access, RequestSchema, z.ZodMiniType, ErrorCode, unknown, z.ZodMiniType>;
type Bodies = {
  body(call: AnyCall): Promise<unknown>;
  again?(made: Attributes, call: AnyCall): Promise<unknown>;
};

function handlerOf(definition: Definition, bodies: Bodies): Endpoint {
  const edges = middy<Event, Answer>({ timeoutEarlyInMillis: EARLY_MS, timeoutEarlyResponse });
  edges.use(compression);
  if (definition.requires === "mail") edges.before(requireMail);
  const readsBody = definition.request.shape.body !== undefined;
  edges.before(({ event }) => prepareBody(event, readsBody));
  if (readsBody) {
    edges.use(httpJsonBodyParser<Event>({ disableContentTypeCheck: true }));
    edges.before(({ event }) => checkParsedBody(event));
  }
  edges.onError((request) => {
    request.response = errorAnswer(request.error, definition);
  });
  edges.handler((event: Event) => run(definition, bodies, event));
  const handler = (event: Event, context: Context): Promise<Answer> =>
    withStoreBudget(async () => {
      const started = performance.now();
      const reply = await edges(event, context);
      logRequest(definition, event, context, reply, Math.round(performance.now() - started), traces.get(event));
      return reply;
    });
  return Object.assign(handler, { definition });
}

/** What the log lines of the calls under way will say of them. */
const traces = new WeakMap<Event, Trace>();

function timeoutEarlyResponse(): never {
  throw new StoreUnavailable("no answer before the function's own time limit");
}

function requireMail(): void {
  if (!canSend()) throw new ApiError("MAIL_CONFIG_MISSING");
}

/**
 * The order of checks (docs/decisions.md#order-of-checks): token, whether a key will do, permission, confirmed address, input, rate
 * limit, then those of the body.
 */
async function run(definition: Definition, bodies: Bodies, event: Event): Promise<Answer> {
  const input = definition.request.safeParse(inputOf(event));
  const access = accessOf(definition);
  const claims = await claimsOf(access, event);
  const viewerId = claims?.userId;
  const reading = input.success ? definition.read?.(input.data, viewerId) : undefined;
  const network = networkOf(event.requestContext.http.sourceIp);
  // An API key says whose it is, and is not believed before it is looked up.
  const trace: Trace = claims && !isOfKey(claims) ? { userId: claims.userId } : {};
  traces.set(event, trace);
  const session = claims && sessionOf(claims);
  const counting = input.success ? countAgainstLimit(definition, input.data, { network, session }) : undefined;
  const repeating =
    input.success && viewerId !== undefined ? repeatOf(definition, event, viewerId, input.data) : undefined;
  // If the caller is refused, these are dropped, with their errors.
  for (const started of [reading, counting, repeating]) started?.catch(() => {});
  const caller = claims && (await callerOf(claims));
  if (access === "bearer" && !caller) throw new ApiError("INVALID_TOKEN");
  if (caller && isOfKey(claims)) {
    Object.assign(trace, { userId: caller.userId, apiKey: claims.keyId });
    if (definition.refusesKeys) throw new ApiError("KEY_NOT_ALLOWED");
  }
  if (definition.permission && !may(caller, definition.permission)) throw new ApiError("NOT_ENOUGH_PERMISSION");
  if (definition.needsVerified && settings().requireVerified && !caller?.isVerified) {
    throw new ApiError("EMAIL_NOT_VERIFIED");
  }
  if (!input.success) throw inputError(input.error.issues);
  await counting;
  const repeat = await repeating;
  const call: AnyCall = {
    ...input.data,
    caller,
    read: await reading,
    network,
    fail: failWith(definition.errors),
    once: onceOf(repeat, definition) as AnyCall["once"],
    checkState: stateCheck(definition, event),
    about: (more) => void Object.assign(trace, more),
  };
  if (!repeat) return successAnswer(definition, await bodies.body(call));
  const { result, isReplayed } = await answerOnce(
    repeat,
    () => bodies.body(call),
    async (made) => bodies.again?.(made, call),
  );
  return successAnswer(definition, result, isReplayed ? { "idempotency-replayed": "true" } : {});
}

function successAnswer({ success, response, etag }: Definition, result: unknown, headers = {}): Answer {
  const body = response.parse(result);
  return answer(success, body, { ...headers, ...(etag && { etag: quoted(etag(body)) }) });
}

function inputOf({ body, pathParameters, queryStringParameters }: Event) {
  return {
    body,
    params: pathParameters ?? {},
    query: queryStringParameters ?? {},
  };
}

function accessOf({ access }: Definition): "public" | "optional" | "bearer" {
  if (access !== "bearer unless public reads") return access;
  return settings().publicReads ? "optional" : "bearer";
}

async function claimsOf(access: Access, event: Event) {
  if (access === "bearer") return requiredClaims(event);
  return access === "optional" ? optionalClaims(event) : undefined;
}

function countAgainstLimit(
  { limit }: Definition,
  input: z.output<RequestSchema>,
  by: { network: string; session: string | undefined },
): Promise<void> | undefined {
  return limit && settings().rateLimits ? enforce(limit(input, by)) : undefined;
}

function failWith(listed: readonly ErrorCode[]) {
  return (code: ErrorCode): ApiError => {
    if (!listed.includes(code)) throw new Error(`${code} is not among the errors of the definition`);
    return new ApiError(code);
  };
}
