import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { groups } from "../../../functions/index.ts";
import { scheduledFunctions } from "../../../functions/scheduled/index.ts";
import { alarmsOf, metricsOf } from "../../support/stack/alarms.ts";
import { resourcesOf, type Template, templateOf } from "../../support/stack/stack.ts";

const template = templateOf();

// biome-ignore lint/suspicious/noExplicitAny: a widget of any kind
type Widget = { type: string; properties: any };

/** The widgets of a template's dashboard, with logical ids in place of names. */
function widgetsOf(from: Template): Widget[] {
  const [dashboard] = Object.values(resourcesOf(from, "AWS::CloudWatch::Dashboard"));
  const parts: (string | { Ref?: string; "Fn::GetAtt"?: string[] })[] =
    dashboard?.Properties.DashboardBody["Fn::Join"][1];
  const text = parts.map((part) => (typeof part === "string" ? part : (part.Ref ?? part["Fn::GetAtt"]?.[0]))).join("");
  return JSON.parse(text).widgets;
}

const widgets = widgetsOf(template);

/** The number of metrics in widgets, also of metrics that only an expression uses. */
function metricsIn(from: Widget[]): number {
  return from
    .flatMap(({ properties }): unknown[][] => properties.metrics ?? [])
    .filter(([first]) => typeof first === "string").length;
}

function titled(beginning: string): Widget | undefined {
  return widgets.find(({ properties }) => properties.title?.startsWith(beginning));
}

describe("the dashboard", () => {
  it("stays free: it has at most 50 metrics for any number of endpoints", () => {
    const few = widgetsOf(templateOf({}, { groups: groups.slice(0, 3) }));
    expect(metricsIn(widgets)).toBeLessThanOrEqual(50);
    const row = `| Dashboard | ${metricsIn(widgets)} metrics; three dashboards of at most 50 metrics each are free | 0.00 |`;
    expect(readFileSync("docs/costs.md", "utf8")).toContain(row);
    expect(metricsIn(few)).toBe(metricsIn(widgets));
  });

  it("reads the endpoints from the access log, and names the functions that no client calls", () => {
    expect(titled("By endpoint")?.properties.query).toMatch(/^SOURCE 'accesslog\w+' .*answers_5xx.*p99_ms by route/s);
    const labels = titled("Failed calls of")?.properties.metrics.map((metric: unknown[]) => metric.at(-1));
    const names = [...backgroundFunctions.map(({ definition }) => definition.name), ...scheduledFunctions];
    expect(labels.map(({ label }: { label: string }) => label).sort()).toEqual(names.sort());
  });

  it("shows every metric that an alarm watches", () => {
    const shown = JSON.stringify(widgets);
    for (const { Namespace, MetricName } of alarmsOf(template).flatMap(metricsOf)) {
      expect(shown).toContain(`"${Namespace}","${MetricName}"`);
    }
  });

  it("names the metrics that it sums: METRICS() would include all of a graph", () => {
    expect(JSON.stringify(widgets)).not.toContain("METRICS()");
  });

  it("carries no tags, which two regions refuse, unlike the other resources", () => {
    const tagsOf = (type: string) =>
      Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties.Tags);
    expect(tagsOf("AWS::CloudWatch::Dashboard")).toEqual([undefined]);
    for (const tags of [...tagsOf("AWS::Lambda::Function"), ...tagsOf("AWS::CloudWatch::Alarm")]) {
      expect(tags).toEqual([{ Key: "service", Value: "feedback-board-dev" }]);
    }
  });
});
