import { Duration, type Stack } from "aws-cdk-lib";
import { type HttpApi, HttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { documentFunctions } from "../../functions/documents/index.ts";
import { type Service, ServiceFunction } from "./service-function.ts";

/** Adds the functions that answer documents, without rights to the table, and their routes. Returns the route keys. */
export function addDocuments(stack: Stack, service: Service, api: HttpApi): string[] {
  return Object.entries(documentFunctions).map(([name, path]) => {
    const document = new ServiceFunction(stack, service, {
      name,
      access: {},
      memorySize: 256,
      timeout: Duration.seconds(5),
    });
    api.addRoutes({ path, methods: [HttpMethod.GET], integration: new HttpLambdaIntegration(name, document) });
    return `GET ${path}`;
  });
}
