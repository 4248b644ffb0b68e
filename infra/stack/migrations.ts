import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { accessOf, migrations } from "../../lib/migrations/index.ts";
import { type Service, ServiceFunction } from "./service-function.ts";

// Lambda's longest. The next call continues where this one ended.
const TIMEOUT = Duration.minutes(15);

/**
 * The function that brings the table to the newest version, on a schedule: a deploy neither waits for it nor fails with
 * it. It is deployed after the other functions, so that it waits for the last calls of their old code
 * (functions/scheduled/migrate.ts).
 */
export function addMigrations(
  scope: Construct,
  service: Service,
  deadLetters: Queue,
  others: ServiceFunction[],
): ServiceFunction {
  const migrate = new ServiceFunction(scope, service, {
    name: "migrate",
    access: accessOf(migrations),
    statements: [new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetters.queueArn] })],
    memorySize: 512,
    timeout: TIMEOUT,
    deadLetterQueue: deadLetters,
  });
  for (const { node } of others) if (node.defaultChild) migrate.node.addDependency(node.defaultChild);
  new Rule(scope, "migrate-schedule", {
    description: "Brings the table to the newest version of the data model",
    schedule: Schedule.rate(TIMEOUT),
    targets: [new LambdaFunction(migrate, { deadLetterQueue: deadLetters })],
  });
  return migrate;
}
