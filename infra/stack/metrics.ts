import { Duration } from "aws-cdk-lib";
import { type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { IFunction } from "aws-cdk-lib/aws-lambda";

export const PERIOD = Duration.minutes(5);

export const SUM = { statistic: Stats.SUM, period: PERIOD };

// DynamoDB counts errors by operation: these are the ones that the functions use.
const OPERATIONS = ["GetItem", "Query", "BatchGetItem", "TransactWriteItems", "UpdateItem", "DeleteItem"];

/** The sum or the maximum of metrics. Each has an id: METRICS() would include the other metrics of a graph. */
function aggregate(operation: "SUM" | "MAX", id: string, label: string, metrics: IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric]));
  const expression = `${operation}([${Object.keys(usingMetrics)}])`;
  return new MathExpression({ expression, usingMetrics, period: PERIOD, label });
}

function storeMetric(table: ITable, metricName: string, Operation?: string): Metric {
  const dimensionsMap = { TableName: table.tableName, ...(Operation && { Operation }) };
  return new Metric({ namespace: "AWS/DynamoDB", metricName, dimensionsMap, ...SUM });
}

export function storeThrottles(table: ITable): MathExpression {
  const metrics = ["ReadThrottleEvents", "WriteThrottleEvents"].map((name) => storeMetric(table, name));
  return aggregate("SUM", "throttled", "Throttled by the table", metrics);
}

export function storeErrors(table: ITable): MathExpression {
  const metrics = OPERATIONS.map((operation) => storeMetric(table, "SystemErrors", operation));
  return aggregate("SUM", "failed", "Errors of DynamoDB", metrics);
}

export function conflicts(table: ITable): Metric {
  return storeMetric(table, "TransactionConflict");
}

/** How long the oldest new item waits for its background function, in milliseconds. */
export function waitingTime(background: IFunction[]): MathExpression {
  const ages = background.map((each) => each.metric("IteratorAge", { statistic: Stats.MAXIMUM, period: PERIOD }));
  return aggregate("MAX", "age", "Age of the oldest waiting item", ages);
}

/** Failed calls: crashes, time-outs, lack of memory. */
export function failedCalls(functions: IFunction[]): MathExpression {
  const errors = functions.map((each) => each.metricErrors(SUM));
  return aggregate("SUM", "errors", "Failed calls", errors);
}

/** A metric of Lambda over all functions of the account and its region: one metric for any number of functions. */
export function lambdaMetric(metricName: string, statistic: string): Metric {
  return new Metric({ namespace: "AWS/Lambda", metricName, statistic, period: PERIOD });
}
