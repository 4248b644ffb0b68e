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
import type { ServiceFunction } from "./service-function.ts";

/** What is watched, by alarms and on the dashboard. */
export type Watched = {
  api: HttpApi;
  table: ITable;
  deadLetters: Queue;
  endpoints: ServiceFunction[];
  background: ServiceFunction[];
  others: ServiceFunction[];
};

/** When something is wrong; docs/operations.md has a section for each name. */
type Rule = {
  name: string;
  says: string;
  metric: IMetric;
  /** Goes off above this. */
  above: number;
  /** In so many of the last three periods; by default two. */
  periods?: 1 | 2 | 3;
};

const PERIOD = Duration.minutes(5);

// An alarm takes at most ten metrics.
const METRICS_AN_ALARM = 10;

/** The operations that the functions use: DynamoDB counts its errors for each by itself. */
const OPERATIONS = ["GetItem", "Query", "BatchGetItem", "TransactWriteItems", "UpdateItem", "DeleteItem"];

/** A function over some metrics that counts what is missing as nothing; by name, because METRICS() takes in its neighbours on a graph. */
export const over = (
  operation: "SUM" | "MAX",
  metrics: IMetric[],
  { id, label, per = 1, period = PERIOD }: { id: string; label: string; per?: number; period?: Duration },
): MathExpression => {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric]));
  const expression = `${operation}([${Object.keys(usingMetrics)}])${per === 1 ? "" : ` / ${per}`}`;
  return new MathExpression({ expression, usingMetrics, period, label });
};

const storeMetric = (table: ITable, metricName: string, Operation?: string): Metric =>
  new Metric({
    namespace: "AWS/DynamoDB",
    metricName,
    dimensionsMap: { TableName: table.tableName, ...(Operation && { Operation }) },
    statistic: Stats.SUM,
    period: PERIOD,
  });

/** Reads and writes that the table put off. */
export const storeThrottles = (table: ITable): MathExpression =>
  over("SUM", [storeMetric(table, "ReadThrottleEvents"), storeMetric(table, "WriteThrottleEvents")], {
    id: "throttled",
    label: "Throttled by the table",
  });

/** Errors of DynamoDB itself. */
export const storeErrors = (table: ITable): MathExpression =>
  over(
    "SUM",
    OPERATIONS.map((operation) => storeMetric(table, "SystemErrors", operation)),
    { id: "failed", label: "Errors of DynamoDB" },
  );

/** Parts of transactions that another transaction got in the way of; each is sent again. */
export const conflicts = (table: ITable): Metric => storeMetric(table, "TransactionConflict");

/** A share in percent; below a hundred requests a period it is counted as if there were a hundred, so that one mishap at night is no alarm. */
const percentOf = (part: IMetric, all: IMetric, label: string): MathExpression =>
  new MathExpression({
    // No data is none: an expression over a missing value would be missing too.
    expression: "IF(requests > 100, 100 * FILL(part, 0) / requests, FILL(part, 0))",
    usingMetrics: { part, requests: all },
    period: PERIOD,
    label,
  });

/** How long the oldest new item waits for its background function, in milliseconds. */
export const waitingTime = (background: IFunction[]): MathExpression =>
  over(
    "MAX",
    background.map((each) => each.metric("IteratorAge", { statistic: Stats.MAXIMUM, period: PERIOD })),
    { id: "age", label: "Oldest item that waits" },
  );

const apiRules = (api: HttpApi): Rule[] => [
  {
    name: "server-errors",
    says: "More than 1 % of the requests are answered with 5xx",
    metric: percentOf(
      api.metricServerError({ statistic: Stats.SUM, period: PERIOD }),
      api.metricCount({ statistic: Stats.SUM, period: PERIOD }),
      "5xx (%)",
    ),
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

/** Crashes, time-outs and lack of memory, ten functions an alarm: which one it is, the dashboard shows. */
const functionRules = (functions: IFunction[]): Rule[] => {
  const rules: Rule[] = [];
  for (let at = 0; at < functions.length; at += METRICS_AN_ALARM) {
    const group = functions.slice(at, at + METRICS_AN_ALARM);
    const errors = group.map((each) => each.metricErrors({ statistic: Stats.SUM, period: PERIOD }));
    rules.push({
      name: `function-errors-${rules.length + 1}`,
      says: "Functions crash or run out of time",
      metric: over("SUM", errors, { id: "errors", label: "Failed calls" }),
      above: 2,
      periods: 1,
    });
  }
  return rules;
};

// Functions share the concurrency of the account and its region, so whoever is throttled there, we are next: one metric for all.
const throttleRule = (): Rule => ({
  name: "function-throttles",
  says: "Lambda turns calls away: the account's concurrency is used up",
  metric: new Metric({ namespace: "AWS/Lambda", metricName: "Throttles", statistic: Stats.SUM, period: PERIOD }),
  above: 0,
});

const storeRules = (table: ITable, api: HttpApi): Rule[] => [
  { name: "store-throttles", says: "The table puts reads or writes off", metric: storeThrottles(table), above: 10 },
  {
    name: "store-errors",
    says: "DynamoDB itself fails",
    metric: storeErrors(table),
    above: 5,
  },
  {
    name: "conflicts",
    says: "Many transactions get in each other's way",
    metric: percentOf(
      conflicts(table),
      api.metricCount({ statistic: Stats.SUM, period: PERIOD }),
      "Conflicts per 100 requests",
    ),
    above: 50,
    periods: 3,
  },
];

const backgroundRules = (background: IFunction[], deadLetters: Queue): Rule[] => [
  {
    name: "outbox-age",
    says: "Mails, or other background work, wait for more than ten minutes",
    metric: waitingTime(background),
    above: Duration.minutes(10).toMilliseconds(),
  },
  {
    name: "dead-letters",
    says: "Something was given up: a mail was not sent, or what a deleted post left behind is still there",
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD }),
    above: 0,
    periods: 1,
  },
];

/** Makes the alarms and the topic that they tell. */
export const addAlarms = (stack: Stack, prefix: string, watched: Watched, email: string | undefined): Alarm[] => {
  const { api, table, deadLetters, endpoints, background, others } = watched;
  const topic = alarmTopic(stack, prefix, deadLetters, email);
  const rules = [
    ...apiRules(api),
    ...functionRules([...endpoints, ...background, ...others]),
    throttleRule(),
    ...storeRules(table, api),
    ...backgroundRules(background, deadLetters),
  ];
  return rules.map(({ name, says, metric, above, periods = 2 }) => {
    const alarm = new Alarm(stack, `alarm-${name}`, {
      alarmName: `${prefix}-${name}`,
      alarmDescription: `${says}. What to do: docs/operations.md#${name.replace(/-\d+$/, "")}`,
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
};

const alarmTopic = (stack: Stack, prefix: string, deadLetters: Queue, email: string | undefined): Topic => {
  const topic = new Topic(stack, "alarms", { displayName: `${prefix} alarms`, enforceSSL: true });
  // A topic with a policy of its own has lost the one that lets the account's alarms in.
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
};
