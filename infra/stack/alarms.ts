import { Annotations, Duration, Stack, Token } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { failedCalls, lambdaMetric, PERIOD, SUM, storeThrottles, waitingTime } from "./metrics.ts";
import type { ServiceFunction } from "./service-function.ts";

/**
 * What alarms and dashboard watch. The functions behind the API are watched as one, by the API's answers: AWS charges
 * 0.10 USD a month for each metric of an alarm.
 */
export type Watched = {
  api: HttpApi;
  table: ITable;
  deadLetters: Queue;
  /** Fed by the table's stream. */
  background: ServiceFunction[];
  /** Called by no client: the background functions and the rotation of the secret. */
  unattended: ServiceFunction[];
  /** The dead-letter queue gets their failed calls. */
  queued: ServiceFunction[];
};

/** The condition of an alarm. docs/operations.md has a section for each name. */
type Rule = {
  name: string;
  says: string;
  metric: IMetric;
  /** The alarm goes off above this value, */
  above: number;
  /** in this many of the last three periods; by default two. */
  periods?: 1 | 2 | 3;
};

function rulesFor({ api, table, deadLetters, background, unattended }: Watched): Rule[] {
  return [
    {
      name: "server-errors",
      says: "More than five requests in five minutes, or more than 1 % of them, are answered with 5xx",
      // 0 below both limits, so one failure sets off nothing.
      metric: new MathExpression({
        expression: "IF(failed > 5, failed, IF(100 * failed > requests, failed, 0))",
        usingMetrics: { failed: api.metricServerError(SUM), requests: api.metricCount(SUM) },
        period: PERIOD,
        label: "5xx, where more than 5 or 1 %",
      }),
      above: 1,
    },
    {
      name: "slow-answers",
      says: "One request in a hundred takes more than 3 seconds",
      metric: api.metricLatency({ statistic: Stats.percentile(99), period: PERIOD }),
      above: 3000,
      periods: 3,
    },
    {
      name: "function-throttles",
      says: "Lambda turns calls away: the account's concurrency is used up",
      // All functions share the account's concurrency: one metric includes ours.
      metric: lambdaMetric("Throttles", Stats.SUM),
      above: 0,
    },
    { name: "store-throttles", says: "The table throttles reads or writes", metric: storeThrottles(table), above: 10 },
    {
      name: "outbox-age",
      says: "New mails, or other background work, wait for their first attempt for more than ten minutes",
      metric: waitingTime(background),
      above: Duration.minutes(10).toMilliseconds(),
    },
    {
      name: "dead-letters",
      says: "The stream could not hand new items over (a background function crashes, or the store failed for minutes), or a migration fails",
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD }),
      above: 0,
      periods: 1,
    },
    {
      // Late background work makes its call fail.
      name: "function-errors",
      says: "A function that no client calls fails, or background work has failed for more than ten minutes",
      metric: failedCalls(unattended),
      above: 0,
      periods: 1,
    },
  ];
}

/** Adds the alarms and the topic that they notify, with the address of who gets their mails. */
export function addAlarms(scope: Construct, prefix: string, watched: Watched, email: string | undefined): Alarm[] {
  const action = new SnsAction(addTopic(scope, prefix, watched.deadLetters, email));
  return rulesFor(watched).map(({ name, says, metric, above, periods = 2 }) => {
    const alarm = new Alarm(scope, `alarm-${name}`, {
      alarmName: `${prefix}-${name}`,
      alarmDescription: `${says}. What to do: docs/operations.md#${name}`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods === 1 ? 1 : 3,
      datapointsToAlarm: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  });
}

function addTopic(scope: Construct, prefix: string, deadLetters: Queue, email: string | undefined): Topic {
  const topic = new Topic(scope, "alarms", { displayName: `${prefix} alarms`, enforceSSL: true });
  // It replaces the default policy, which lets the account's alarms publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  if (email) topic.addSubscription(new EmailSubscription(email, { deadLetterQueue: deadLetters }));
  return topic;
}

// Elsewhere CloudFormation refuses a template with a budget (cfn-lint's schemas, E3006).
const REGIONS_WITH_BUDGETS = [
  ...["us-east-1", "us-east-2", "us-west-1", "us-west-2", "ca-central-1", "sa-east-1"],
  ...["eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1"],
  ...["ap-south-1", "ap-southeast-1", "ap-southeast-2", "ap-northeast-1", "ap-northeast-2"],
];

/**
 * Mails an address on each day that costs the account more than `dollars`. It watches the whole account: AWS bills by
 * tag only after an administrator has activated the tags. The mail comes hours late; throttles and the table's limits
 * bound the bill.
 */
export function addBudget(scope: Construct, prefix: string, dollars: number, email: string): void {
  if (!Token.isUnresolved(Stack.of(scope).region) && !REGIONS_WITH_BUDGETS.includes(Stack.of(scope).region)) {
    const text = `No daily budget: CloudFormation has none in ${Stack.of(scope).region}. Make one by hand in the console of AWS Budgets`;
    Annotations.of(scope).addWarningV2("feedback-board:no-budget", text);
    return;
  }
  new CfnBudget(scope, "budget", {
    budget: {
      // A name is unique within an account, in all regions.
      budgetName: `${prefix}-${Stack.of(scope).region}-daily`,
      budgetType: "COST",
      timeUnit: "DAILY",
      budgetLimit: { amount: dollars, unit: "USD" },
    },
    notificationsWithSubscribers: [
      {
        notification: { notificationType: "ACTUAL", comparisonOperator: "GREATER_THAN", threshold: 100 },
        subscribers: [{ subscriptionType: "EMAIL", address: email }],
      },
    ],
  });
}
