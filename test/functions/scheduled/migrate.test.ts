import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handler as migrate } from "../../../functions/scheduled/migrate.ts";
import { status } from "../../../lib/migrations/migrate.ts";
import { key } from "../../../lib/table/keys.ts";
import { put } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { logLines } from "../../support/http/logs.ts";
import { freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { addPosts } from "../../support/world/bulk.ts";
import { aMember, postOf } from "../../support/world/fixtures.ts";
import { makeOld, useMigrations, withoutOld } from "../../support/world/migration.ts";

const MINUTE = 60_000;
function timeLeft(milliseconds: number) {
  return { getRemainingTimeInMillis: () => milliseconds };
}

beforeEach(async () => {
  useMigrations(withoutOld);
  await freshTable();
  const author = await aMember();
  await addPosts(Array.from({ length: 30 }, () => postOf(author)));
  await makeOld();
  logLines.splice(0);
});
afterEach(() => useMigrations());

describe("The function migrate", () => {
  it("brings the table to the newest version and logs its progress", async () => {
    await migrate({ settleSeconds: 0 }, timeLeft(15 * MINUTE));
    expect(await status()).toEqual({ version: 5, items: 0 });
    expect(logLines.map((line) => JSON.parse(line).message)).toEqual([
      "migration 4 (remove old from voters items): 50 items, under way",
      "migration 4 (remove old from voters items): 60 items, done",
    ]);
  });

  it("waits for calls of old code before it changes anything", async () => {
    const start = Date.now();
    const { calls } = await recordCalls(() => migrate({ settleSeconds: 0.5 }, timeLeft(15 * MINUTE)));
    expect(Date.now() - start).toBeGreaterThan(490);
    expect(calls.map(({ operation }) => operation).slice(0, 3)).toEqual(["GetItem", "GetItem", "Query"]);
  });

  it("leaves the rest to the next call when its time is up", async () => {
    await migrate({ settleSeconds: 0 }, timeLeft(1000));
    expect(await status()).toEqual({ version: 4, items: 0 });
    await migrate({ settleSeconds: 0 }, timeLeft(15 * MINUTE));
    expect(await status()).toEqual({ version: 5, items: 0 });
  });

  it.each([5, 6])("waits for no old code on a table of version %i, which is up to date or newer", async (version) => {
    await transact({ model: put(key.model(), { version, items: 0 }) });
    const { calls } = await recordCalls(() => migrate({}, timeLeft(15 * MINUTE)));
    expect(calls.map(({ operation }) => operation)).toEqual(["GetItem"]);
    expect(logLines).toEqual([]);
  });
});
