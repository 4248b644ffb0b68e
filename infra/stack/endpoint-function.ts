import { Duration, type Stack } from "aws-cdk-lib";
import { type HttpApi, HttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import { BASE_PATH } from "../../functions/index.ts";
import { type Definition, grantsOf, usesSigningSecret } from "../../lib/http/definition.ts";
import { type Service, ServiceFunction } from "./service-function.ts";

// CPU comes with memory. 1769 MB is one whole core: a password is hashed in 20 to 35 ms (19 MiB, 2 passes) instead of 100.
const HASHING_MB = 1769;

// 1 GB halves the start of a container against 512 MB, for 2 cents per 100,000 calls.
const USUAL_MB = 1024;

// Five seconds of store work (docs/decisions.md#errors), hashing, and room for the answer that says that it failed.
const TIMEOUT = Duration.seconds(10);

/** The function of one endpoint, and its route. */
export class EndpointFunction extends ServiceFunction {
  readonly definition: Definition;

  constructor(stack: Stack, service: Service, secret: ISecret | undefined, definition: Definition) {
    const ownSecret = usesSigningSecret(definition) ? secret : undefined;
    super(stack, service, {
      name: definition.name,
      access: grantsOf(definition),
      statements: ownSecret
        ? [new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [ownSecret.secretArn] })]
        : [],
      environment: {
        ...(ownSecret && { SIGNING_SECRET_ARN: ownSecret.secretArn }),
        // One hash at a time has the core for itself, and peak memory stays at 65 MB instead of 179.
        ...(definition.hashes && { UV_THREADPOOL_SIZE: "1" }),
      },
      memorySize: definition.hashes ? HASHING_MB : USUAL_MB,
      timeout: TIMEOUT,
    });
    this.definition = definition;
  }

  /** Puts the function behind its route. */
  addRoute(api: HttpApi): void {
    const { name, method, path } = this.definition;
    api.addRoutes({
      path: `${BASE_PATH}${path}`,
      methods: [HttpMethod[method]],
      integration: new HttpLambdaIntegration(name, this),
    });
  }
}
