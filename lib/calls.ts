import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type * as z from "zod/mini";
import { requirePermissions } from "./auth/permissions.ts";
import { networkMark } from "./auth/signing-keys.ts";
import { type Answer, answer, inputError, type Trace } from "./http/answers.ts";
import { keepRecord, type NextRecord } from "./http/auditing.ts";
import { browserOf } from "./http/browsers.ts";
import { type Caller, type Claims, callerOf, claimsIn, isOfKey, noteUse } from "./http/callers.ts";
import { type Counting, countingOf } from "./http/counting.ts";
import type { Access, Definition, Known, RequestSchema } from "./http/definition.ts";
import { headerOf } from "./http/headers.ts";
import { answerOnce, idempotencyPartOf, repeatOf } from "./http/idempotency.ts";
import { quoted, stateCheck } from "./http/preconditions.ts";
import { networkOf } from "./http/rate-limits.ts";
import { environment } from "./runtime/environment.ts";
import { ApiError, type ErrorCode } from "./runtime/errors.ts";
import type { IdempotencyPart } from "./table/idempotency.ts";
import type { Attributes } from "./table/parts.ts";

// A call of an endpoint, from the parsed event to the answer: read the request, start the reads that need not wait for
// the caller's account, admit the caller, handle. The order of checks: docs/contract.md#order-of-checks

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
  /** The error of an answer. `message` replaces the usual text of its code; `conflict` is the kind of a conflict. */
  fail(code: E, message?: string, conflict?: string): ApiError;
  /** Makes the part that keeps the Idempotency-Key in the writer's transaction; undefined if the call has none. */
  idempotencyPart: IdempotencyPart<z.input<Kept>>;
  /** With `etagOf`: throws CHANGED_MEANWHILE if the call has the header If-Match and it does not list this state. */
  checkState(current: z.input<R>): void;
  /** Adds to the log line of the call, and to its record in the audit log, what is known only in `handle`. */
  addTrace(more: Trace): void;
  /** Begins another record in the audit log: for a call that makes several changes, each in its own transaction. */
  nextRecord(more: NextRecord): void;
};

export type AnyCall = Call<Access, RequestSchema, z.ZodMiniType, ErrorCode, unknown, z.ZodMiniType>;
export type AnyDefinition = Definition & {
  handle(call: AnyCall): Promise<unknown>;
  replay?(made: Attributes, call: AnyCall): Promise<unknown>;
  trace?(call: AnyCall & { result?: unknown }): Trace;
};

/** An event with its log line, work that the answer does not wait for, and the counting of the call. */
export type TracedEvent = APIGatewayProxyEventV2 & {
  trace: Trace;
  beside?: Promise<void>;
  counting?: Counting | undefined;
};

/** A request with what its token claims. Its input may be wrong: a caller who is refused is not told so. */
type Request = {
  definition: AnyDefinition;
  access: "public" | "optional" | "bearer";
  event: TracedEvent;
  input: ReturnType<RequestSchema["safeParse"]>;
  tokenClaims: Claims | undefined;
  network: string;
  counting: Counting | undefined;
};

/** What was started for a call. `claims` are of a session, or of a key that is one of ours. */
type Started = {
  claims: Claims | undefined;
  callerFound: Promise<Caller | undefined> | undefined;
  counted: Promise<void> | undefined;
};

export async function run(definition: AnyDefinition, event: TracedEvent): Promise<Answer> {
  const request = await readRequest(definition, event);
  const { tokenClaims } = request;
  const callerFound = tokenClaims && callerOf(tokenClaims);
  const claims =
    tokenClaims && isOfKey(tokenClaims) ? await confirmedKey(tokenClaims, callerFound, request) : tokenClaims;
  // No `await` between the look-up and these reads: what starts together is read in one step.
  const reads = startReads(request, claims?.userId);
  const caller = await admit(request, { claims, callerFound, counted: reads.counted }).catch(
    async (refusal: unknown) => {
      // The results and errors of what was started are ignored, but what it reads counts.
      await Promise.allSettled(Object.values(reads));
      throw refusal;
    },
  );
  const { input, network } = request;
  if (!input.success) throw inputError(input.error.issues);
  // The mark is made with the signing secret.
  if (definition.readsSigningSecret) event.trace.network = await networkMark(network);
  const repeat = await reads.repeating;
  const call: AnyCall = {
    ...input.data,
    caller,
    prefetched: await reads.prefetching,
    network,
    accepted: headerOf(event, "accept-language"),
    browser: browserOf(headerOf(event, "user-agent")),
    fail: (code, message, conflict) => {
      if (!definition.errors.includes(code)) throw new Error(`${code} is not among the errors of the definition`);
      return new ApiError(code, { message, conflict });
    },
    idempotencyPart: idempotencyPartOf(repeat, definition) as AnyCall["idempotencyPart"],
    checkState: stateCheck(definition, event),
    addTrace: (more) => addTo(event.trace, more),
    nextRecord: ({ action, ...more }) => {
      // An earlier record may be of another account, and a thing that is gone has none.
      addTo(event.trace, { ...more, account: more.account ?? "" });
      keepRecord(definition, caller, event.trace, action);
    },
  };
  return carryOutAndAnswer(definition, event, call, repeat);
}

