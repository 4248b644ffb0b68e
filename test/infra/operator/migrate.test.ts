import { beforeEach, describe, expect, it } from "vitest";
import { migrations } from "../../../lib/migrations/index.ts";
import { migrate, status } from "../../../lib/migrations/migrate.ts";
import type { Migration } from "../../../lib/migrations/migration.ts";
import { settings } from "../../../lib/runtime/settings.ts";
import { aFolder, enginesOn, spawnServer, startServer } from "../../support/process/server-process.ts";
import { freshTable } from "../../support/setup.ts";
import { expectSound } from "../../support/store/sound.ts";
import { forgetWeights, oldItems } from "../../support/world/old-items.ts";

// `npm run operate -- migrate` and the start of `npm start` as processes of their own.

const NEWEST = migrations.length;

async function run(script: string, env: Record<string, string>, options: string[] = []) {
  const { ended, output, complaints } = spawnServer({
    command: [process.execPath, "infra/operator/operate.ts", script],
    env,
    options,
  });
  return { code: await ended, output: output(), complaints: complaints() };
}
function runMigrate(env: Record<string, string>, options?: string[]) {
  return run("migrate", env, options);
}

function theEngine() {
  return { DYNAMODB_ENDPOINT: settings().dynamoEndpoint ?? "", TABLE_NAME: settings().tableName };
}
const aLaterRelease = { migrations: [...migrations, migrations[0] as Migration] };
const tooNew = `The table has version ${NEWEST + 1} of the data model, this code knows ${NEWEST}: use the newer code again\n`;

beforeEach(freshTable);

describe("npm run operate -- migrate", () => {
  it("tells the status, brings the table to the newest version, and has nothing to do the next time", async () => {
    await oldItems[1]?.(3);
    const { DYNAMODB_ENDPOINT, TABLE_NAME } = theEngine();
    const before = await runMigrate(theEngine(), ["--status"]);
    const name = `The table ${TABLE_NAME} at ${DYNAMODB_ENDPOINT}`;
    const waiting = `version 0 of ${NEWEST}; migration 1 (remove edge and cast from voters items): 0 items so far`;
    expect(before).toEqual({ code: 0, output: `${name}: ${waiting}\n`, complaints: "" });
    expect(await status()).toEqual({ version: 0, items: 0 });
    const { code, output } = await runMigrate({ DYNAMODB_ENDPOINT }, ["--table", TABLE_NAME]);
    expect(code).toBe(0);
    expect(output).toContain("\nMigration 1, remove edge and cast from voters items: 8 items, done\n");
    expect(output).toContain(`\nNow version ${NEWEST}, the newest\n`);
    await expectSound();
    expect((await runMigrate(theEngine())).output).toBe(`${name}: version ${NEWEST}, the newest\n`);
  });

  it("goes through a migration again, and mends what older code wrote since", async () => {
    await oldItems[2]?.(3);
    await migrate();
    await forgetWeights();
    expect((await runMigrate(theEngine())).output).toMatch(/, the newest\n$/);
    expect((await runMigrate(theEngine(), ["--again", "2", "--status"])).output).toMatch(/, the newest\n$/);
    const { code, output } = await runMigrate(theEngine(), ["--again", "2"]);
    expect(code).toBe(0);
    expect(output).toContain("\nMigration 2, add up the weights of votes in voters items: 8 items, done\n");
    expect(output).toContain(`\nNow version ${NEWEST}, the newest\n`);
    await expectSound();
    for (const number of ["0", String(NEWEST + 1), "two"]) {
      const { code, complaints } = await runMigrate(theEngine(), ["--again", number]);
      expect([code, complaints]).toEqual([1, `There is no migration ${number}: the newest one is ${NEWEST}\n`]);
    }
  });

  it("takes a deployed table by its name, with the credentials of the environment", async () => {
    const { DYNAMODB_ENDPOINT, TABLE_NAME } = theEngine();
    // The SDK's own variable puts the engine in AWS's place.
    const aws = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };
    const { output } = await runMigrate({ ...aws, AWS_ENDPOINT_URL_DYNAMODB: DYNAMODB_ENDPOINT }, [
      "--table",
      TABLE_NAME,
    ]);
    expect(output).toContain(`The table ${TABLE_NAME} in eu-west-1: version 0 of ${NEWEST}`);
    expect(output).toContain(`\nNow version ${NEWEST}, the newest\n`);
  });

  it("says that there is no such table, and that a table is newer than the code", async () => {
    const missing = await runMigrate(theEngine(), ["--table", "none"]);
    expect([missing.code, missing.complaints]).toEqual([1, expect.stringMatching(/^There is no table none at http/)]);
    await migrate(aLaterRelease);
    expect(await runMigrate(theEngine())).toEqual({ code: 1, output: tooNew, complaints: tooNew });
  });
});

describe("npm run operate -- check-table", () => {
  it("does not judge a table that is newer than the code", async () => {
    await migrate(aLaterRelease);
    expect((await run("check-table", theEngine())).complaints).toBe(tooNew);
  });
});

describe("npm start", () => {
  it("migrates the table before it listens, and prints how far it is", async () => {
    await oldItems[1]?.(3);
    const server = await startServer({ env: theEngine(), options: ["--memory"] });
    expect(server.output().split("\n")[0]).toBe("Migration 1, remove edge and cast from voters items: 8 items, done");
    expect(await status()).toEqual({ version: NEWEST, items: 0 });
    await server.stop();
    await expectSound();
  });

  it("refuses a table that is newer than the code, with one line", async () => {
    await migrate(aLaterRelease);
    const { ended, output } = spawnServer({ env: theEngine(), options: ["--memory"] });
    expect([await ended, output()]).toEqual([1, tooNew]);
  });

  it("a new data folder is at the newest version, of which nothing is printed; npm run operate -- migrate finds it so", async () => {
    const folder = aFolder();
    const server = await startServer({ env: { DATA_DIR: folder } });
    expect(server.output()).not.toContain("Migration");
    await server.stop();
    const { output } = await runMigrate({ DATA_DIR: folder });
    expect(output).toBe(`The table feedback-board of ${folder}: version ${NEWEST}, the newest\n`);
    expect(enginesOn(folder)).toEqual([]);
  });
});
