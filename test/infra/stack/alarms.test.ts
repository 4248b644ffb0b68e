import { existsSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { anApp, functionsOf, removeFolders, resourcesOf, templateOf } from "../../support/stack/stack.ts";

const template = templateOf(
  anApp({ alarmEmail: "someone@example.com", mailFrom: "a@example.com", siteUrl: "https://example.com" }),
);
const functions = functionsOf(template);
const alarms = Object.values(resourcesOf(template, "AWS::CloudWatch::Alarm")).map(({ Properties }) => Properties);
const prefix = "feedback-board-dev-";
afterAll(removeFolders);

type Metric = { Namespace: string; MetricName: string; Dimensions?: { Name: string; Value: { Ref: string } }[] };

/** The metrics that an alarm looks at. */
const metricsOf = (alarm: (typeof alarms)[number]): Metric[] =>
  alarm.MetricName
    ? [alarm]
    : alarm.Metrics.flatMap((each: { MetricStat?: { Metric: Metric } }) => each.MetricStat?.Metric ?? []);

describe("The alarms", () => {
  it("watch errors, latency, throttles, conflicts and waiting work", () => {
    expect(alarms.map(({ AlarmName }) => AlarmName.slice(prefix.length).replace(/-\d+$/, "")).sort()).toEqual(
      expect.arrayContaining([
        "conflicts",
        "dead-letters",
        "function-errors",
        "function-throttles",
        "outbox-age",
        "server-errors",
        "slow-answers",
        "store-errors",
        "store-throttles",
      ]),
    );
  });

  it("watch every function, ten an alarm", () => {
    const watching = alarms.filter(({ AlarmName }) => AlarmName.includes("function-errors"));
    const watched = watching.flatMap(metricsOf).map(({ MetricName, Dimensions }) => {
      expect(MetricName).toBe("Errors");
      return Dimensions?.[0]?.Value.Ref;
    });
    expect(watched.sort()).toEqual(
      Object.values(functions)
        .map(({ id }) => id)
        .sort(),
    );
    expect(watching).toHaveLength(Math.ceil(Object.keys(functions).length / 10));
  });

  it("look at no more metrics than an alarm may, and say nothing while there is nothing", () => {
    for (const alarm of alarms) {
      expect(metricsOf(alarm).length, alarm.AlarmName).toBeLessThanOrEqual(10);
      expect(alarm.TreatMissingData).toBe("notBreaching");
    }
  });

  it("tell the topic, which CloudWatch may write to over TLS, and the topic tells a person", () => {
    const [topic] = Object.keys(resourcesOf(template, "AWS::SNS::Topic"));
    for (const { AlarmActions, OKActions } of alarms) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
    }
    const [policy] = Object.values(resourcesOf(template, "AWS::SNS::TopicPolicy"));
    expect(policy?.Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
      expect.objectContaining({
        Effect: "Allow",
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Action: "sns:Publish",
      }),
    ]);
    expect(Object.keys(resourcesOf(template, "AWS::SNS::Subscription"))).toHaveLength(1);
  });

  it("each have a section in docs/operations.md that says what to do", () => {
    expect(existsSync("docs/operations.md")).toBe(true);
    const text = readFileSync("docs/operations.md", "utf8");
    for (const { AlarmName, AlarmDescription } of alarms) {
      const name = AlarmName.slice(prefix.length).replace(/-\d+$/, "");
      expect(text).toContain(`### ${name}\n`);
      expect(AlarmDescription).toContain(`docs/operations.md#${name}`);
    }
  });
});

// Names that CloudFormation fills in stand as their logical ids.
const [dashboard] = Object.values(resourcesOf(template, "AWS::CloudWatch::Dashboard"));
const parts: (string | { Ref?: string; "Fn::GetAtt"?: string[] })[] =
  dashboard?.Properties.DashboardBody["Fn::Join"][1];
const body = JSON.parse(
  parts.map((part) => (typeof part === "string" ? part : (part.Ref ?? part["Fn::GetAtt"]?.[0]))).join(""),
);

describe("The price of an idle stage", () => {
  const [, table = ""] = /\*\*Idle, a month\*\*\n\n((?:\|.*\n)+)/.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];
  const rowOf = (what: string) => table.split("\n").find((row) => row.startsWith(`| ${what} |`));

  it("is, for the alarms, what docs/deploy.md says: AWS counts their metrics, ten are free", () => {
    const [metrics, watched] = [alarms.flatMap(metricsOf).length, Object.keys(functions).length];
    const price = ((metrics - 10) * 0.1).toFixed(2);
    expect(rowOf("Alarms")).toBe(
      `| Alarms | ${metrics} metrics (one for each of ${watched} functions, ${metrics - watched} others) - 10 free = ${metrics - 10} × 0.10 | ${price} |`,
    );
  });

  it("is, for the dashboard, what docs/deploy.md says: it is free with up to 50 metrics", () => {
    const metrics = body.widgets
      .flatMap(({ properties }: { properties: { metrics?: unknown[][] } }) => properties.metrics ?? [])
      .filter(([namespace]: unknown[]) => typeof namespace === "string").length;
    expect(metrics).toBeGreaterThan(50);
    expect(rowOf("Dashboard")).toBe(
      `| Dashboard | ${metrics} metrics; dashboards with more than 50 are not among the 3 free ones | 3.00 |`,
    );
  });

  it("is the sum of its rows, and what the README rounds it to", () => {
    const prices = [...table.matchAll(/\| ([\d.]+) \|$/gm)].map(([, price]) => Number(price));
    const sum = prices.reduce((all, price) => all + price, 0);
    expect(table).toContain(`| **${sum.toFixed(2)}** |`);
    const [rounded] = /costs about \d+ USD/.exec(readFileSync("README.md", "utf8")) ?? [];
    expect(rounded).toBe(`costs about ${Math.round(sum)} USD`);
  });
});

describe("The dashboard", () => {
  it("shows traffic, errors, latency, throttles, conflicts, the outbox and what costs", () => {
    const titles: string[] = body.widgets.map(
      (widget: { properties: { title?: string } }) => widget.properties.title ?? "",
    );
    for (const word of ["wrong", "Requests", "Errors", "Time to answer", "By endpoint", "Duration", "Concurrent"]) {
      expect(titles.join()).toContain(word);
    }
    for (const word of ["conflicts", "waits", "dead letters", "paid for"]) expect(titles.join()).toContain(word);
  });

  it("has each function, by its name", () => {
    const errors = body.widgets.find(({ properties }: { properties: { title?: string } }) =>
      properties.title?.startsWith("Failed calls"),
    );
    const labels = errors.properties.metrics.map((metric: unknown[]) => (metric.at(-1) as { label: string }).label);
    expect(labels.sort()).toEqual(Object.keys(functions).sort());
  });

  it("shows every metric that an alarm watches, and sums up by name, never by METRICS()", () => {
    const shown = JSON.stringify(body);
    for (const { Namespace, MetricName } of alarms.flatMap(metricsOf)) {
      expect(shown).toContain(`"${Namespace}","${MetricName}"`);
    }
    expect(shown).not.toContain("METRICS()");
  });
});
