import { Duration, Tags } from "aws-cdk-lib";
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LegendPosition,
  LogQueryVisualizationType,
  LogQueryWidget,
  Metric,
  SingleValueWidget,
  Stats,
  TextWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { Watched } from "./alarms.ts";
import { conflicts, lambdaMetric, PERIOD, SUM, storeErrors, storeThrottles, waitingTime } from "./metrics.ts";
import { SERVICE_TAG } from "./service-function.ts";

const WIDTH = 24;

function heading(text: string): IWidget[] {
  return [new TextWidget({ markdown: `## ${text}`, width: WIDTH, height: 1 })];
}

function graph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  return new GraphWidget({
    title,
    left,
    right,
    width: WIDTH / 3,
    height: 7,
    period: PERIOD,
    leftYAxis: { min: 0 },
    legendPosition: LegendPosition.BOTTOM,
  });
}

function logTable(accessLog: LogGroup, title: string, size: { width: number; height: number }, queryLines: string[]) {
  const view = LogQueryVisualizationType.TABLE;
  return new LogQueryWidget({ title, logGroupNames: [accessLog.logGroupName], view, ...size, queryLines });
}

function apiRow({ api }: Watched): IWidget[] {
  const latency = (p: number) =>
    api.metricLatency({ statistic: Stats.percentile(p), period: PERIOD, label: `p${p} (ms)` });
  return [
    graph("Requests", [api.metricCount({ ...SUM, label: "Requests" })]),
    graph("Errors", [
      api.metricServerError({ ...SUM, label: "5xx: our fault" }),
      api.metricClientError({ ...SUM, label: "4xx: the caller's" }),
    ]),
    graph("Time to answer", [latency(50), latency(95), latency(99)]),
  ];
}

/** Traffic, errors and time by endpoint, from the access log: the functions' own metrics have no status. */
function endpointRow(accessLog: LogGroup): IWidget[] {
  return [
    logTable(accessLog, "By endpoint", { width: WIDTH, height: 9 }, [
      "fields floor(status / 500) as ours, floor(status / 400) - floor(status / 500) as theirs",
      "stats count(*) as requests, sum(ours) as answers_5xx, sum(theirs) as answers_4xx, pct(latency, 50) as p50_ms, pct(latency, 99) as p99_ms by route",
      "sort requests desc",
    ]),
  ];
}

function functionRow({ unattended, queued }: Watched): IWidget[] {
  return [
    graph("Failed calls in the account (crash, time-out)", [lambdaMetric("Errors", Stats.SUM)]),
    graph(
      "Concurrent calls in the account",
      [lambdaMetric("ConcurrentExecutions", Stats.MAXIMUM)],
      [lambdaMetric("Throttles", Stats.SUM)],
    ),
    graph(
      "Failed calls of the functions that no client calls",
      [...unattended, ...queued].map((each) => each.metricErrors({ ...SUM, label: each.node.id })),
    ),
  ];
}

function storeRow({ table, background, deadLetters }: Watched): IWidget[] {
  return [
    graph(
      "Store: conflicts (left), throttles and errors (right)",
      [conflicts(table).with({ label: "Conflicts, each sent again" })],
      [storeThrottles(table), storeErrors(table)],
    ),
    graph(
      "Background work: age of the oldest waiting item (ms)",
      [waitingTime(background)],
      background.map((each) => each.metricInvocations({ statistic: Stats.SUM })),
    ),
    graph("Not handed over: dead letters", [
      deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, label: "Messages" }),
    ]),
  ];
}

/** Usage that AWS charges, by day. docs/costs.md has the prices. */
function costRow({ api, table }: Watched, accessLog: LogGroup): IWidget[] {
  const period = Duration.days(1);
  const sum = { statistic: Stats.SUM, period };
  const size = { width: WIDTH / 2, height: 6 };
  const logged = new Metric({
    namespace: "AWS/Logs",
    metricName: "IncomingBytes",
    dimensionsMap: { LogGroupName: accessLog.logGroupName },
    label: "Bytes of access log (functions log about as much)",
    ...sum,
  });
  return [
    new SingleValueWidget({
      title: "Charged usage, a day",
      ...size,
      period,
      metrics: [
        api.metricCount({ ...sum, label: "Requests" }),
        table.metricConsumedReadCapacityUnits({ ...sum, label: "Read units" }),
        table.metricConsumedWriteCapacityUnits({ ...sum, label: "Write units" }),
        logged,
      ],
    }),
    logTable(accessLog, "Charged usage, a day: functions behind the API, traffic out", size, [
      "stats count(*) as calls, sum(integrationLatency) / 1000 as seconds, sum(bytes) / 1000000 as MB_out by bin(1d) as day",
      "sort day desc",
    ]),
  ];
}

/**
 * The dashboard, from "is anything wrong?" down to where and why. Three dashboards of at most 50 metrics each are free,
 * a larger one is 3 USD a month: so the figures of each endpoint come from the access log.
 */
export function addDashboard(
  scope: Construct,
  prefix: string,
  watched: Watched,
  alarms: Alarm[],
  accessLog: LogGroup,
): void {
  const dashboard = new Dashboard(scope, "dashboard", {
    dashboardName: prefix,
    defaultInterval: Duration.hours(12),
    widgets: [
      [new AlarmStatusWidget({ title: "Is anything wrong?", alarms, width: WIDTH, height: 3 })],
      apiRow(watched),
      endpointRow(accessLog),
      heading("Functions"),
      functionRow(watched),
      heading("Store and background work"),
      storeRow(watched),
      heading("Cost"),
      costRow(watched, accessLog),
    ],
  });
  // Bahrain and the Emirates refuse a dashboard that has tags.
  Tags.of(dashboard).remove(SERVICE_TAG);
}
