import { Duration, type Stack, Tags } from "aws-cdk-lib";
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
import type { Watched } from "./alarms.ts";
import { conflicts, PERIOD, storeErrors, storeThrottles, waitingTime } from "./metrics.ts";
import { SERVICE_TAG } from "./service-function.ts";

const WIDTH = 24;

function graph(title: string, left: IMetric[], more: { width?: number; right?: IMetric[]; stacked?: boolean } = {}) {
  return new GraphWidget({
    title,
    left,
    right: more.right ?? [],
    stacked: more.stacked ?? false,
    width: more.width ?? WIDTH / 3,
    height: 7,
    period: PERIOD,
    leftYAxis: { min: 0 },
    legendPosition: LegendPosition.BOTTOM,
  });
}

/** The state of the alarms, and what users notice. */
function firstLook({ api }: Watched, alarms: Alarm[]): IWidget[][] {
  const sum = { statistic: Stats.SUM, period: PERIOD };
  const latency = (p: number) =>
    api.metricLatency({ statistic: Stats.percentile(p), period: PERIOD, label: `p${p} (ms)` });
  return [
    [new AlarmStatusWidget({ title: "Is anything wrong?", alarms, width: WIDTH, height: 3 })],
    [
      graph("Requests", [api.metricCount({ ...sum, label: "Requests" })]),
      graph("Errors", [
        api.metricServerError({ ...sum, label: "5xx: our fault" }),
        api.metricClientError({ ...sum, label: "4xx: the caller's" }),
      ]),
      graph("Time to answer", [latency(50), latency(95), latency(99)]),
    ],
  ];
}

/** Traffic, errors and time by endpoint, from the access log: the functions' own metrics do not know the status. */
function byEndpoint(accessLog: LogGroup): IWidget {
  return new LogQueryWidget({
    title: "By endpoint",
    logGroupNames: [accessLog.logGroupName],
    view: LogQueryVisualizationType.TABLE,
    width: WIDTH,
    height: 9,
    queryLines: [
      "fields floor(status / 500) as ours, floor(status / 400) - floor(status / 500) as theirs",
      "stats count(*) as requests, sum(ours) as answers_5xx, sum(theirs) as answers_4xx, pct(latency, 50) as p50_ms, pct(latency, 99) as p99_ms by route",
      "sort requests desc",
    ],
  });
}

/** A metric of Lambda over all functions of the account and its region: one metric, however many they are. */
function ofAllFunctions(metricName: string, statistic: string): Metric {
  return new Metric({ namespace: "AWS/Lambda", metricName, statistic, period: PERIOD });
}

function functionRow({ unattended, queued }: Watched): IWidget[] {
  return [
    graph("Failed calls in the account (crash, time-out)", [ofAllFunctions("Errors", Stats.SUM)]),
    graph("Concurrent calls in the account", [ofAllFunctions("ConcurrentExecutions", Stats.MAXIMUM)], {
      right: [ofAllFunctions("Throttles", Stats.SUM)],
    }),
    graph(
      "Failed calls of the functions that no client calls",
      [...unattended, ...queued].map((each) =>
        each.metricErrors({ statistic: Stats.SUM, period: PERIOD, label: each.node.id }),
      ),
    ),
  ];
}

function storeRow({ table, background, deadLetters }: Watched): IWidget[] {
  return [
    graph(
      "Store: conflicts (left), throttles and errors (right)",
      [conflicts(table).with({ label: "Conflicts, each sent again" })],
      {
        right: [storeThrottles(table), storeErrors(table)],
      },
    ),
    graph("Background work: oldest item that waits (ms)", [waitingTime(background)], {
      right: background.map((each) => each.metricInvocations({ statistic: Stats.SUM })),
    }),
    graph("Not handed over: dead letters", [
      deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, label: "Messages" }),
    ]),
  ];
}

const DAY = Duration.days(1);

/** What costs, by day. docs/costs.md has the prices. */
function costRow({ api, table }: Watched, accessLog: LogGroup): IWidget[] {
  const sum = { statistic: Stats.SUM, period: DAY };
  const logged = new Metric({
    namespace: "AWS/Logs",
    metricName: "IncomingBytes",
    dimensionsMap: { LogGroupName: accessLog.logGroupName },
    label: "Bytes of access log (functions log about as much)",
    ...sum,
  });
  return [
    new SingleValueWidget({
      title: "What is paid for, a day",
      width: WIDTH / 2,
      height: 6,
      period: DAY,
      metrics: [
        api.metricCount({ ...sum, label: "Requests" }),
        table.metricConsumedReadCapacityUnits({ ...sum, label: "Read units" }),
        table.metricConsumedWriteCapacityUnits({ ...sum, label: "Write units" }),
        logged,
      ],
    }),
    new LogQueryWidget({
      title: "What is paid for, a day: functions behind the API, traffic out",
      logGroupNames: [accessLog.logGroupName],
      view: LogQueryVisualizationType.TABLE,
      width: WIDTH / 2,
      height: 6,
      queryLines: [
        "stats count(*) as calls, sum(integrationLatency) / 1000 as seconds, sum(bytes) / 1000000 as MB_out by bin(1d) as day",
        "sort day desc",
      ],
    }),
  ];
}

/**
 * The dashboard: from "is anything wrong?" down to where and why. Three dashboards of at most 50 metrics each are free, a larger
 * one is 3 USD a month. So what is shown by endpoint comes from the access log.
 */
export function addDashboard(
  stack: Stack,
  prefix: string,
  watched: Watched,
  alarms: Alarm[],
  accessLog: LogGroup,
): void {
  const heading = (text: string) => [new TextWidget({ markdown: `## ${text}`, width: WIDTH, height: 1 })];
  const dashboard = new Dashboard(stack, "dashboard", {
    dashboardName: prefix,
    defaultInterval: Duration.hours(12),
    widgets: [
      ...firstLook(watched, alarms),
      [byEndpoint(accessLog)],
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
