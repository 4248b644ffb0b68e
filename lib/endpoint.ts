import middy from "@middy/core";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type * as z from "zod/mini";
import { requirePermissions } from "./auth/permissions.ts";
import { networkMark } from "./auth/signing-keys.ts";
import { type Answer, answer, errorAnswer, inputError, logRequest, type Trace } from "./http/answers.ts";
import { browserOf } from "./http/browsers.ts";
import { type Caller, callerOf, claimsIn, isOfKey, noteUse } from "./http/callers.ts";
import { compression } from "./http/compression.ts";
import { type Counting, countingOf } from "./http/counting.ts";
import {
  type Access,
  type Changes,
  type Consistent,
  type Definition,
  defaults,
  type Known,
  type OwnTable,
  type RequestSchema,
  type Route,
} from "./http/definition.ts";
import { headerOf } from "./http/headers.ts";
import { answerOnce, idempotencyPartOf, repeatOf } from "./http/idempotency.ts";
import { quoted, stateCheck } from "./http/preconditions.ts";
import { networkOf } from "./http/rate-limits.ts";
import { checkParsedBody, prepareBody } from "./http/request-body.ts";
import { environment } from "./runtime/environment.ts";
import { ApiError, type ErrorCode } from "./runtime/errors.ts";
import { canSend, isWithoutMail } from "./runtime/mail.ts";
import { withStoreBudget } from "./runtime/store-budget.ts";
import { StoreUnavailable } from "./table/client.ts";
import type { IdempotencyPart } from "./table/idempotency.ts";
import type { Attributes } from "./table/parts.ts";

/** What an endpoint's `handle` and `replay` get: the parsed input and all of the below. */
export type Call<
  A extends Access,
  S extends RequestSchema,
  R extends z.ZodMiniType,
  E extends ErrorCode,
  Prefetched,
  Kept extends z.ZodMiniType,
> = z.output<S> & {
  caller: Known<A, Caller>;
  prefetched: Prefetched;
  /** The client's network, as rate limits count it. */
  network: string;
  /** The header Accept-Language. */
  accepted: string | undefined;
  /** The client's browser and system, if it names one that is known: browsers.ts. */
  browser: string | undefined;
  fail(code: E): ApiError;
  /** Makes the part that keeps the Idempotency-Key in the writer's transaction; undefined if the call has none. */
  idempotencyPart: IdempotencyPart<z.input<Kept>>;
  /** With `etagOf`: throws CHANGED_MEANWHILE if the call has the header If-Match and it does not list this state. */
  checkState(current: z.input<R>): void;
  /** Adds to the log line of the call what is known only in `handle`. */
  addTrace(more: Trace): void;
};

type Handlers<C, R extends z.ZodMiniType, Kept extends z.ZodMiniType> = {
  /**
   * The log line's words about a change: the changed item and the account that owns it. Called before `handle`, and
   * again after it with `result`.
   */
  trace?(call: C & { result?: z.input<R> }): Trace;
  handle(call: C): Promise<z.input<R>>;
} & ([Kept] extends [never]
  ? unknown
  : {
      /** Repeats the answer of a call that was carried out before, under the same Idempotency-Key. */
      replay(made: z.output<Kept>, call: C): Promise<z.input<R>>;
    });

type AnyCall = Call<Access, RequestSchema, z.ZodMiniType, ErrorCode, unknown, z.ZodMiniType>;
type AnyDefinition = Definition & {
  handle(call: AnyCall): Promise<unknown>;
  replay?(made: Attributes, call: AnyCall): Promise<unknown>;
  trace?(call: AnyCall & { result?: unknown }): Trace;
};

/** A definition as it is written: with a route, and without the fields that have their default. */
type Written<D extends Definition> = Omit<D, "method" | "path" | keyof typeof defaults> & { route: Route } & Partial<
    Pick<D, keyof typeof defaults>
  >;

