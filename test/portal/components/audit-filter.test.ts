import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { addressWith, filterIn, queryOf } from "../../../portal/pages/manage/audit-filter.ts";

const FILE = JSON.stringify(new URL("../../../portal/pages/manage/audit-filter.ts", import.meta.url).href);

/** What a reader's clock makes of a day as the first and the last one. A process has one time zone. */
function readIn(timeZone: string, day: string): unknown {
  const script = `import { queryOf } from ${FILE}; console.log(JSON.stringify(queryOf({ from: "${day}", to: "${day}" })))`;
  const env = { ...process.env, TZ: timeZone };
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" }));
}

describe("The days of a filter", () => {
  it.each([
    ["a day of 24 hours", "Europe/Berlin", "2026-01-31", "2026-01-30T23:00:00.000Z", "2026-01-31T22:59:59.999Z"],
    ["a day of 23 hours", "Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.999Z"],
    ["a day of 25 hours", "Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.999Z"],
    [
      "a day without midnight",
      "America/Santiago",
      "2026-09-06",
      "2026-09-06T04:00:00.000Z",
      "2026-09-07T02:59:59.999Z",
    ],
    ["the last day of a year", "Asia/Tokyo", "2026-12-31", "2026-12-30T15:00:00.000Z", "2026-12-31T14:59:59.999Z"],
  ])("begin and end by the reader's clock: %s", (_, timeZone, day, from, to) => {
    expect(readIn(timeZone, day)).toEqual({ from, to });
  });
});

describe("The address of a filter", () => {
  it("holds all of it, and nothing else", () => {
    const filter = { by: "b", item: "i/c", action: "post", from: "2026-01-31", to: "2026-02-01" };
    const address = addressWith({ ...filter, item: "" });
    expect(address).toBe("/manage/audit?by=b&action=post&from=2026-01-31&to=2026-02-01");
    const query = Object.fromEntries(new URL(addressWith(filter), "http://localhost").searchParams);
    expect(filterIn({ ...query, other: "x" })).toEqual(filter);
    expect(addressWith({})).toBe("/manage/audit");
  });

  it("leaves out days that are none", () => {
    expect(filterIn({ from: "soon", to: "2026-13-45", by: "" })).toEqual({});
    expect(queryOf({ from: "soon" })).toEqual({});
  });
});
