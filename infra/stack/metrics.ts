import { Duration } from "aws-cdk-lib";
import { type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { IFunction } from "aws-cdk-lib/aws-lambda";

/** What alarms and graphs count over, unless they say otherwise. */
export const PERIOD = Duration.minutes(5);

/** The operations that the functions use: DynamoDB counts its errors for each by itself. */
const OPERATIONS = ["GetItem", "Query", "BatchGetItem", "TransactWriteItems", "UpdateItem", "DeleteItem"];

/** A function over some metrics that counts what is missing as nothing; by name, because METRICS() takes in its neighbours on a graph. */
export const over = (
  operation: "SUM" | "MAX",
  metrics: IMetric[],
  { id, label }: { id: string; label: string },
): MathExpression => {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric]));
  const expression = `${operation}([${Object.keys(usingMetrics)}])`;
  return new MathExpression({ expression, usingMetrics, period: PERIOD, label });
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

/** How long the oldest new item waits for its background function, in milliseconds. */
export const waitingTime = (background: IFunction[]): MathExpression =>
  over(
    "MAX",
    background.map((each) => each.metric("IteratorAge", { statistic: Stats.MAXIMUM, period: PERIOD })),
    { id: "age", label: "Oldest item that waits" },
  );