/** An event with its log line, work that the answer does not wait for, and the counting of the call. */
type TracedEvent = APIGatewayProxyEventV2 & { trace: Trace; beside?: Promise<void>; counting?: Counting | undefined };

export type Endpoint = ((event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>) & {
  definition: Definition;
};

// Milliseconds before the function's time limit, kept for an answer.
const EARLY_MS = 250;

/**
 * Makes the Lambda handler of an endpoint: authentication, validation, serialisation, errors and the log line are here.
 * Write `prefetch` before `handle`: the compiler infers the type of its result in this order.
 */
export function defineEndpoint<
  const A extends Access = typeof defaults.access,
  S extends RequestSchema = typeof defaults.request,
  R extends z.ZodMiniType = typeof defaults.response,
  const E extends ErrorCode = never,
  Prefetched = undefined,
  Kept extends z.ZodMiniType = never,
  const T extends OwnTable = typeof defaults.table,
>(
  written: Written<Definition<A, S, R, E, Prefetched, Kept>> & { table?: T } & Consistent<A> &
    Handlers<Call<A, S, R, E, Prefetched, Kept>, R, Kept> &
    // An endpoint that changes something must name it for the log.
    (Changes<T> extends true ? { trace: object } : unknown),
): Endpoint {
  const { route, ...definition } = written;
  const [method, path] = route.split(" ");
  // The cast forgets the types of this endpoint: `run` makes the call that they describe.
  return handlerOf({ ...defaults, ...definition, method, path } as unknown as AnyDefinition);
}

function handlerOf(definition: AnyDefinition): Endpoint {
  const edges = middy<TracedEvent, Answer>({
    timeoutEarlyInMillis: EARLY_MS,
    timeoutEarlyResponse: () => {
      throw new StoreUnavailable("no answer before the function's own time limit");
    },
  });
  edges.use(compression);
  const { requires } = definition;
  if (requires) {
    edges.before(() => {
      const isServed = canSend() || (requires === "mail or none" && isWithoutMail());
      if (!isServed) throw new ApiError("MAIL_CONFIG_MISSING");
    });
  }
  const readsBody = definition.request.shape.body !== undefined;
  edges.before(({ event }) => prepareBody(event, readsBody));
  if (readsBody) {
    edges.use(httpJsonBodyParser<TracedEvent>({ disableContentTypeCheck: true }));
    edges.before(({ event }) => checkParsedBody(event));
  }
  edges.onError((request) => {
    request.response = errorAnswer(request.error, definition);
  });
  edges.handler((event: TracedEvent) => run(definition, event));
  const handler = (event: APIGatewayProxyEventV2, context: Context): Promise<Answer> =>
    withStoreBudget(async () => {
      const started = performance.now();
      const traced: TracedEvent = { ...event, trace: {} };
      const reply = await edges(traced, context);
      await traced.beside;
      traced.counting?.end();
      logRequest(definition, event, context, reply, Math.round(performance.now() - started), traced.trace);
      return reply;
    });
  return Object.assign(handler, { definition });
}

/** The client's address: as the gateway saw it, or as the portal's distribution reports it, with its key. */
function addressOf({ headers, requestContext }: TracedEvent): string {
  const { PORTAL_KEY } = environment();
  const viewer = PORTAL_KEY && headers["x-portal-key"] === PORTAL_KEY ? headers["x-portal-viewer"] : undefined;
  return viewer ?? requestContext.http.sourceIp;
}

/** The order of checks: docs/contract.md#order-of-checks */
async function run(definition: AnyDefinition, event: TracedEvent): Promise<Answer> {
  const { body, pathParameters, queryStringParameters } = event;
  const input = definition.request.safeParse({
    body,
    params: pathParameters ?? {},
    query: queryStringParameters ?? {},
  });
  const access = accessOf(definition);
  const claimed = access === "public" ? undefined : await claimsIn(event, access === "bearer");
  const network = networkOf(addressOf(event));
  const counting = countingOf(definition, network, input.data);
  event.counting = counting;
  const lookUp = claimed && callerOf(claimed);
  // An API key only claims its account until it is looked up: nothing else is read for it before, and what the look-up
  // takes counts for the network.
  const claims = claimed && isOfKey(claimed) && !(await lookUp) ? undefined : claimed;
  if (claimed && !claims) await counting?.countNetwork();
  if (access === "bearer" && !claims) throw new ApiError("INVALID_TOKEN");
  const viewerId = claims?.userId;
  const prefetch = async () => (input.success ? definition.prefetch?.(input.data, viewerId) : undefined);
  const waits = input.success && counting?.isReadAfterwards(input.data);
  const counted = input.success ? counting?.start(input.data, viewerId) : undefined;
  const prefetching = waits ? counted?.then(prefetch) : prefetch();
  if (claims) event.trace.userId = claims.userId;
  const repeating =
    input.success && viewerId !== undefined ? repeatOf(definition, event, viewerId, input.data) : undefined;
  const started = [prefetching, counted, repeating];
  for (const each of started) each?.catch(() => {});
  const admit = async (): Promise<Caller | undefined> => {
    const caller = await lookUp;
    if (access === "bearer" && !caller) {
      await counted?.then(() => counting?.refuseForAccount()).catch(() => {});
      throw new ApiError("INVALID_TOKEN");
    }
    if (claims && isOfKey(claims)) {
      event.trace.apiKey = claims.keyId;
      if (definition.refusesKeys) throw new ApiError("KEY_NOT_ALLOWED");
      event.beside = noteUse(claims);
    }
    const further = input.success ? (definition.permissionsOf?.(input.data, viewerId) ?? []) : [];
    requirePermissions(caller, definition.permission, ...further);
    if (definition.needsVerified && environment().REQUIRE_VERIFIED && !caller?.isVerified) {
      throw new ApiError("EMAIL_NOT_VERIFIED");
    }
    if (input.success) await counted;
    return caller;
  };
  const caller = await admit().catch(async (refusal: unknown) => {
    // The results and errors of what was started are ignored, but what it reads counts.
    await Promise.allSettled(started);
    throw refusal;
  });
  if (!input.success) throw inputError(input.error.issues);
  // These functions may read the signing secret, which the mark is made with.
  if (definition.issuesTokens) event.trace.network = await networkMark(network);
  const repeat = await repeating;
  const call: AnyCall = {
    ...input.data,
    caller,
    prefetched: await prefetching,
    network,
    accepted: headerOf(event, "accept-language"),
    browser: browserOf(headerOf(event, "user-agent")),
    fail: (code) => {
      if (!definition.errors.includes(code)) throw new Error(`${code} is not among the errors of the definition`);
      return new ApiError(code);
    },
    idempotencyPart: idempotencyPartOf(repeat, definition) as AnyCall["idempotencyPart"],
    checkState: stateCheck(definition, event),
    addTrace: (more) => addTo(event.trace, more),
  };
  addTo(event.trace, definition.trace?.(call));
  const handle = () => definition.handle(call);
  const { result, isReplayed } = repeat
    ? await answerOnce(repeat, handle, async (made) => definition.replay?.(made, call))
    : { result: await handle(), isReplayed: false };
  addTo(event.trace, definition.trace?.({ ...call, result }));
  if (definition.page && headerOf(event, "accept")?.includes("text/html"))
    return definition.page(input.data, headerOf(event, "accept-language"));
  return successAnswer(definition, result, isReplayed ? { "idempotency-replayed": "true" } : {});
}

function addTo(trace: Trace, more: Trace = {}): void {
  Object.assign(trace, Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)));
}

function successAnswer({ success, response, etagOf }: Definition, result: unknown, headers = {}): Answer {
  const body = response.parse(result);
  return answer(success, body, { ...headers, ...(etagOf && { etag: quoted(etagOf(body)) }) });
}

function accessOf({ access }: Definition): "public" | "optional" | "bearer" {
  if (access !== "bearer unless public reads") return access;
  return environment().PUBLIC_READS ? "optional" : "bearer";
}
