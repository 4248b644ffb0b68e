import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, inject } from "vitest";
import { clientAt, createTable } from "../../infra/local/table.ts";
import { findingsIn, scan, unrankedIn } from "../../infra/operator/check-table/check.ts";
import { watchFetch } from "./http/document.ts";
import { keepLog, leakInLog, logLines } from "./http/logs.ts";
import { losePatience, makeClientPatient, takePatience } from "./patience.ts";
import { observe, watchKeyUse } from "./store/calls.ts";
import { injectFaults } from "./store/faults.ts";
import { withoutSignatures } from "./store/raw-calls.ts";
import "./world/generated.ts";

// Every test file has a table of its own, empty at its start, on a real engine.

function endpoint(): string {
  const engines = inject("engines");
  return engines[Number(process.env.VITEST_POOL_ID) % engines.length] as string;
}

// Made by the first export.
const exportFolder = join(tmpdir(), `feedback-board-exports-${randomUUID()}`);

let tables: DynamoDBClient;

beforeAll(async () => {
  takePatience();
  tables = clientAt(endpoint());
  Object.assign(process.env, {
    DYNAMODB_ENDPOINT: endpoint(),
    SIGNING_SECRET: "a signing secret for tests, 32 characters or more",
    MAIL_TRANSPORT: "log",
    WEBHOOK_PRIVATE_TARGETS: "on",
    EXPORT_FOLDER: exportFolder,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
  });
  await freshTable();
  keepLog();
  watchKeyUse();
  watchFetch();
});

// Unfinished work of a test that ran out of time may disturb the tests after it.
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
  await createTable(tables, name);
}

afterAll(() => {
  tables.destroy();
  rmSync(exportFolder, { recursive: true, force: true });
  losePatience();
  expect(logLines.filter((line) => leakInLog(line))).toEqual([]);
});

const HINT = "an item or attribute that is new to the checker belongs into infra/operator/check-table/kinds.ts";

/** Expects that the table keeps the invariants of docs/data-model.md#invariants. No write may be under way. */
export async function expectSound(): Promise<void> {
  expect(findingsIn(await scan()), HINT).toEqual([]);
}

/** Expects also that the rows and counts by rank are up to date for every post. */
export async function expectRanked(): Promise<void> {
  const items = await scan();
  expect([...findingsIn(items), ...unrankedIn(items)], HINT).toEqual([]);
}

/**
 * Continues as a new Lambda container would, with these environment variables changed: settings, clients and signing
 * keys are made anew. The new client is observed, can be given faults, has the patience of tests, and signs nothing.
 */
export function newContainer(variables: Record<string, string | undefined> = {}): void {
  process.env = { ...process.env, ...variables };
  observe();
  injectFaults();
  makeClientPatient();
  withoutSignatures();
}
