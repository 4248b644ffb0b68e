import { Duration, type Stack } from "aws-cdk-lib";
import { type HttpApi, HttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { documentFunctions } from "../../functions/documents/index.ts";
import { type Service, ServiceFunction } from "./service-function.ts";
import { throttle } from "./throttles.ts";

// Developers read a document, not each visitor. A day at this rate sends 18 GB: 1.60 USD.
const PER_SECOND = 1;

/** A function that answers a document, and its route. It has no rights to the table. */
export class DocumentFunction extends ServiceFunction {
  readonly path: string;
  readonly throttle = throttle(PER_SECOND);

  constructor(stack: Stack, service: Service, name: keyof typeof documentFunctions) {
    super(stack, service, { name, access: {}, memorySize: 256, timeout: Duration.seconds(5) });
    this.path = documentFunctions[name];
  }

  get routeKey(): string {
    return `GET ${this.path}`;
  }

  addRoute(api: HttpApi): void {
    api.addRoutes({
      path: this.path,
      methods: [HttpMethod.GET],
      integration: new HttpLambdaIntegration(this.node.id, this),
    });
  }
}
