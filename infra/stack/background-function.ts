import { Duration, type Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { DynamoEventSource, SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { BackgroundDefinition } from "../../lib/background.ts";
import { partitions } from "../../lib/data/keys.ts";
import { type Service, ServiceFunction } from "./service-function.ts";

/** The filter for new items of the family that a function takes; `defineBackground` looks for the same. */
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
      // For items that an operator hands over again, asynchronously. Failures of the stream go there by `onFailure` below.
      deadLetterQueue: deadLetters,
      // Enough for ten mails to a service that hangs, or the votes of a very popular post. Unfinished work is handed over again.
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

// With the pauses of `defineBackground` (up to a minute each) this is about an hour. Then the record goes to the dead-letter queue,
// an alarm goes off, and the item stays in the table. With more retries one mail that is refused would delay all others.
const RETRIES = { retryAttempts: 60, maxRecordAge: Duration.hours(6) };
