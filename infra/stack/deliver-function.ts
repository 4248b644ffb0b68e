import { Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { table as access } from "../../functions/scheduled/deliver.ts";
import { DELIVER, type Service, ServiceFunction } from "./service-function.ts";

/** The function that calls the servers of webhooks (lib/outgoing/door.ts). */
export function addDeliver(scope: Construct, service: Service, deadLetters: Queue): ServiceFunction {
  return new ServiceFunction(scope, service, {
    name: DELIVER,
    access,
    statements: [new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetters.queueArn] })],
    deadLetterQueue: deadLetters,
    memorySize: 512,
    timeout: Duration.minutes(1),
    // As of background functions, which are called each minute too.
    traced: false,
  });
}
