import { Duration, RemovalPolicy, type Stack } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CfnRoute,
  type CfnStage,
  CorsHttpMethod,
  HttpApi,
  HttpStage,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { may } from "../../lib/auth/permissions.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import type { Definition } from "../../lib/http/definition.ts";
import { routeKeyOf } from "../../lib/http/routes.ts";
import type { Verb } from "../../lib/table/access.ts";
import type { DeploymentContext } from "./context.ts";
import { cors, corsMethods } from "./cors.ts";
import { LOG_RETENTION, type Service } from "./service-function.ts";

/** Adds the HTTP API, without routes. */
export function addApi(
  stack: Stack,
  prefix: string,
  allowedOrigins: string[],
  endpoints: readonly Endpoint[],
): HttpApi {
  return new HttpApi(stack, "api", {
    apiName: prefix,
    description: "Feedback Board",
    createDefaultStage: false,
    corsPreflight: {
      allowOrigins: allowedOrigins,
      allowMethods: corsMethods(endpoints).map((method) => CorsHttpMethod[method as keyof typeof CorsHttpMethod]),
      allowHeaders: [...cors.allowHeaders],
      exposeHeaders: [...cors.exposeHeaders],
      allowCredentials: false,
      maxAge: Duration.seconds(cors.maxAgeSeconds),
    },
  });
}

// No path, query or headers: they contain search words and tokens. The route is enough.
const ACCESS_LOG = JSON.stringify({
  time: "$context.requestTime",
  requestId: "$context.requestId",
  route: "$context.routeKey",
  protocol: "$context.protocol",
  status: "$context.status",
  bytes: "$context.responseLength",
  latency: "$context.responseLatency",
  integrationLatency: "$context.integrationLatency",
  integrationStatus: "$context.integrationStatus",
  gatewayError: "$context.error.responseType",
});

function throttle(perSecond: number) {
  // A short flood does not close a route: it may use the calls of ten seconds in one.
  return { ThrottlingRateLimit: perSecond, ThrottlingBurstLimit: perSecond * 10 };
}

const READS = new Set<Verb>(["get", "query", "batchGet"]);

function writes({ path, method, table }: Definition): boolean {
  const changesItems = Object.values(table).some((verbs) => !verbs.every((verb) => READS.has(verb)));
  // Checking the token of a mail counts as a write: tokens can be guessed.
  return changesItems || (path.startsWith("/auth/") && method !== "GET");
}

/**
 * The calls a second that an endpoint's route admits. The gateway counts the calls of all clients together, so the sum
 * of the throttles bounds the worst daily bill (docs/costs.md#the-worst-day); lib/http/rate-limits.ts bounds each
 * client. The sum grows with the endpoints, so rare calls get little.
 */
function perSecond(
  definition: Definition,
  { signInsPerSecond, readsPerSecond, writesPerSecond }: DeploymentContext,
): number {
  const { name, contract, issuesTokens, permission, path } = definition;
  // Few callers have the permission, or API keys; a site is set up once.
  if ((permission && !may({ role: "member" }, permission)) || path.startsWith("/keys") || name === "auth-set-up")
    return Math.ceil(writesPerSecond / 10);
  // Without a token the rest is of no use.
  if (issuesTokens) return signInsPerSecond;
  const most = writes(definition) ? writesPerSecond : readsPerSecond;
  return contract || path.startsWith("/auth/") ? most : Math.ceil(most / 2);
}

/** The throttle of other routes. */
const LEAST = throttle(1);

/** Adds the stage `$default` with a throttle for each route of endpoints and documents. Returns its access log. */
export function addStage(
  stack: Stack,
  { prefix, context }: Pick<Service, "prefix" | "context">,
  httpApi: HttpApi,
  endpoints: readonly Endpoint[],
  documents: readonly string[],
  pages: readonly string[] = [],
): LogGroup {
  const accessLog = new LogGroup(stack, "access-log", {
    // Under this prefix API Gateway may write without an entry in the account's log policy, whose size is limited.
    logGroupName: `/aws/vendedlogs/apigateway/${prefix}`,
    retention: LOG_RETENTION,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const stage = new HttpStage(stack, "stage", {
    httpApi,
    stageName: "$default",
    autoDeploy: true,
    throttle: { rateLimit: LEAST.ThrottlingRateLimit, burstLimit: LEAST.ThrottlingBurstLimit },
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLog),
      format: AccessLogFormat.custom(ACCESS_LOG),
    },
  });
  (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries([
    ...endpoints.map(({ definition }) => [routeKeyOf(definition), throttle(perSecond(definition, context))]),
    // Developers read a document, not each visitor. A day at this rate sends 18 GB: 1.60 USD.
    ...documents.map((routeKey) => [routeKey, LEAST]),
    ...pages.map((routeKey) => [routeKey, throttle(Math.ceil(context.readsPerSecond / 2))]),
  ]);
  // CloudFormation refuses a stage that names a route which does not exist yet.
  for (const route of httpApi.node.findAll()) if (route instanceof CfnRoute) stage.node.addDependency(route);
  return accessLog;
}
