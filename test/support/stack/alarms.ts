import { resourcesOf, type Template } from "./stack.ts";

// CloudWatch's evaluation of alarms, as far as our alarms use it; a function that it does not know is an error.

type WatchedMetric = {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: { Ref: string } }[];
};

/** An alarm as CloudFormation gets it. */
// biome-ignore lint/suspicious/noExplicitAny: templates are read, not typed
type AlarmProperties = any;

export function alarmsOf(template: Template): AlarmProperties[] {
  return Object.values(resourcesOf(template, "AWS::CloudWatch::Alarm")).map(({ Properties }) => Properties);
}

type Part = { Id: string; Expression?: string; MetricStat?: { Metric: WatchedMetric } };

function partsOf(alarm: AlarmProperties): Part[] {
  return alarm.Metrics ?? [{ Id: "only", MetricStat: { Metric: alarm } }];
}

/** The metrics that an alarm looks at: AWS counts and charges each. */
export function metricsOf(alarm: AlarmProperties): WatchedMetric[] {
  return partsOf(alarm).flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
}

/** The measurements of one period, by the names of the metrics; an absent metric was not measured. */
export type Period = Record<string, number>;

const metricMath = {
  IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
  SUM: (values: number[]) => values.reduce((sum, each) => sum + each, 0),
  MAX: (values: number[]) => Math.max(...values),
};

/** The value of an alarm in a period; undefined if a needed metric was not measured. */
function valueIn(period: Period, alarm: AlarmProperties): number | undefined {
  const parts = partsOf(alarm);
  const values = new Map(
    parts.flatMap(({ Id, MetricStat }) => (MetricStat ? [[Id, period[MetricStat.Metric.MetricName]]] : [])),
  );
  if ([...values.values()].includes(undefined)) return undefined;
  const expression = parts.find(({ Expression }) => Expression)?.Expression;
  if (!expression) return [...values.values()][0];
  const evaluate = new Function(...Object.keys(metricMath), ...values.keys(), `return ${expression}`);
  return evaluate(...Object.values(metricMath), ...values.values());
}

export function setOffBy(template: Template, periods: Period[]): string[] {
  return alarmsOf(template)
    .filter((alarm) => {
      const looked = periods.slice(-alarm.EvaluationPeriods).map((period) => valueIn(period, alarm));
      const breaching = looked.filter((value) => value !== undefined && value > alarm.Threshold);
      return breaching.length >= (alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods);
    })
    .map(({ AlarmName }) => AlarmName.replace(/^feedback-board-[^-]+-/, ""))
    .sort();
}
