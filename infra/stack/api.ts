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
import { BASE_PATH } from "../../functions/index.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import type { Definition } from "../../lib/http/definition.ts";
import { cors, corsMethods } from "./cors.ts";
import type { EndpointFunction } from "./endpoint-function.ts";
import { LOG_RETENTION } from "./service-function.ts";

// The store's narrowest place is one partition: about 750 first pages of the list a second (docs/data-model.md). Below that, a
// flood of requests is turned away here, for nothing, before it costs functions and units. Burst: what may come at once.
const THROTTLE = { rateLimit: 500, burstLimit: 500 };

// Each call of an auth route may cost a whole core for 30 ms, by design; people do not sign in ten times a second.
const AUTH_THROTTLE = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 };

/** The gateway's route of an endpoint. */
export const routeKeyOf = ({ method, path }: Pick<Definition, "method" | "path">): string =>
  `${method} ${BASE_PATH}${path}`;

/** Makes the HTTP API, without routes. */
export const addApi = (
  stack: Stack,
  prefix: string,
  allowedOrigins: string[],
  endpoints: readonly Endpoint[],
): HttpApi =>
  new HttpApi(stack, "api", {
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

// Neither path nor query nor headers: they carry what people search for, and tokens. The route says enough.
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

/** Makes the stage `$default`, with its access log and throttles, once all routes are there; the log is what it returns. */
export const addStage = (stack: Stack, prefix: string, httpApi: HttpApi, functions: EndpointFunction[]): LogGroup => {
  const accessLog = new LogGroup(stack, "access-log", {
    // Under this prefix API Gateway may write without a line of its own in the account's log policy, whose size is limited.
    logGroupName: `/aws/vendedlogs/apigateway/${prefix}`,
    retention: LOG_RETENTION,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const stage = new HttpStage(stack, "stage", {
    httpApi,
    stageName: "$default",
    autoDeploy: true,
    throttle: THROTTLE,
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLog),
      format: AccessLogFormat.custom(ACCESS_LOG),
    },
  });
  const authRoutes = functions.map(({ definition }) => definition).filter(({ path }) => path.startsWith("/auth/"));
  (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(
    authRoutes.map((definition) => [routeKeyOf(definition), AUTH_THROTTLE]),
  );
  // A stage that names a route which is not there yet is refused.
  for (const route of httpApi.node.findAll()) if (route instanceof CfnRoute) stage.node.addDependency(route);
  return accessLog;
};
