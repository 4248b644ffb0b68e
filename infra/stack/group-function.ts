import { Duration } from "aws-cdk-lib";
import { type HttpApi, HttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { documentFunctions } from "../../functions/documents/index.ts";
import type { Group } from "../../lib/group.ts";
import { grantsOf, usesSigningSecret } from "../../lib/http/definition.ts";
import { answersHead, BASE_PATH } from "../../lib/http/routes.ts";
import { mergeAccess } from "../../lib/table/access.ts";
import { usingExports } from "./exports.ts";
import { keyOf, type Service, ServiceFunction } from "./service-function.ts";

// CPU comes with memory: 1769 MB is a whole core, which hashes a password in 20 to 35 ms (19 MiB, 2 passes).
const HASHING_MB = 1769;

// 1 GB halves the start of a container against 512 MB, for 2 cents per 100,000 calls.
const USUAL_MB = 1024;

// Five seconds of store work (docs/contract.md#errors), hashing, and time to answer that it failed.
const TIMEOUT = Duration.seconds(10);

/** Adds the function of a group of endpoints, with the rights of all of them together, and their routes. */
export function addGroup(
  scope: Construct,
  service: Service,
  secret: ISecret | undefined,
  { name, endpoints }: Group,
  api: HttpApi,
): ServiceFunction {
  const definitions = endpoints.map(({ definition }) => definition);
  const ownSecret = definitions.some(usesSigningSecret) ? secret : undefined;
  const hashes = definitions.some(({ hashesPasswords }) => hashesPasswords);
  const setupCode = definitions.some(({ asksSetupCode }) => asksSetupCode) && service.context.setupCodeSha256;
  const exports = usingExports(service, definitions.some(({ readsExports }) => readsExports) ? "read" : undefined);
  const { reservedConcurrency } = service.context;
  const group = new ServiceFunction(scope, service, {
    name,
    access: mergeAccess(definitions.map(grantsOf)),
    statements: [
      ...(ownSecret
        ? [new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [ownSecret.secretArn] })]
        : []),
      ...exports.statements,
    ],
    environment: {
      ...exports.environment,
      ...keyOf(service),
      ...(ownSecret && { SIGNING_SECRET_ARN: ownSecret.secretArn }),
      ...(setupCode && { SETUP_CODE_SHA256: setupCode }),
      // One hash at a time: it gets the whole core, and peak memory stays at 65 MB instead of 179.
      ...(hashes && { UV_THREADPOOL_SIZE: "1" }),
    },
    memorySize: hashes ? HASHING_MB : USUAL_MB,
    timeout: TIMEOUT,
    callsDeliver: definitions.some(({ callsDeliver }) => callsDeliver),
    ...(reservedConcurrency && { reservedConcurrentExecutions: reservedConcurrency }),
  });
  // One integration, and one permission for all routes of this API: CloudFormation counts each of them.
  const integration = new HttpLambdaIntegration(name, group, { scopePermissionToRoute: false });
  for (const definition of definitions) {
    const { method, path } = definition;
    const methods = [HttpMethod[method], ...(answersHead(definition) ? [HttpMethod.HEAD] : [])];
    api.addRoutes({ path: `${BASE_PATH}${path}`, methods, integration });
  }
  return group;
}

/** Adds the functions that answer documents, without rights to the table, and their routes. Returns the route keys. */
export function addDocuments(scope: Construct, service: Service, api: HttpApi): string[] {
  return Object.entries(documentFunctions).flatMap(([name, path]) => {
    const document = new ServiceFunction(scope, service, {
      name,
      access: {},
      memorySize: 256,
      timeout: Duration.seconds(5),
    });
    const integration = new HttpLambdaIntegration(name, document, { scopePermissionToRoute: false });
    api.addRoutes({ path, methods: [HttpMethod.GET, HttpMethod.HEAD], integration });
    return [`GET ${path}`, `HEAD ${path}`];
  });
}
