import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, inject } from "vitest";
import { ensureTable } from "../../infra/local/table.ts";
import { forgetClient } from "../../lib/data/client.ts";
import { logTo } from "../../lib/runtime/log.ts";
import { forgetSettings } from "../../lib/runtime/settings.ts";
import { leakInLog } from "./http/leaks.ts";
import { keepLog, logLines } from "./http/logs.ts";
import { losePatience, makeClientPatient, takePatience } from "./patience.ts";
import { observe } from "./store/calls.ts";
import { injectFaults } from "./store/faults.ts";

// Every test file has a table of its own, empty at its start, on a real engine.

/** The engine of this process. */
const endpoint = (): string => {
  const engines = inject("engines");
  return engines[Number(process.env.VITEST_POOL_ID) % engines.length] as string;
};

beforeAll(async () => {
  takePatience();
  Object.assign(process.env, {
    DYNAMODB_ENDPOINT: endpoint(),
    SIGNING_SECRET: "a signing secret for tests, 32 characters or more",
    MAIL_TRANSPORT: "log",
  });
  await freshTable();
  logTo(keepLog);
});

// Work that a test left behind when it ran out of time may disturb those that come after it.
let timedOut: string | undefined;

beforeEach(({ task, onTestFailed }) => {
  if (timedOut) throw new Error(`not run: "${timedOut}" ran out of time before and may still be at work`);
  onTestFailed(() => {
    if (task.result?.errors?.some(({ message }) => message.includes("timed out in"))) timedOut = task.name;
  });
});

/** Goes on with a new, empty table. */
export const freshTable = async (): Promise<void> => {
  process.env.TABLE_NAME = `test-${randomUUID()}`;
  forgetSettings();
  forgetClient();
  await ensureTable(process.env.DYNAMODB_ENDPOINT as string, process.env.TABLE_NAME);
  observe();
  injectFaults();
  makeClientPatient();
};

afterAll(() => {
  losePatience();
  forgetClient();
  expect(logLines.filter((line) => leakInLog(line))).toEqual([]);
});
