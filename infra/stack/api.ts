import { Duration, RemovalPolicy } from "aws-cdk-lib";
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
import type { Construct } from "constructs";
import type { Endpoint } from "../../lib/endpoint.ts";
import { changesItems, type Definition, isForTeam } from "../../lib/http/definition.ts";
import { routeKeysOf } from "../../lib/http/routes.ts";
import type { DeploymentContext } from "./context.ts";
import { cors, corsMethods } from "./cors.ts";
import { LOG_RETENTION, type Service } from "./service-function.ts";

/** Adds the HTTP API without routes and stage. */
export function addApi(
  scope: Construct,
  prefix: string,
  allowedOrigins: string[],
  endpoints: readonly Endpoint[],
): HttpApi {
  return new HttpApi(scope, "api", {
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

/**
 * The calls a second that an endpoint's route admits, from all clients together: the gateway cannot tell them apart, so
 * a flood closes the route. The sum of the throttles bounds the worst daily bill
 * (docs/costs.md#the-worst-day); what one client may do behind them is in lib/http/rate-limits.ts.
 */
function perSecond(
  definition: Definition,
  { signInsPerSecond, readsPerSecond, writesPerSecond }: DeploymentContext,
): number {
  const { access, contract, readsSigningSecret, name } = definition;
  // Without a token the other routes are useless; a site is set up once.
  if (readsSigningSecret && name !== "auth-set-up") return signInsPerSecond;
  // Readers of mails and the scanners of their mailboxes open it.
  if (definition.page && !changesItems(definition)) return Math.ceil(writesPerSecond / 4);
  // A page of the portal makes several of these reads.
  if (access !== "bearer" && !changesItems(definition) && !definition.limit)
    return contract ? readsPerSecond : Math.ceil(readsPerSecond * 0.75);
  // The team is few people, and a person seldom opens what takes many reads, such as a list of their own posts.
  if (isForTeam(definition) || definition.expectedReads) return Math.ceil(writesPerSecond / 4);
  return contract && name !== "auth-set-up" ? writesPerSecond : Math.ceil(writesPerSecond / 2);
}

/** The throttle of preflights and unknown paths: a browser asks once for each path in an hour or so. */
const OTHERS = throttle(50);

/** Developers read a document, not each visitor. A day at this rate sends 18 GB: 1.60 USD. */
const DOCUMENT = throttle(1);

/** A card is drawn when a link is shared; caches keep it for an hour. */
const CARD = throttle(2);

/** Monitors and checkers of links ask now and then whether a page is there. */
const HEAD = throttle(1);

/** Adds the stage `$default` with a throttle for each route of endpoints and documents. Returns its access log. */
export function addStage(
  scope: Construct,
  { prefix, context }: Pick<Service, "prefix" | "context">,
  httpApi: HttpApi,
  endpoints: readonly Endpoint[],
  documents: readonly string[],
  pages: readonly string[] = [],
  cards: readonly string[] = [],
): LogGroup {
  const accessLog = new LogGroup(scope, "access-log", {
    // Under this prefix API Gateway may write without an entry in the account's log policy, whose size is limited.
    logGroupName: `/aws/vendedlogs/apigateway/${prefix}`,
    retention: LOG_RETENTION,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const stage = new HttpStage(scope, "stage", {
    httpApi,
    stageName: "$default",
    autoDeploy: true,
    throttle: { rateLimit: OTHERS.ThrottlingRateLimit, burstLimit: OTHERS.ThrottlingBurstLimit },
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLog),
      format: AccessLogFormat.custom(ACCESS_LOG),
    },
  });
  const pageThrottle = throttle(Math.ceil(context.readsPerSecond / 4));
  (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries([
    ...endpoints.flatMap(({ definition }) =>
      routeKeysOf(definition).map((routeKey) => [routeKey, throttle(perSecond(definition, context))]),
    ),
    ...documents.map((routeKey) => [routeKey, DOCUMENT]),
    ...pages.map((routeKey) => [routeKey, routeKey.startsWith("HEAD ") ? HEAD : pageThrottle]),
    ...cards.map((routeKey) => [routeKey, routeKey.startsWith("HEAD ") ? HEAD : CARD]),
  ]);
  // CloudFormation refuses a stage that names a route which does not exist yet.
  for (const route of httpApi.node.findAll()) if (route instanceof CfnRoute) stage.node.addDependency(route);
  return accessLog;
}
