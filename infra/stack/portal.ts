import { Aws, CfnOutput, Duration, Fn } from "aws-cdk-lib";
import { type HttpApi, HttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import * as cloudfront from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { Construct } from "constructs";
import type { DeploymentContext } from "./context.ts";
import type { Files } from "./portal-files.ts";
import { type Environment, keyOf, type Service, ServiceFunction } from "./service-function.ts";

// One name for pages, their files and the API.

/** The addresses of cards. */
const CARDS = "/cards/*";

/** Overwrites the address that a client claims. */
const NAME_VIEWER = `function handler({ request, viewer }) {
  request.headers["x-portal-viewer"] = { value: viewer.ip };
  return request;
}`;

/** How long a cache keeps an answer: as the answer says, up to a day. */
const AS_ANSWERED = { minTtl: Duration.seconds(0), defaultTtl: Duration.seconds(0), maxTtl: Duration.days(1) };

/** Keeps pages, one for each language. */
function addPageCache(scope: Construct, prefix: string): cloudfront.CachePolicy {
  return new cloudfront.CachePolicy(scope, "page-cache", {
    ...AS_ANSWERED,
    cachePolicyName: `${prefix}-pages`,
    headerBehavior: cloudfront.CacheHeaderBehavior.allowList("Accept-Language"),
    // The language that a reader has chosen.
    cookieBehavior: cloudfront.CacheCookieBehavior.allowList("language"),
    queryStringBehavior: cloudfront.CacheQueryStringBehavior.all(),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
}

/** Keeps one card for each address, whatever else a client sends: a card that it cannot name is drawn once an hour. */
function addCardCache(scope: Construct, prefix: string): cloudfront.CachePolicy {
  return new cloudfront.CachePolicy(scope, "card-cache", { ...AS_ANSWERED, cachePolicyName: `${prefix}-cards` });
}

/** A domain of the operator's own, if there is one. */
function ownName(scope: Construct, portal: DeploymentContext["portal"]) {
  if (typeof portal !== "object") return {};
  return {
    domainNames: [portal.domain],
    certificate: Certificate.fromCertificateArn(scope, "certificate", portal.certificateArn),
    // CloudFront's own name has CloudFront's certificate, whose policy nobody can choose.
    minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}

/**
 * Adds the distribution before API, pages and files. Returns the environment of functions behind it, and the key that
 * only the distribution sends.
 */
export function addDistribution(
  scope: Construct,
  prefix: string,
  api: HttpApi,
  portal: DeploymentContext["portal"],
  { bucket }: Files,
): { environment: Environment; key: string } {
  // A part of the stack's id, which only the account knows: it costs nothing and needs no storage. A client who learned
  // it could name another network to the rate limits, and do no more.
  const key = Fn.select(2, Fn.split("/", Aws.STACK_ID));
  const origin = new HttpOrigin(`${api.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
    customHeaders: { "x-portal-key": key },
  });
  const { ViewerProtocolPolicy, AllowedMethods, CachePolicy, OriginRequestPolicy, ResponseHeadersPolicy } = cloudfront;
  const viewerProtocolPolicy = ViewerProtocolPolicy.REDIRECT_TO_HTTPS;
  // HSTS, among others.
  const responseHeadersPolicy = ResponseHeadersPolicy.SECURITY_HEADERS;
  const nameViewer = new cloudfront.Function(scope, "name-viewer", {
    code: cloudfront.FunctionCode.fromInline(NAME_VIEWER),
    runtime: cloudfront.FunctionRuntime.JS_2_0,
  });
  const functionAssociations = [{ function: nameViewer, eventType: cloudfront.FunctionEventType.VIEWER_REQUEST }];
  // The pages' function calls the API for the visitor, whose network counts.
  const originRequestPolicy = new OriginRequestPolicy(scope, "page-viewer", {
    originRequestPolicyName: `${prefix}-page-viewer`,
    headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList("x-portal-viewer"),
  });
  const distribution = new cloudfront.Distribution(scope, "distribution", {
    comment: prefix,
    ...ownName(scope, portal),
    httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
    // By default CloudFront keeps an error for ten seconds: a visitor over a limit would close the page for others.
    errorResponses: [500, 502, 503, 504].map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    defaultBehavior: {
      origin,
      viewerProtocolPolicy,
      cachePolicy: addPageCache(scope, prefix),
      originRequestPolicy,
      functionAssociations,
      responseHeadersPolicy,
    },
    additionalBehaviors: {
      "/api/*": {
        origin,
        viewerProtocolPolicy,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        functionAssociations,
        responseHeadersPolicy,
      },
      [CARDS]: {
        origin,
        viewerProtocolPolicy,
        cachePolicy: addCardCache(scope, prefix),
        originRequestPolicy,
        functionAssociations,
        responseHeadersPolicy,
      },
      "/assets/*": {
        origin: S3BucketOrigin.withOriginAccessControl(bucket),
        viewerProtocolPolicy,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy,
      },
    },
  });
  const SITE_URL = `https://${typeof portal === "object" ? portal.domain : distribution.distributionDomainName}`;
  new CfnOutput(scope, "PortalUrl", { value: SITE_URL, description: "The portal, with the API below /api/v1" });
  new CfnOutput(scope, "PortalTarget", { value: distribution.distributionDomainName, description: "Where DNS leads" });
  return { environment: { SITE_URL, PUBLIC_READS: "on" }, key };
}

/** What a function behind the distribution is: without rights to the table. */
function addAnswering(scope: Construct, service: Service, api: HttpApi, name: string): ServiceFunction {
  const { SITE_URL = "" } = service.environment;
  // It answers CloudFront alone: past it nothing keeps answers, and nobody names the visitor.
  const environment = { API_ORIGIN: api.apiEndpoint, SITE_URL, ...keyOf(service) };
  const size = { memorySize: 1024, timeout: Duration.seconds(10) };
  return new ServiceFunction(scope, { ...service, environment: {} }, { name, access: {}, environment, ...size });
}

function addReads(api: HttpApi, answering: ServiceFunction, name: string, paths: string[]): string[] {
  const integration = new HttpLambdaIntegration(name, answering, { scopePermissionToRoute: false });
  return paths.flatMap((path) => {
    api.addRoutes({ path, methods: [HttpMethod.GET, HttpMethod.HEAD], integration });
    return [`GET ${path}`, `HEAD ${path}`];
  });
}

/** Adds the function that answers pages. Returns its route keys. */
export function addPages(scope: Construct, service: Service, api: HttpApi, { filled }: Files): string[] {
  const pages = addAnswering(scope, service, api, "portal");
  // A page is sent when its files are there.
  pages.node.addDependency(filled);
  return addReads(api, pages, "portal", ["/", "/{proxy+}"]);
}

/** Adds the function that draws cards: a flood of them closes no page. Returns its route keys. */
export function addCards(scope: Construct, service: Service, api: HttpApi): string[] {
  return addReads(api, addAnswering(scope, service, api, "cards"), "cards", ["/cards/{proxy+}"]);
}
