import { ArnFormat, Duration, type Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { table as access } from "../../functions/scheduled/deliver.ts";
import { type Environment, type Service, ServiceFunction } from "./service-function.ts";

const NAME = "deliver";

/** What an endpoint or function needs to call `deliver`. */
export function callingDeliver(
  stack: Stack,
  { prefix }: Service,
): { environment: Environment; statement: PolicyStatement } {
  const functionName = `${prefix}-${NAME}`;
  const resource = stack.formatArn({
    service: "lambda",
    resource: "function",
    resourceName: functionName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return {
    environment: {
      DELIVER_URL: `https://lambda.${stack.region}.${stack.urlSuffix}/2015-03-31/functions/${functionName}/invocations`,
    },
    statement: new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [resource] }),
  };
}

/** The only function that calls foreign servers (lib/webhooks/door.ts). */
export function addDeliver(stack: Stack, service: Service, deadLetters: Queue): ServiceFunction {
  return new ServiceFunction(stack, service, {
    name: NAME,
    access,
    statements: [new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetters.queueArn] })],
    deadLetterQueue: deadLetters,
    memorySize: 512,
    timeout: Duration.minutes(1),
    // As of background functions, which are called each minute too.
    traced: false,
  });
}
