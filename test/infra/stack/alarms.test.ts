import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { documentFunctions } from "../../../functions/documents/index.ts";
import { groups } from "../../../functions/index.ts";
import { alarmsOf, metricsOf, type Period, setOffBy } from "../../support/stack/alarms.ts";
import { chosen, functionsOf, resourcesOf, templateOf } from "../../support/stack/stack.ts";

const template = templateOf(chosen);
const functions = functionsOf(template);
const alarms = alarmsOf(template);
const prefix = "feedback-board-dev-";

const names = alarms.map(({ AlarmName }) => AlarmName.slice(prefix.length)).sort();

describe("the alarms", () => {
  it("watch at most ten metrics each, and stay silent without data", () => {
    for (const alarm of alarms) {
      expect(metricsOf(alarm).length, alarm.AlarmName).toBeLessThanOrEqual(10);
      expect(alarm.TreatMissingData).toBe("notBreaching");
    }
    expect(setOffBy(template, [{}, {}, {}])).toEqual([]);
  });

  it("notify the topic, to which CloudWatch may publish over TLS, and which mails alarmEmail", () => {
    const [topic] = Object.keys(resourcesOf(template, "AWS::SNS::Topic"));
    for (const { AlarmActions, OKActions } of alarms) {
      expect(AlarmActions).toEqual([{ Ref: topic }]);
      expect(OKActions).toEqual([{ Ref: topic }]);
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
    const [mail, ...others] = Object.values(resourcesOf(template, "AWS::SNS::Subscription"));
    expect(mail?.Properties).toMatchObject({ Protocol: "email", Endpoint: chosen.alarmEmail });
    expect(others).toEqual([]);
  });

  it("each have a section in docs/operations.md with the remedy", () => {
    const sections = [...readFileSync("docs/operations.md", "utf8").matchAll(/^### ([\w-]+)$/gm)];
    expect(sections.map(([, name]) => name).sort()).toEqual(names);
    for (const { AlarmName, AlarmDescription } of alarms) {
      expect(AlarmDescription).toContain(`docs/operations.md#${AlarmName.slice(prefix.length)}`);
    }
  });
});

describe("the cost of the alarms", () => {
  const metrics = alarms.flatMap(metricsOf).length;
  const priceOf = (charged: number) => (Math.max(charged, 0) * 0.1).toFixed(2);

  it("matches docs/costs.md: ten metrics are free, an idle deployment costs at most 0.80 USD", () => {
    const text = readFileSync("docs/costs.md", "utf8");
    const [, table = ""] = /\*\*Idle, a month\*\*.*\n\n((?:\|.*\n)+)/.exec(text) ?? [];
    const first = priceOf(metrics - 10);
    const later = priceOf(metrics);
    expect(table).toContain(
      `| Alarms | ${metrics} metrics, 10 of them free: ${Math.max(metrics - 10, 0)} × 0.10 | ${first} |`,
    );
    const prices = [...table.matchAll(/\| ([\d.]+) \|$/gm)].map(([, price]) => Number(price));
    const idle = prices.reduce((sum, price) => sum + price, 0);
    expect(prices).toHaveLength(5);
    expect(idle).toBeLessThanOrEqual(0.8);
    expect(table).toContain(`| **${idle.toFixed(2)}** |`);
    expect(readFileSync("README.md", "utf8")).toContain(`it costs ${idle.toFixed(2)} USD a month when idle`);
    const second = idle - Number(first) + Number(later);
    expect(text).toContain(`${metrics} × 0.10 = ${later} for its alarms, ${second.toFixed(2)} in all`);
  });

  it("stays the same for any number of functions behind the API", () => {
    const few = alarmsOf(templateOf({}, { groups: groups.slice(0, 3) }));
    expect(few.flatMap(metricsOf)).toHaveLength(metrics);
  });
});

describe("server-errors", () => {
  const quiet = { "5xx": 0, Count: 50 };

  it.each<[string, Period, boolean]>([
    ["one answer of fifty", { "5xx": 1, Count: 50 }, false],
    ["two answers of fifty", { "5xx": 2, Count: 50 }, true],
    ["two answers of three hundred", { "5xx": 2, Count: 300 }, false],
    ["four answers of three hundred", { "5xx": 4, Count: 300 }, true],
    ["five answers of ten thousand", { "5xx": 5, Count: 10_000 }, false],
    ["six answers of ten thousand", { "5xx": 6, Count: 10_000 }, true],
  ])("judges %s, in two periods of three", (_, period, expected) => {
    expect(setOffBy(template, [period, quiet, period])).toEqual(expected ? ["server-errors"] : []);
    expect(setOffBy(template, [quiet, quiet, period])).toEqual([]);
  });
});

// AWS charges 0.10 USD a month for each metric, so no failure is watched twice.
describe("docs/operations.md, What sets off which alarm", () => {
  const [, section = ""] =
    /^## What sets off which alarm$([\s\S]*?)^## /m.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
  const documented = [...section.matchAll(/^\| (\w[^|]*) \| ([a-z][^|]*) \|$/gm)];

  const twoOfThree = (period: Period) => [period, {}, period];
  const failing = [{ Errors: 1 }];
  const answersFail = twoOfThree({ "5xx": 6, Count: 6 });
  const recordsWait = Array<Period>(3).fill({ IteratorAge: 11 * 60_000 });
  const recordsAreLost = [{ ApproximateNumberOfMessagesVisible: 1 }];

  // What CloudWatch measures. That such failures lead to these measurements: test/lib/background.test.ts,
  // test/functions/outage.test.ts, test/functions/votes/concurrent.test.ts.
  const failures: Record<string, Period[][]> = {
    "A function behind the API crashes or times out": [answersFail],
    "A function that the stream feeds crashes or times out": [failing, recordsWait, recordsAreLost],
    "Background work fails for more than ten minutes": [failing],
    "The function that rotates the secret fails": [failing],
    "The function that migrates the table fails": [recordsAreLost],
    "DynamoDB fails": [answersFail, failing, recordsWait],
    "Transactions get in each other's way": [answersFail, Array<Period>(3).fill({ Latency: 3500 })],
    "The table puts reads and writes off": [twoOfThree({ ReadThrottleEvents: 0, WriteThrottleEvents: 11 })],
    "The account's concurrency is used up": [twoOfThree({ Throttles: 1 })],
  };

  it.each(Object.entries(failures))("names the alarms that this sets off: %s", (failure, measured) => {
    const [, , named = ""] = documented.find(([, text]) => text === failure) ?? [];
    expect(measured.flatMap((periods) => setOffBy(template, periods)).sort()).toEqual(named.split(", ").sort());
  });

  it("lists every failure", () => {
    expect(documented.map(([, text]) => text)).toEqual(Object.keys(failures));
  });

  const watchedBy = (suffix: string) =>
    metricsOf(alarms.find(({ AlarmName }) => AlarmName.endsWith(suffix))).map(
      ({ Dimensions }) => Dimensions?.[0]?.Value.Ref,
    );

  it("watches every function that the stream feeds for records that wait", () => {
    const fed = backgroundFunctions.map(({ definition }) => functions[definition.name]?.id);
    expect(watchedBy("outbox-age")).toEqual(expect.arrayContaining(fed));
  });

  it("watches every function that no client calls for errors, but the two that report another way", () => {
    const behind = [...groups.map(({ name }) => name), ...Object.keys(documentFunctions)];
    const rest = Object.keys(functions).filter((name) => ![...behind, "migrate", "deliver"].includes(name));
    expect(watchedBy("function-errors").sort()).toEqual(rest.map((name) => functions[name]?.id).sort());
  });
});
