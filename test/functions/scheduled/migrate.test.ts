import { beforeEach, describe, expect, it } from "vitest";
import { handler as migrate } from "../../../functions/scheduled/migrate.ts";
import { migrations } from "../../../lib/migrations/index.ts";
import { migrate as migrateWith, status } from "../../../lib/migrations/migrate.ts";
import type { Migration } from "../../../lib/migrations/migration.ts";
import { logLines } from "../../support/http/logs.ts";
import { freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { expectSound } from "../../support/store/sound.ts";
import { oldItems } from "../../support/world/old-items.ts";

const MINUTE = 60_000;
function timeLeft(milliseconds: number) {
  return { getRemainingTimeInMillis: () => milliseconds };
}

beforeEach(async () => {
  await freshTable();
  logLines.splice(0);
});

describe("the function migrate", () => {
  it("brings the table to the newest version and logs its progress", async () => {
    await oldItems[1]?.(60);
    await migrate({ settleSeconds: 0 }, timeLeft(15 * MINUTE));
    expect(await status()).toEqual({ version: migrations.length, items: 0 });
    const messages = logLines.map((line) => JSON.parse(line).message);
    expect(messages[2]).toMatch(/^migration 1 \(remove edge and cast from voters items\): 1\d\d items, done$/);
    expect(messages.slice(0, 2)).toEqual([
      "migration 1 (remove edge and cast from voters items): 50 items, under way",
      "migration 1 (remove edge and cast from voters items): 100 items, under way",
    ]);
    await expectSound();
  });

  it("waits for calls of old code before it changes anything", async () => {
    await oldItems[1]?.(3);
    const start = Date.now();
    const { calls } = await recordCalls(() => migrate({ settleSeconds: 0.5 }, timeLeft(15 * MINUTE)));
    expect(Date.now() - start).toBeGreaterThan(490);
    expect(calls.map(({ operation }) => operation).slice(0, 3)).toEqual(["GetItem", "GetItem", "Query"]);
  });

  it("leaves what it has no time for to the next call", async () => {
    await oldItems[1]?.(60);
    await migrate({ settleSeconds: 0 }, timeLeft(1000));
    expect(await status()).toEqual({ version: 0, items: 0 });
    await migrate({ settleSeconds: 0 }, timeLeft(15 * MINUTE));
    expect(await status()).toEqual({ version: migrations.length, items: 0 });
  });

  it("does nothing, at once, on a table that is up to date or newer: no calls of old code are waited for", async () => {
    await migrateWith();
    for (const list of [migrations, [...migrations, migrations[0] as Migration]]) {
      await migrateWith({ migrations: list });
      const { calls } = await recordCalls(() => migrate({}, timeLeft(15 * MINUTE)));
      expect(calls.map(({ operation }) => operation)).toEqual(["GetItem"]);
    }
    expect(logLines).toEqual([]);
  });
});
