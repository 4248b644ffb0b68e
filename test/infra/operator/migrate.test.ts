import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrateTable } from "../../../infra/local/migrate-table.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { run as migrateCommand } from "../../../infra/operator/migrate.ts";
import { newestVersion } from "../../../lib/migrations/index.ts";
import { status } from "../../../lib/migrations/migrate.ts";
import { environment } from "../../../lib/runtime/environment.ts";
import { key } from "../../../lib/table/keys.ts";
import { put } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { operate, operateHere, theEngine } from "../../support/process/operate.ts";
import { spawnServer } from "../../support/process/server-process.ts";
import { freshTable } from "../../support/setup.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";
import { makeOld, useMigrations, withoutOld } from "../../support/world/migration.ts";

// `npm run operate -- migrate` and the start of `npm start`: with a migration in this process, without one in processes
// of their own.

async function printed(work: () => Promise<unknown>): Promise<string[]> {
  const { output } = await operateHere(() => work().then(() => 0), []);
  return output.trim().split("\n");
}

beforeEach(freshTable);
afterEach(() => useMigrations());

describe("A table with a migration to come", () => {
  beforeEach(async () => {
    useMigrations(withoutOld);
    Object.assign(process.env, theEngine());
    const author = await aMember();
    for (let n = 0; n < 4; n++) await aPost(author);
    await makeOld();
  });

  const name = () => `The table ${environment().TABLE_NAME} at ${environment().DYNAMODB_ENDPOINT}`;
  const done = "Migration 4, remove old from voters items: 8 items, done";

  it("reaches the newest version by npm run operate -- migrate, which prints the progress", async () => {
    expect(await printed(() => migrateCommand(["--status"]))).toEqual([
      `${name()}: version 4 of 5; migration 4 (remove old from voters items): 0 items so far`,
    ]);
    expect(await printed(() => migrateCommand([]))).toEqual([
      `${name()}: version 4 of 5; migration 4 (remove old from voters items): 0 items so far`,
      done,
      "Now version 5, the newest",
    ]);
    expect(await printed(() => migrateCommand([]))).toEqual([`${name()}: version 5, the newest`]);
  });

  it("goes through an existing migration again with --again", async () => {
    await migrateCommand([]);
    expect(await printed(() => migrateCommand(["--again", "4"]))).toEqual([
      `${name()}: version 5, the newest`,
      done,
      "Now version 5, the newest",
    ]);
    for (const number of ["0", "3", "5", "two"]) {
      expect(await printed(() => migrateCommand(["--again", number]))).toEqual([
        `There is no migration ${number}: the newest version is 5`,
      ]);
    }
  });

  it("reaches the newest version before npm start listens", async () => {
    expect(await printed(migrateTable)).toEqual([done]);
    expect(await status()).toEqual({ version: 5, items: 0 });
  });
});

const REFUSED = new RegExp(
  `^The table has version 3 of the data model, and this code knows 4 to ${newestVersion()}\\. .*: for npm start, move the data folder away or set another DATA_DIR; in AWS, deploy another stage\n$`,
);

describe("A table of before the first release", () => {
  const before: { items?: unknown } = {};

  beforeEach(async () => {
    await aPost(await aMember());
    await transact({ model: put(key.model(), { version: 3, items: 0 }) });
    before.items = await scan();
  });
  afterEach(async () => expect(await scan()).toEqual(before.items));

  it.each(["migrate", "check-table"])("stays as it is: npm run operate -- %s refuses it", async (command) => {
    const { code, complaints } = await operate([command], theEngine());
    expect(code).toBe(1);
    expect(complaints).toEqual(expect.stringMatching(REFUSED));
  });

  it("stays as it is: npm start refuses it", async () => {
    const { ended, output } = spawnServer({ env: theEngine(), options: ["--memory"] });
    expect(await ended).toBe(1);
    expect(output()).toEqual(expect.stringMatching(REFUSED));
  });
});
