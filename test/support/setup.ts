import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { type Engine, startEngine } from "../../infra/local/engine/engine.ts";
import { ensureTable } from "../../infra/local/table.ts";
import { forgetClient } from "../../lib/data/client.ts";
import { logTo } from "../../lib/runtime/log.ts";
import { forgetSettings } from "../../lib/runtime/settings.ts";
import { leakInLog } from "./http/leaks.ts";
import { keepLog, logLines } from "./http/logs.ts";
import { observe } from "./store/calls.ts";
import { injectFaults } from "./store/faults.ts";

// Every test file has a table of its own, empty at its start, on a real engine.

let engine: Engine | undefined;

beforeAll(async () => {
  const shared = process.env.TEST_DYNAMODB_ENDPOINT;
  engine = shared ? undefined : await startEngine({ kind: "dynoxide" });
  Object.assign(process.env, {
    DYNAMODB_ENDPOINT: shared ?? engine?.endpoint,
    TABLE_NAME: `test-${randomUUID()}`,
    SIGNING_SECRET: "a signing secret for tests, 32 characters or more",
    MAIL_TRANSPORT: "log",
  });
  await freshTable();
  logTo(keepLog);
});

/** Goes on with a new, empty table. */
export const freshTable = async (): Promise<void> => {
  process.env.TABLE_NAME = `test-${randomUUID()}`;
  forgetSettings();
  forgetClient();
  await ensureTable(process.env.DYNAMODB_ENDPOINT as string, process.env.TABLE_NAME);
  observe();
  injectFaults();
};

afterAll(async () => {
  forgetClient();
  await engine?.stop();
  expect(logLines.filter((line) => leakInLog(line))).toEqual([]);
});
