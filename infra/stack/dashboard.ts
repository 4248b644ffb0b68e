import { Duration, type Stack } from "aws-cdk-lib";
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
import { conflicts, over, storeErrors, storeThrottles, type Watched, waitingTime } from "./alarms.ts";
import type { ServiceFunction } from "./service-function.ts";

const PERIOD = Duration.minutes(5);
const WIDTH = 24;

const graph = (title: string, left: IMetric[], more: { width?: number; right?: IMetric[]; stacked?: boolean } = {}) =>
  new GraphWidget({
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

/** Whether all is well, and what the users see. */
const firstLook = ({ api }: Watched, alarms: Alarm[]): IWidget[][] => {
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
};

/** Traffic, errors and time by endpoint, from the access log: the functions' own metrics do not know the status. */
const byEndpoint = (accessLog: LogGroup): IWidget =>
  new LogQueryWidget({
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

const all = ({ endpoints, background, others }: Watched): ServiceFunction[] => [...endpoints, ...background, ...others];

const functionRow = (watched: Watched): IWidget[] => {
  const of = (metricName: string, statistic: string) =>
    all(watched).map((each) => each.metric(metricName, { statistic, period: PERIOD, label: each.node.id }));
  return [
    graph("Failed calls by function (crash, time-out)", of("Errors", Stats.SUM)),
    graph("Duration by function, p99 (ms)", of("Duration", Stats.percentile(99))),
    graph("Concurrent calls in the account", [
      new Metric({ namespace: "AWS/Lambda", metricName: "ConcurrentExecutions", statistic: Stats.MAXIMUM }),
      new Metric({ namespace: "AWS/Lambda", metricName: "Throttles", statistic: Stats.SUM }),
    ]),
  ];
};

const storeRow = ({ table, background, deadLetters }: Watched): IWidget[] => [
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
  graph("Given up: dead letters", [
    deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, label: "Messages" }),
  ]),
];

const DAY = Duration.days(1);

const bytesOf = ({ logGroupName }: LogGroup): Metric =>
  new Metric({
    namespace: "AWS/Logs",
    metricName: "IncomingBytes",
    dimensionsMap: { LogGroupName: logGroupName },
    statistic: Stats.SUM,
    period: DAY,
  });

/** What the bill is made of, a day: docs/deploy.md has the prices. */
const costRow = (watched: Watched, accessLog: LogGroup): IWidget[] => {
  const { api, table } = watched;
  const sum = { statistic: Stats.SUM, period: DAY };
  const logs = [accessLog, ...all(watched).map((each) => each.logs)];
  const metrics = [
    api.metricCount({ ...sum, label: "Requests" }),
    over(
      "SUM",
      all(watched).map((each) => each.metricDuration(sum)),
      { id: "duration", label: "Seconds of functions", per: 1000, period: DAY },
    ),
    table.metricConsumedReadCapacityUnits({ ...sum, label: "Read units" }),
    table.metricConsumedWriteCapacityUnits({ ...sum, label: "Write units" }),
    over("SUM", logs.map(bytesOf), { id: "bytes", label: "MB of logs", per: 1_000_000, period: DAY }),
  ];
  return [new SingleValueWidget({ title: "What is paid for, a day", width: WIDTH, height: 4, period: DAY, metrics })];
};

/** The dashboard: from "is anything wrong?" down to where and why. */
export const addDashboard = (
  stack: Stack,
  prefix: string,
  watched: Watched,
  alarms: Alarm[],
  accessLog: LogGroup,
): void => {
  const heading = (text: string) => [new TextWidget({ markdown: `## ${text}`, width: WIDTH, height: 1 })];
  new Dashboard(stack, "dashboard", {
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
};
