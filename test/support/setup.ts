import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, inject } from "vitest";
import { ensureTable } from "../../infra/local/table.ts";
import { documentClient } from "../../lib/table/client.ts";
import { newContainer } from "./container.ts";
import { watchFetch } from "./http/document.ts";
import { leakInLog } from "./http/leaks.ts";
import { keepLog, logLines } from "./http/logs.ts";
import { losePatience, takePatience } from "./patience.ts";
import { watchKeyUse } from "./store/calls.ts";
import "./world/generated.ts";

// Every test file has a table of its own, empty at its start, on a real engine.

/** The engine of this process. */
function endpoint(): string {
  const engines = inject("engines");
  return engines[Number(process.env.VITEST_POOL_ID) % engines.length] as string;
}

beforeAll(async () => {
  takePatience();
  Object.assign(process.env, {
    DYNAMODB_ENDPOINT: endpoint(),
    SIGNING_SECRET: "a signing secret for tests, 32 characters or more",
    MAIL_TRANSPORT: "log",
  });
  await freshTable();
  keepLog();
  watchKeyUse();
  watchFetch();
});

// Work that a test left behind when it ran out of time may disturb those that come after it.
let timedOut: string | undefined;

beforeEach(({ task, onTestFailed }) => {
  if (timedOut) throw new Error(`not run: "${timedOut}" ran out of time before and may still be at work`);
  onTestFailed(() => {
    if (task.result?.errors?.some(({ message }) => message.includes("timed out in"))) timedOut = task.name;
  });
});

/** Continues with a new, empty table. */
export async function freshTable(): Promise<void> {
  const name = `test-${randomUUID()}`;
  newContainer({ TABLE_NAME: name });
  await ensureTable(process.env.DYNAMODB_ENDPOINT as string, name);
}

afterAll(() => {
  losePatience();
  documentClient().destroy();
  expect(logLines.filter((line) => leakInLog(line))).toEqual([]);
});
