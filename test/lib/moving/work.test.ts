import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { write } from "../../../infra/import/import.ts";
import * as site from "../../../lib/accounts/site.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import { workshop } from "../../../lib/moving/work.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { newId } from "../../../lib/values/ids.ts";
import { portalOf } from "../../support/world/dumps.ts";
import { aDumpFolder } from "../../support/world/imports.ts";

const { orderOf, problems } = aDumpFolder();

/** Until the test ends, only waits move the clock. Returns the clock, in milliseconds. */
function aClockOfWaits(): () => number {
  const usual = { now: performance.now, sleep: timers.setTimeout };
  let time = 0;
  performance.now = () => time;
  timers.setTimeout = (async (milliseconds = 0) => {
    time += milliseconds;
  }) as typeof timers.setTimeout;
  syncBuiltinESMExports();
  onTestFinished(() => {
    performance.now = usual.now;
    timers.setTimeout = usual.sleep;
    syncBuiltinESMExports();
  });
  return () => time;
}

function totalOf(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

type Consumed = { ConsumedCapacity?: { CapacityUnits?: number }[] };

/** Notes the units of each transaction, as the engine tells them, and when they were used. */
function watchTransactions(now: () => number): { at: number; units: number }[] {
  const seen: { at: number; units: number }[] = [];
  documentClient().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        if (commandName !== "TransactWriteItemsCommand") return result;
        const { ConsumedCapacity = [] } = result.output as Consumed;
        seen.push({ at: now(), units: totalOf(ConsumedCapacity.map(({ CapacityUnits = 0 }) => CapacityUnits)) });
        return result;
      },
    { step: "initialize", name: "watchTransactions", override: true },
  );
  onTestFinished(() => void documentClient().middlewareStack.remove("watchTransactions"));
  return seen;
}

const UNITS_PER_SECOND = 300;
// An import writes this many posts in parallel, and pays for each when it is written.
const AT_A_TIME = 8;

it("An import uses no more write units in a second than its workshop may", async () => {
  const owner = newAccount("olive@example.com", "Olive", "owner");
  await site.setUp("Feedback", owner, "no password", site.firstBoard(newId()));
  const order = await orderOf("csv", portalOf({ posts: 40 }));
  const now = aClockOfWaits();
  const seen = watchTransactions(now);
  const making = workshop(UNITS_PER_SECOND);
  await write(order, problems(), making);

  const seconds = Object.values(Object.groupBy(seen, ({ at }) => Math.floor(at / 1000)));
  const used = seconds.map((calls = []) => totalOf(calls.map(({ units }) => units)));
  const largest = Math.max(...seen.map(({ units }) => units));
  expect(Math.max(...used)).toBeLessThanOrEqual(UNITS_PER_SECOND + AT_A_TIME * largest);
  // The first and the last writes of an import stand outside of its work.
  expect(totalOf(used) - making.units()).toBeLessThan(largest);
  expect(making.units()).toBeLessThanOrEqual((UNITS_PER_SECOND * now()) / 1000 + 1);
  expect(seconds.length).toBeGreaterThan(5);
});
