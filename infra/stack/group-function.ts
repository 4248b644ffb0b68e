import { Duration, type Stack } from "aws-cdk-lib";
import { type HttpApi, HttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import type { Group } from "../../lib/group.ts";
import { grantsOf, usesSigningSecret } from "../../lib/http/definition.ts";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { mergeAccess } from "../../lib/table/access.ts";
import { type Service, ServiceFunction } from "./service-function.ts";

// CPU comes with memory: 1769 MB is a whole core, which hashes a password in 20 to 35 ms (19 MiB, 2 passes).
const HASHING_MB = 1769;

// 1 GB halves the start of a container against 512 MB, for 2 cents per 100,000 calls.
const USUAL_MB = 1024;

// Five seconds of store work (docs/contract.md#errors), hashing, and time to answer that it failed.
const TIMEOUT = Duration.seconds(10);

/** The function of a group of endpoints, and their routes. It has the rights of all of them together. */
export class GroupFunction extends ServiceFunction {
  readonly group: Group;

  constructor(stack: Stack, service: Service, secret: ISecret | undefined, group: Group) {
    const definitions = group.endpoints.map(({ definition }) => definition);
    const ownSecret = definitions.some(usesSigningSecret) ? secret : undefined;
    const hashes = definitions.some((definition) => definition.hashesPasswords);
    super(stack, service, {
      name: group.name,
      access: mergeAccess(definitions.map(grantsOf)),
      statements: ownSecret
        ? [new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [ownSecret.secretArn] })]
        : [],
      environment: {
        ...(ownSecret && { SIGNING_SECRET_ARN: ownSecret.secretArn }),
        // One hash at a time: it gets the whole core, and peak memory stays at 65 MB instead of 179.
        ...(hashes && { UV_THREADPOOL_SIZE: "1" }),
      },
      memorySize: hashes ? HASHING_MB : USUAL_MB,
      timeout: TIMEOUT,
    });
    this.group = group;
  }

  addRoutes(api: HttpApi): void {
    // One integration, and one permission for all routes of this API: CloudFormation counts each of them.
    const integration = new HttpLambdaIntegration(this.group.name, this, { scopePermissionToRoute: false });
    for (const { definition } of this.group.endpoints) {
      api.addRoutes({
        path: `${BASE_PATH}${definition.path}`,
        methods: [HttpMethod[definition.method]],
        integration,
      });
    }
  }
}
