import { Duration } from "aws-cdk-lib";
import { type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { IFunction } from "aws-cdk-lib/aws-lambda";

/** The period of alarms and graphs, unless they say otherwise. */
export const PERIOD = Duration.minutes(5);

/** The operations that the functions use. DynamoDB counts errors for each of them. */
const OPERATIONS = ["GetItem", "Query", "BatchGetItem", "TransactWriteItems", "UpdateItem", "DeleteItem"];

/**
 * The sum or the maximum of metrics; a missing value counts as nothing. Metrics are named: METRICS() would include the others of a
 * graph.
 */
export function aggregate(
  operation: "SUM" | "MAX",
  metrics: IMetric[],
  { id, label }: { id: string; label: string },
): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric]));
  const expression = `${operation}([${Object.keys(usingMetrics)}])`;
  return new MathExpression({ expression, usingMetrics, period: PERIOD, label });
}

function storeMetric(table: ITable, metricName: string, Operation?: string): Metric {
  return new Metric({
    namespace: "AWS/DynamoDB",
    metricName,
    dimensionsMap: { TableName: table.tableName, ...(Operation && { Operation }) },
    statistic: Stats.SUM,
    period: PERIOD,
  });
}

/** Reads and writes that the table throttled. */
export function storeThrottles(table: ITable): MathExpression {
  return aggregate("SUM", [storeMetric(table, "ReadThrottleEvents"), storeMetric(table, "WriteThrottleEvents")], {
    id: "throttled",
    label: "Throttled by the table",
  });
}

/** Errors of DynamoDB itself. */
export function storeErrors(table: ITable): MathExpression {
  return aggregate(
    "SUM",
    OPERATIONS.map((operation) => storeMetric(table, "SystemErrors", operation)),
    { id: "failed", label: "Errors of DynamoDB" },
  );
}

/** Items of transactions in conflict with another transaction. Each transaction is sent again. */
export function conflicts(table: ITable): Metric {
  return storeMetric(table, "TransactionConflict");
}

/** How long the oldest new item waits for its background function, in milliseconds. */
export function waitingTime(background: IFunction[]): MathExpression {
  return aggregate(
    "MAX",
    background.map((each) => each.metric("IteratorAge", { statistic: Stats.MAXIMUM, period: PERIOD })),
    { id: "age", label: "Oldest item that waits" },
  );
}
