import middy from "@middy/core";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type * as z from "zod/mini";
import { type AnyDefinition, type Call, run, type TracedEvent } from "./calls.ts";
import { type Answer, errorAnswer, logRequest, type Trace } from "./http/answers.ts";
import { compression } from "./http/compression.ts";
import {
  type Access,
  type Consistent,
  type Definition,
  defaults,
  type OwnTable,
  type RequestSchema,
  type Route,
  type Told,
} from "./http/definition.ts";
import { checkParsedBody, prepareBody } from "./http/request-body.ts";
import { ApiError, type ErrorCode } from "./runtime/errors.ts";
import { canSend, isWithoutMail } from "./runtime/mail.ts";
import { withStoreBudget } from "./runtime/store-budget.ts";
import { StoreUnavailable } from "./table/client.ts";

type Handlers<C, R extends z.ZodMiniType, Kept extends z.ZodMiniType> = {
  /**
   * The words about a change in the log line and in the audit log: the changed item, the account that owns it, what it
   * becomes, the names of the fields that are set. Called before `handle`, and again after it with `result`, which only
   * the log line has: `handle` tells the audit log by `addTrace`, before it commits, the id of what it creates.
   */
  trace?(call: C & { result?: z.input<R> }): Trace;
  handle(call: C): Promise<z.input<R>>;
} & ([Kept] extends [never]
  ? unknown
  : {
      /** Repeats the answer of a call that was carried out before, under the same Idempotency-Key. */
      replay(made: z.output<Kept>, call: C): Promise<z.input<R>>;
    });

/** A definition as it is written: with a route, and without the fields that have their default. */
type Written<D extends Definition> = Omit<D, "method" | "path" | keyof typeof defaults> & { route: Route } & Partial<
    Pick<D, keyof typeof defaults>
  >;

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
    Told<A, T>,
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
