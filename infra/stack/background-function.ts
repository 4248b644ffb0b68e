import { Duration, type Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { DynamoEventSource, SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { BackgroundDefinition } from "../../lib/background.ts";
import { partitions } from "../../lib/data/keys.ts";
import { type Service, ServiceFunction } from "./service-function.ts";

/** The new items of the family that a function takes: the same that `defineBackground` looks at. */
const newItemsOf = ({ takes }: BackgroundDefinition) => {
  const pattern = partitions[takes];
  const pk = pattern.endsWith("*") ? FilterRule.beginsWith(pattern.slice(0, -1)) : FilterRule.isEqual(pattern);
  return FilterCriteria.filter({ eventName: FilterRule.isEqual("INSERT"), dynamodb: { Keys: { pk: { S: pk } } } });
};

/** A function that the table's stream feeds with the new items of one family. */
export class BackgroundFunction extends ServiceFunction {
  constructor(
    stack: Stack,
    service: Service,
    deadLetters: Queue,
    definition: BackgroundDefinition,
    statements: PolicyStatement[] = [],
  ) {
    const { table } = service;
    const { tableStreamArn = "" } = table;
    super(stack, service, {
      name: definition.name,
      access: definition.table,
      statements: [
        ...statements,
        new PolicyStatement({
          actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
          resources: [tableStreamArn],
        }),
        new PolicyStatement({ actions: ["dynamodb:ListStreams"], resources: [`${table.tableArn}/stream/*`] }),
        new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetters.queueArn] }),
      ],
      memorySize: 512,
      // For who hands items over again by hand, asynchronously; the stream's own failures go there by the mapping below.
      deadLetterQueue: deadLetters,
      // Ten mails to a mail service that hangs, or the votes of a very popular post; what is not done in time is taken up again.
      timeout: Duration.minutes(5),
    });
    this.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: [newItemsOf(definition)],
        batchSize: 10,
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        ...RETRIES,
        onFailure: new SqsDlq(deadLetters),
      }),
    );
  }
}

// With the pauses of `defineBackground` (up to a minute each) these are tried for about an hour. Then the record goes to the queue
// and somebody hears of it; its item stays in the table. For longer, one mail that nobody takes would hold up all others.
const RETRIES = { retryAttempts: 60, maxRecordAge: Duration.hours(6) };
