import { Duration, type Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { aggregate, PERIOD, storeThrottles, waitingTime } from "./metrics.ts";
import type { ServiceFunction } from "./service-function.ts";

/**
 * What is watched, by alarms and on the dashboard. The functions behind the API are watched as one, by what the API answers:
 * AWS takes 0.10 USD a month for each metric of an alarm, and their number grows.
 */
export type Watched = {
  api: HttpApi;
  table: ITable;
  deadLetters: Queue;
  /** Fed by the table's stream. */
  background: ServiceFunction[];
  /** Called by no client: those of the background and those on a schedule. */
  unattended: ServiceFunction[];
  /** Neither, but calls that failed go to the dead-letter queue. */
  queued: ServiceFunction[];
};

/** The condition of an alarm. docs/operations.md has a section for each name. */
type Rule = {
  name: string;
  says: string;
  metric: IMetric;
  /** The alarm goes off above this value, */
  above: number;
  /** in so many of the last three periods; two by default. */
  periods?: 1 | 2 | 3;
};

/** The answers with 5xx if they are more than five, or more than 1 %; else 0. A single failure at night is no alarm. */
function serverErrors(api: HttpApi): MathExpression {
  return new MathExpression({
    expression: "IF(failed > 5, failed, IF(100 * failed > requests, failed, 0))",
    usingMetrics: {
      failed: api.metricServerError({ statistic: Stats.SUM, period: PERIOD }),
      requests: api.metricCount({ statistic: Stats.SUM, period: PERIOD }),
    },
    period: PERIOD,
    label: "5xx, where more than 5 or 1 %",
  });
}

function apiRules(api: HttpApi): Rule[] {
  return [
    {
      name: "server-errors",
      says: "More than five requests in five minutes, or more than 1 % of them, are answered with 5xx",
      metric: serverErrors(api),
      above: 1,
    },
    {
      name: "slow-answers",
      says: "One request in a hundred takes more than 3 seconds",
      metric: api.metricLatency({ statistic: Stats.percentile(99), period: PERIOD }),
      above: 3000,
      periods: 3,
    },
  ];
}

/** Crashes, time-outs and lack of memory of functions that no client calls, and background work that is late: its call fails. */
function unattendedRules(unattended: IFunction[]): Rule[] {
  if (unattended.length === 0) return [];
  const errors = unattended.map((each) => each.metricErrors({ statistic: Stats.SUM, period: PERIOD }));
  return [
    {
      name: "function-errors",
      says: "A function that no client calls fails, or background work has failed for more than ten minutes",
      metric: aggregate("SUM", errors, { id: "errors", label: "Failed calls" }),
      above: 0,
      periods: 1,
    },
  ];
}

// All functions share the account's concurrency, so a throttle of any function will reach ours: one metric for all.
function throttleRule(): Rule {
  return {
    name: "function-throttles",
    says: "Lambda turns calls away: the account's concurrency is used up",
    metric: new Metric({ namespace: "AWS/Lambda", metricName: "Throttles", statistic: Stats.SUM, period: PERIOD }),
    above: 0,
  };
}

function storeRule(table: ITable): Rule {
  return {
    name: "store-throttles",
    says: "The table puts reads or writes off",
    metric: storeThrottles(table),
    above: 10,
  };
}

function backgroundRules(background: IFunction[], deadLetters: Queue): Rule[] {
  return [
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
  ];
}

/** Adds the alarms and the topic that they notify. */
export function addAlarms(stack: Stack, prefix: string, watched: Watched, email: string | undefined): Alarm[] {
  const { api, table, deadLetters, background, unattended } = watched;
  const topic = alarmTopic(stack, prefix, deadLetters, email);
  const rules = [
    ...apiRules(api),
    throttleRule(),
    storeRule(table),
    ...backgroundRules(background, deadLetters),
    ...unattendedRules(unattended),
  ];
  return rules.map(({ name, says, metric, above, periods = 2 }) => {
    const alarm = new Alarm(stack, `alarm-${name}`, {
      alarmName: `${prefix}-${name}`,
      alarmDescription: `${says}. What to do: docs/operations.md#${name}`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods === 1 ? 1 : 3,
      datapointsToAlarm: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    return alarm;
  });
}

function alarmTopic(stack: Stack, prefix: string, deadLetters: Queue, email: string | undefined): Topic {
  const topic = new Topic(stack, "alarms", { displayName: `${prefix} alarms`, enforceSSL: true });
  // A policy of its own replaces the default one, which lets the account's alarms publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  );
  if (email) topic.addSubscription(new EmailSubscription(email, { deadLetterQueue: deadLetters }));
  return topic;
}
