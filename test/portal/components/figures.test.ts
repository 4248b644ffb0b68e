import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { daysOf, spanIn } from "../../../portal/pages/manage/figures-span.ts";
import { Plot } from "../../../portal/pages/manage/plot.tsx";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 1, 3, 10) });
  onTestFinished(() => void vi.useRealTimers());
});

describe("The span of an address", () => {
  it.each([
    ["names both ends", { from: "2026-01-01", to: "2026-01-31" }, { from: "2026-01-01", to: "2026-01-31" }],
    ["ends before it begins", { from: "2026-01-31", to: "2026-01-01" }, { from: "2026-01-31", to: "2026-01-31" }],
    ["is longer than a year", { from: "2020-01-01", to: "2026-01-01" }, { from: "2020-01-01", to: "2020-12-31" }],
    ["begins on a day that no calendar has", { from: "2026-02-30", to: "2026-03-01" }, { to: "2026-03-01" }],
    ["begins with another text", { from: "yesterday" }, {}],
    ["begins before all ids", { from: "1969-12-31" }, {}],
    ["is empty", { from: "", to: "" }, {}],
  ])("is one that the service takes: it %s", (_, query, span) => {
    expect(spanIn(query)).toEqual(span);
  });

  it("is of thirty days unless it says where it begins, as the service has it", () => {
    expect(daysOf({})).toEqual({ from: "2026-01-05", to: "2026-02-03" });
    expect(daysOf({ to: "2026-01-31" })).toEqual({ from: "2026-01-02", to: "2026-01-31" });
  });

  it("ends today if it only begins", () => {
    expect(spanIn({ from: "2026-01-31" })).toEqual({ from: "2026-01-31", to: "2026-02-03" });
  });
});

describe("The scale of a plot", () => {
  const scaleOf = (...numbers: number[]) => {
    const series = numbers.map((n, day) => ({ day: `2026-01-0${day + 1}`, n }));
    const html = renderToString(h(Plot, { name: "Votes", series }));
    return /class="scale"[^>]*top:\s?([\d.]+)%[^>]*><span>([^<]+)</.exec(html)?.slice(1);
  };

  it.each([
    ["in the middle while no day has many", [1, 0], ["50", "2"]],
    ["at the top for a round peak", [3, 10], ["0", "10"]],
    ["at the round number below the peak", [25, 4], ["20", "20"]],
    ["at five of its zeros", [800, 4], ["37.5", "500"]],
    ["at a short number for many", [20_000, 4], ["0", "20K"]],
  ])("is %s", (_, numbers, scale) => {
    expect(scaleOf(...numbers)).toEqual(scale);
  });

  it("is left out where there is nothing", () => {
    expect(scaleOf(0, 0)).toBeUndefined();
  });
});