async function readRequest(definition: AnyDefinition, event: TracedEvent): Promise<Request> {
  const { body, pathParameters, queryStringParameters } = event;
  const input = definition.request.safeParse({
    body,
    params: pathParameters ?? {},
    query: queryStringParameters ?? {},
  });
  const access = accessOf(definition);
  const tokenClaims = access === "public" ? undefined : await claimsIn(event, access === "bearer");
  const network = networkOf(addressOf(event));
  const counting = countingOf(definition, network, input.data);
  event.counting = counting;
  return { definition, access, event, input, tokenClaims, network, counting };
}

/**
 * An API key only claims its account until it is looked up: nothing else is read for it before, and what the look-up
 * takes counts for the network. Undefined for a key that is not one of ours, where visitors may call too.
 */
async function confirmedKey(
  tokenClaims: Claims,
  callerFound: Promise<Caller | undefined> | undefined,
  { access, counting }: Request,
): Promise<Claims | undefined> {
  if (await callerFound) return tokenClaims;
  await counting?.countNetwork();
  if (access === "bearer") throw new ApiError("INVALID_TOKEN");
  return undefined;
}

/** Starts what is read in one step with the caller's account. Nothing is read for an input that will be refused. */
function startReads({ definition, event, input, counting }: Request, viewerId: string | undefined) {
  if (viewerId !== undefined) event.trace.userId = viewerId;
  if (!input.success) return {};
  const prefetch = async () => definition.prefetch?.(input.data, viewerId);
  const waits = counting?.readsOnlyOnceAdmitted(input.data);
  const counted = counting?.start(input.data, viewerId);
  const prefetching = waits ? counted?.then(prefetch) : prefetch();
  const repeating = viewerId === undefined ? undefined : repeatOf(definition, event, viewerId, input.data);
  // A caller who is refused awaits none of them, so their errors are heard here too.
  for (const each of [prefetching, counted, repeating]) each?.catch(() => {});
  return { prefetching, counted, repeating };
}

/** Returns the caller, or throws why the call is refused. */
async function admit(
  { definition, access, event, input, counting }: Request,
  { claims, callerFound, counted }: Started,
): Promise<Caller | undefined> {
  const caller = await callerFound;
  if (access === "bearer" && !caller) {
    await counted?.then(() => counting?.releaseAccount()).catch(() => {});
    throw new ApiError("INVALID_TOKEN");
  }
  if (claims && isOfKey(claims)) {
    event.trace.apiKey = claims.keyId;
    if (definition.refusesKeys) throw new ApiError("KEY_NOT_ALLOWED");
    event.beside = noteUse(claims);
  }
  const further = input.success ? (definition.permissionsOf?.(input.data, claims?.userId) ?? []) : [];
  requirePermissions(caller, definition.permission, ...further);
  if (definition.needsVerified && environment().REQUIRE_VERIFIED && !caller?.isVerified) {
    throw new ApiError("EMAIL_NOT_VERIFIED");
  }
  await counted;
  return caller;
}

async function carryOutAndAnswer(
  definition: AnyDefinition,
  event: TracedEvent,
  call: AnyCall,
  repeat: Awaited<ReturnType<typeof repeatOf>>,
): Promise<Answer> {
  addTo(event.trace, definition.trace?.(call));
  keepRecord(definition, call.caller, event.trace);
  const carryOut = () => definition.handle(call);
  const { result, isReplayed } = repeat
    ? await answerOnce(repeat, carryOut, async (made) => definition.replay?.(made, call))
    : { result: await carryOut(), isReplayed: false };
  addTo(event.trace, definition.trace?.({ ...call, result }));
  if (definition.page && headerOf(event, "accept")?.includes("text/html"))
    return definition.page(call, headerOf(event, "accept-language"));
  return successAnswer(definition, result, isReplayed ? { "idempotency-replayed": "true" } : {});
}

/** The client's address: as the gateway saw it, or as the portal's distribution reports it, with its key. */
function addressOf({ headers, requestContext }: TracedEvent): string {
  const { PORTAL_KEY } = environment();
  const viewer = PORTAL_KEY && headers["x-portal-key"] === PORTAL_KEY ? headers["x-portal-viewer"] : undefined;
  return viewer ?? requestContext.http.sourceIp;
}

function addTo(trace: Trace, more: Trace = {}): void {
  const known = Object.entries(more).filter(([, value]) => value !== undefined);
  // An empty text takes back what an earlier plan of the call has said.
  Object.assign(trace, Object.fromEntries(known.map(([name, value]) => [name, value === "" ? undefined : value])));
}

function successAnswer({ success, response, etagOf }: Definition, result: unknown, headers = {}): Answer {
  const body = response.parse(result);
  return answer(success, body, { ...headers, ...(etagOf && { etag: quoted(etagOf(body)) }) });
}

function accessOf({ access }: Definition): "public" | "optional" | "bearer" {
  if (access !== "bearer unless public reads") return access;
  return environment().PUBLIC_READS ? "optional" : "bearer";
}
