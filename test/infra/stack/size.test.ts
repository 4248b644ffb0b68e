import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { chosen, templateOf } from "../../support/stack/stack.ts";
import { expectWritten } from "../../support/written.ts";

const PAGE = "docs/deploy.md";
const SIZE = /\d+ endpoints make \d+ resources, \d+ with `alarmEmail`, \d+ with `portal`/;

function resources(context?: Record<string, unknown>): number {
  return Object.keys(templateOf(context).Resources).length;
}

it("the stack is as large as docs/deploy.md says", () => {
  const page = readFileSync(PAGE, "utf8");
  expect(page).toMatch(SIZE);
  const mailed = resources({ alarmEmail: chosen.alarmEmail });
  const paged = resources({ portal: "true" });
  // CloudFormation allows 500 in a stack: there must be room for the next endpoints.
  expect(paged).toBeLessThanOrEqual(470);
  const all = `${endpoints.length} endpoints make ${resources()} resources`;
  const size = `${all}, ${mailed} with \`alarmEmail\`, ${paged} with \`portal\``;
  expectWritten(PAGE, page.replace(SIZE, size));
});
