import { Aws, CfnOutput, Duration, Fn, type Stack } from "aws-cdk-lib";
import { type HttpApi, HttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import * as cloudfront from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { DeploymentContext } from "./context.ts";
import type { Files } from "./portal-files.ts";
import { type Environment, type Service, ServiceFunction } from "./service-function.ts";

// One name for pages, their files and the API.

/** Overwrites what a client says about its address. */
const NAME_VIEWER = `function handler({ request, viewer }) {
  request.headers["x-portal-viewer"] = { value: viewer.ip };
  return request;
}`;

/** Adds the distribution before API, pages and files. Returns the environment of functions behind it. */
export function addDistribution(
  stack: Stack,
  prefix: string,
  api: HttpApi,
  portal: DeploymentContext["portal"],
  { bucket }: Files,
): Environment {
  // A part of the stack's id, which only the account knows: it costs nothing and needs no storage. A client who learned
  // it could name another network to the rate limits, and do no more.
  const PORTAL_KEY = Fn.select(2, Fn.split("/", Aws.STACK_ID));
  const origin = new HttpOrigin(`${api.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
    customHeaders: { "x-portal-key": PORTAL_KEY },
  });
  const { ViewerProtocolPolicy, AllowedMethods, CachePolicy, OriginRequestPolicy, ResponseHeadersPolicy } = cloudfront;
  const viewerProtocolPolicy = ViewerProtocolPolicy.REDIRECT_TO_HTTPS;
  const nameViewer = new cloudfront.Function(stack, "name-viewer", {
    code: cloudfront.FunctionCode.fromInline(NAME_VIEWER),
    runtime: cloudfront.FunctionRuntime.JS_2_0,
  });
  const functionAssociations = [{ function: nameViewer, eventType: cloudfront.FunctionEventType.VIEWER_REQUEST }];
  const pageCache = new CachePolicy(stack, "page-cache", {
    cachePolicyName: `${prefix}-pages`,
    // As long as the function says: seconds.
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.days(1),
    headerBehavior: cloudfront.CacheHeaderBehavior.allowList("Accept-Language"),
    queryStringBehavior: cloudfront.CacheQueryStringBehavior.all(),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
  const name = typeof portal === "object" && {
    domainNames: [portal.domain],
    certificate: Certificate.fromCertificateArn(stack, "certificate", portal.certificateArn),
  };
  const distribution = new cloudfront.Distribution(stack, "distribution", {
    comment: prefix,
    ...name,
    httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
    minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
    defaultBehavior: {
      origin,
      viewerProtocolPolicy,
      cachePolicy: pageCache,
      // The pages' function calls the API for the visitor, whose network counts.
      originRequestPolicy: new OriginRequestPolicy(stack, "page-viewer", {
        originRequestPolicyName: `${prefix}-page-viewer`,
        headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList("x-portal-viewer"),
      }),
      functionAssociations,
      // HSTS, among others.
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
    },
    additionalBehaviors: {
      "/api/*": {
        origin,
        viewerProtocolPolicy,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        functionAssociations,
      },
      "/assets/*": {
        origin: S3BucketOrigin.withOriginAccessControl(bucket),
        viewerProtocolPolicy,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
      },
    },
  });
  const SITE_URL = `https://${typeof portal === "object" ? portal.domain : distribution.distributionDomainName}`;
  new CfnOutput(stack, "PortalUrl", { value: SITE_URL, description: "The portal, with the API below /api/v1" });
  new CfnOutput(stack, "PortalTarget", { value: distribution.distributionDomainName, description: "Where DNS leads" });
  return { SITE_URL, PUBLIC_READS: "on", PORTAL_KEY };
}

/** Adds the function that answers pages, without rights to the table. Returns its route keys. */
export function addPages(stack: Stack, service: Service, api: HttpApi, { filled }: Files): string[] {
  const pages = new ServiceFunction(
    stack,
    { ...service, environment: {} },
    {
      name: "portal",
      access: {},
      environment: { API_ORIGIN: api.apiEndpoint },
      memorySize: 1024,
      timeout: Duration.seconds(10),
    },
  );
  // A page is sent when its files are there.
  pages.node.addDependency(filled);
  const integration = new HttpLambdaIntegration("portal", pages, { scopePermissionToRoute: false });
  return ["/", "/{proxy+}"].map((path) => {
    api.addRoutes({ path, methods: [HttpMethod.GET], integration });
    return `GET ${path}`;
  });
}
