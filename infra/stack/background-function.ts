import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { DynamoEventSource, SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { type BackgroundDefinition, takenBy, type Work } from "../../lib/background.ts";
import { partitions } from "../../lib/table/families.ts";
import { usingExports } from "./exports.ts";
import { type Service, ServiceFunction } from "./service-function.ts";

/**
 * The stream's filters for works: new items of some families, changed ones too of others. `defineBackground` checks the
 * same. Families share a filter, because a stream takes five of them at most.
 */
function filtersOf(works: readonly Work[]) {
  const familiesOf = (anyChange: boolean) => {
    const taken = takenBy(works.filter(({ followUp }) => (followUp !== undefined) === anyChange));
    return [...new Set(taken)].map((family) => partitions[family]);
  };
  return [
    { families: familiesOf(false), events: ["INSERT"] },
    { families: familiesOf(true), events: ["INSERT", "MODIFY"] },
  ]
    .filter(({ families }) => families.length > 0)
    .map(({ families, events }) =>
      FilterCriteria.filter({
        eventName: FilterRule.or(...events),
        dynamodb: { Keys: { pk: { S: FilterRule.or(...families) } } },
      }),
    );
}

/** A function that gets the new items of some families from the table's stream, and is called each minute. */
export class BackgroundFunction extends ServiceFunction {
  constructor(
    scope: Construct,
    service: Service,
    deadLetters: Queue,
    definition: BackgroundDefinition,
    statements: PolicyStatement[] = [],
  ) {
    const { table } = service;
    const { tableStreamArn = "" } = table;
    const writesExports = definition.works.some((work) => work.definition.writesExports);
    const exports = usingExports(service, writesExports ? "write" : undefined);
    super(scope, service, {
      name: definition.name,
      access: definition.table,
      environment: exports.environment,
      statements: [
        ...statements,
        ...exports.statements,
        new PolicyStatement({
          actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
          resources: [tableStreamArn],
        }),
        new PolicyStatement({ actions: ["dynamodb:ListStreams"], resources: [`${table.tableArn}/stream/*`] }),
        new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetters.queueArn] }),
      ],
      callsDeliver: definition.works.some((work) => work.definition.callsDeliver),
      memorySize: 512,
      // A call ends after forty seconds (lib/background.ts). An attempt is claimed for a minute as well.
      timeout: Duration.minutes(1),
      // A trace of each minute's call would use up the 100,000 that are free a month.
      traced: false,
    });
    this.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: filtersOf(definition.works),
        // A follow-up works on a post once a batch, however many records name it: the votes of a second count together.
        ...(definition.works.some(({ followUp }) => followUp)
          ? { batchSize: 100, maxBatchingWindow: Duration.seconds(1) }
          : { batchSize: 10 }),
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        // A batch fails only while the store fails, or if the function crashes. Lambda waits longer and longer between
        // the attempts: some minutes in all. Then the dead-letter queue gets the record, and the hourly search finds
        // the item.
        retryAttempts: 10,
        maxRecordAge: Duration.hours(6),
        onFailure: new SqsDlq(deadLetters),
      }),
    );
  }
}

/** Calls functions each minute. A call that fails is not repeated: the next one comes in a minute. */
export function callEachMinute(scope: Construct, functions: ServiceFunction[], deadLetters: Queue): void {
  const rule = new Rule(scope, "each-minute", {
    description: "Starts the due jobs of the background functions",
    schedule: Schedule.rate(Duration.minutes(1)),
  });
  for (const each of functions)
    rule.addTarget(new LambdaFunction(each, { retryAttempts: 0, deadLetterQueue: deadLetters }));
}
